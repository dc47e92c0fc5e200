import DiscreteNetworking
import Foundation

extension ServiceIdentifier { static let shop: Self = "shop" }

final class ShopService: Service {
    let address = Locked(URL(string: "https://shop.example.com")!)
    var baseURL: URL { address.current }
    var apiVersion: String? { "v1" }

    let configuration = ServiceConfiguration(
        session: TokenSession { tokens, proxy in
            let manager = RefreshManager()
            manager.proxy = proxy
            return SessionTokens(try await manager.load(with: ["refresh_token": tokens.refreshToken]))
        })

    func sessionProblem(in failure: FailureContext) -> SessionProblem? {
        SessionProblem.byBody(failure, at: "code", [4010: .expired])
    }

    func extraParams(for call: APICall) -> Params { ["client": "tutorial"] }

    func envelope(for call: APICall) -> Envelope? {
        Envelope(code: "code", success: [0], message: "msg", payload: "content")
    }
}
