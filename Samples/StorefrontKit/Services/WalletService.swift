import DiscreteNetworking
import Foundation

extension ServiceIdentifier {
    static let wallet: Self = "wallet"
}

/// The shop's wallet: both bodies of a call are encrypted, and the encrypted one is signed.
final class WalletService: Service {
    /// The server that `--base-url` names.
    let developURL = Locked<URL?>(nil)
    /// 32 bytes. An app agrees on them with its backend, and never has them in its source.
    let key = Locked(SigningKey("a-wallet-key-of-thirty-two-bytes"))

    var baseURL: URL { developURL.current ?? URL(string: "https://wallet.shop.example.com/wallet")! }
    /// Whoever names a server means it, be it on the developer's own network.
    var plainHTTPHosts: Set<String> { Set([developURL.current?.host].compactMap(\.self)) }

    func useServer(at url: URL) { developURL.current = url.appendingPathComponent("wallet") }

    func bodyTransform(for call: APICall) -> (any BodyTransform)? {
        SealedBodies(cipher: AESBodyCipher(key: key.current))
    }

    func signer(for call: APICall) -> (any RequestSigner)? { BodySigner(key: key.current) }

    /// Once decrypted, it is that of the shop.
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
        try SignaturePlace.header("X-Sign").write(signature, into: &request)
    }

    var varyingFields: VaryingFields { VaryingFields(headers: ["X-Sign"]) }
}
