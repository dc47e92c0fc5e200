import DiscreteNetworking
import DiscreteNetworkingSigning
import Foundation

extension ServiceIdentifier {
    static let wallet: Self = "wallet"
}

/// The shop's wallet: both bodies of a call are wrapped, and the wrapped one is signed.
final class WalletService: Service {
    let baseURL: URL
    /// An app agrees on it with its backend, and never has it in its source.
    let key = Locked(SigningKey("a-wallet-key-of-thirty-two-bytes"))
    let configuration: ServiceConfiguration

    convenience init() { self.init(server: nil) }

    /// - Parameter server: The server that `--base-url` names. It may be on the developer's own network.
    init(server: URL?) {
        baseURL =
            server?.appendingPathComponent("wallet") ?? URL(string: "https://wallet.shop.example.com/wallet")!
        configuration = ServiceConfiguration(plainHTTPHosts: Set([server?.host].compactMap(\.self)))
    }

    func bodyTransform(for call: APICall) -> (any BodyTransform)? { WrappedBodies() }

    func signer(for call: APICall) -> (any RequestSigner)? { BodySigner(key: key.current) }

    /// Once unwrapped, it is that of the shop.
    func envelope(for call: APICall) -> Envelope? {
        Envelope(code: "code", success: [0], message: "msg", payload: "content")
    }
}

/// Signs what is sent as the body: `X-Sign` is its HMAC with SHA-256.
struct BodySigner: RequestSigner {
    let key: SigningKey

    func sign(_ request: inout APIRequest, for call: APICall) throws {
        guard case .data(let body) = request.body else { return }
        let signature = MessageDigest.hmac(.sha256, of: body, key: key.data).hexadecimal
        try SignatureLocation.header("X-Sign").write(signature, into: &request)
    }

    var varyingFields: VaryingFields { VaryingFields(headers: ["X-Sign"]) }
}
