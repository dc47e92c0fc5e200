import DiscreteNetworking
import Foundation

extension ServiceIdentifier {
    static let club: Self = "club"
}

/// The members' club of the shop: an older backend, which wants every call in one form and signed.
///
///     …/api/home/points?cid=000001&uid=10001&sign=1793422…
final class ClubService: Service {
    let baseURL: URL
    /// An app has it from its build, and never in its source.
    let key = Locked(SigningKey("spring-water"))
    /// The member who is logged in. The store keeps it, so that a restart does not ask again.
    let configuration: ServiceConfiguration

    /// Without a store a member is forgotten when the app ends.
    convenience init() { self.init(server: nil, store: MemoryCredentialStore()) }

    /// - Parameter server: The server that `--base-url` names. It may be on the developer's own network.
    init(server: URL?, store: any CredentialStore) {
        baseURL = server?.appendingPathComponent("api") ?? URL(string: "https://club.shop.example.com/api")!
        let session = TokenSession(
            store: store, key: "club",
            apply: { tokens, request in
                try QueryParamEncoding().encode(["uid": tokens.accessToken], into: &request)
            })
        configuration = ServiceConfiguration(
            timeout: 10, plainHTTPHosts: Set([server?.host].compactMap(\.self)), session: session)
    }

    func encoding(for call: APICall) -> any ParamEncoding { ClubParamEncoding() }

    func signer(for call: APICall) -> (any RequestSigner)? { ClubSignature.signer(key: key.current) }

    /// `{"code":0,"msg":"","content":{"code":"0","re":{…}}}`: two codes, each a number or a text, and one message for
    /// both, in the outer layer.
    func envelope(for call: APICall) -> Envelope? {
        Envelope(code: "code", success: [0], message: "msg", payload: "content", codes: .integers)
            .containing(Envelope(code: "code", success: [0], payload: "re", codes: .integers))
    }
}

/// All params as JSON in the field `q`, beside the client's number; no `q` where there are none.
struct ClubParamEncoding: ParamEncoding {
    func encode(_ params: Params, into request: inout APIRequest) throws {
        let fields: Params = ["cid": "000001", "q": params.isEmpty ? nil : params.canonical]
        try QueryParamEncoding().encode(fields, into: &request)
    }
}
