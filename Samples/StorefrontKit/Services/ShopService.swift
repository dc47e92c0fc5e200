import DiscreteNetworking
import Foundation

extension ServiceIdentifier {
    static let shop: Self = "shop"
}

/// What all endpoints of the shop's backend share. No manager repeats any of it.
final class ShopService: EnvironmentService {
    let environment = EnvironmentSwitch(ServiceEnvironment.release)
    /// Who is logged in, for all endpoints.
    private let customer = TokenSession { tokens, proxy in
        let manager = RefreshManager()
        manager.proxy = proxy
        return try await manager.load(with: ["refreshToken": tokens.refreshToken]).tokens
    }

    /// Read once for each environment.
    var configuration: ServiceConfiguration {
        ServiceConfiguration(
            timeout: 10,
            // Only a server on the developer's own network is reached by plain HTTP.
            plainHTTPHosts: environment.current == .develop
                ? Set([developURL.current.host].compactMap(\.self)) : [],
            session: customer)
    }

    /// The server on the developer's own desk, which `--base-url` names.
    let developURL = Locked(URL(string: "http://127.0.0.1:8080/api")!)

    func endpoint(in environment: ServiceEnvironment) -> ServiceEndpoint {
        switch environment {
        case .develop:
            ServiceEndpoint(baseURL: developURL.current, apiVersion: "v3")
        case .releaseCandidate:
            ServiceEndpoint(baseURL: URL(string: "https://rc.shop.example.com/api")!, apiVersion: "v3")
        case .release:
            ServiceEndpoint(baseURL: URL(string: "https://shop.example.com/api")!, apiVersion: "v3")
        }
    }

    func useServer(at url: URL) {
        developURL.current = url.appendingPathComponent("api")
        environment.current = .develop
    }

    /// Each call says which client it comes from.
    func extraParams(for call: APICall) -> Params { ["cid": "000001"] }

    /// `{"code":0,"msg":"","content":{…}}`
    func envelope(for call: APICall) -> Envelope? {
        Envelope(code: "code", success: [0], message: "msg", payload: "content")
    }

    /// The shop tells by its business code what it has against a token.
    func sessionProblem(in failure: FailureContext) -> SessionProblem? {
        SessionProblem.byBody(
            failure, at: "code", [ShopCode.expiredToken: .expired, ShopCode.unauthorized: .invalid])
    }

    /// What others say is nice to have: where it keeps failing, the shop is spared.
    func circuitBreakerPolicy(for call: APICall) -> CircuitBreakerPolicy? {
        call.methodName.hasSuffix("/reviews") ? CircuitBreakerPolicy(threshold: 2) : nil
    }
}
