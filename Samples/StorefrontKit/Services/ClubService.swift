import DiscreteNetworking
import Foundation

extension ServiceIdentifier {
    static let club: Self = "club"
}

/// The members' club of the shop: an older backend, which wants every call in one form and signed.
///
///     …/api/home/login?cid=000001&q=%7B…%7D&uid=10001&sign=1793422…
final class ClubService: Service {
    /// The server that `--base-url` names.
    let developURL = Locked<URL?>(nil)
    /// The member; `nil` before login.
    let uid = Locked<String?>(nil)
    /// An app has it from its build, and never in its source.
    let key = Locked(SigningKey("spring-water"))

    var baseURL: URL { developURL.current ?? URL(string: "https://club.shop.example.com/api")! }
    /// Whoever names a server means it, be it on the developer's own network.
    var plainHTTPHosts: Set<String> { Set([developURL.current?.host].compactMap(\.self)) }

    func useServer(at url: URL) { developURL.current = url.appendingPathComponent("api") }

    func encoding(for call: APICall) -> any ParamEncoding { ClubParamEncoding(uid: uid.current) }

    func signer(for call: APICall) -> (any RequestSigner)? { ClubSignature.signer(key: key.current) }

    func envelope(for call: APICall) -> Envelope? {
        Envelope(code: "code", success: [0], message: "msg", payload: "content")
    }

    var timeout: TimeInterval { 10 }
}

/// All params as JSON in the field `q`, beside the client and the member.
struct ClubParamEncoding: ParamEncoding {
    let uid: String?

    func encode(_ params: Params, into request: inout APIRequest) throws {
        let fields: Params = ["cid": "000001", "q": params.canonical, "uid": uid]
        try QueryParamEncoding().encode(fields, into: &request)
    }
}
