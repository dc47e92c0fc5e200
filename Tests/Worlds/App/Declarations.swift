import DiscreteNetworking
import Foundation

// What an app declares is in force, or it is told.

extension ServiceIdentifier { static let depot: Self = "depot" }

/// One whose members look right and are none of the protocol's.
final class MistakenService: Service {
    let baseURL = URL(string: "https://depot.example.com")!
    let session = TokenSession()
    let transport = PlatformTransport.make(tls: TLSPolicy(minimumVersion: .tls13))
    let cookies = CookieJar()
    let concurrencyLimit = 4
    let apiVersion = "v3"
    let timeout = 5
    let failover = FailoverPolicy(to: [])
    let cacheVersion = 2
}

/// One that says all of it where it belongs.
final class DepotService: Service {
    let baseURL = URL(string: "https://depot.example.com")!
    let apiVersion: String? = "v3"
    let configuration: ServiceConfiguration

    convenience init() { self.init(login: nil) }

    init(login: (any SessionLogin)?) {
        let session = TokenSession(login: login) { tokens, proxy in
            let manager = DepotTokenManager()
            manager.proxy = proxy
            return SessionTokens(try await manager.load(with: ["refresh_token": tokens.refreshToken]))
        }
        var configuration = ServiceConfiguration(timeout: 5, session: session, cookies: CookieJar())
        configuration.concurrencyLimit = 4
        configuration.defaultHeaders["X-App"] = "worlds"
        self.configuration = configuration
    }
}

final class DepotTokenManager: APIManager<TokenResponse> {
    let serviceIdentifier = ServiceIdentifier.depot
    let methodName = "token"
    let requestType = HTTPMethod.post
    override var usesSession: Bool { false }
}

final class ParcelManager: APIManager<JSONValue> {
    let serviceIdentifier = ServiceIdentifier.depot
    let methodName = "parcels"
    let requestType = HTTPMethod.get
}

/// A login that counts how often it is asked for.
@MainActor
final class DepotLogin: SessionLogin {
    private(set) var asked = 0

    func logIn(to session: TokenSession) async -> LoginOutcome {
        asked += 1
        return .loggedIn(SessionTokens(accessToken: "fresh", refreshToken: "r2"))
    }
}

/// One whose backend requires a CSRF token, and a nonce from another endpoint.
final class FormService: Service {
    let baseURL = URL(string: "https://forms.example.com")!
    let configuration = ServiceConfiguration(
        cookies: CookieJar(),
        csrf: CSRFProtection(endpoint: "csrf", at: "result", header: "X-CSRFToken"))

    func adapt(_ request: inout APIRequest, for call: APICall) async throws {
        guard call.managerType == FormManager.self else { return }
        request.headers["X-Nonce"] = try await NonceManager().load()["nonce"].string
    }
    func varyingFields(for call: APICall) -> VaryingFields { VaryingFields(headers: ["X-Nonce"]) }
}

final class FormManager: APIManager<JSONValue> {
    let serviceIdentifier = ServiceIdentifier.depot
    let methodName = "forms"
    let requestType = HTTPMethod.post
}

final class NonceManager: APIManager<JSONValue> {
    let serviceIdentifier = ServiceIdentifier.depot
    let methodName = "nonce"
    let requestType = HTTPMethod.get
}

/// Makes every request unique, and says so.
nonisolated struct Traces: APIPlugin {
    let isDeclared: Bool
    func adapt(_ request: inout APIRequest, for call: APICall) async throws {
        request.headers["X-Trace"] = UUID().uuidString
    }
    var varyingFields: VaryingFields { isDeclared ? VaryingFields(headers: ["X-Trace"]) : .none }
}

final class CachedParcelManager: APIManager<JSONValue> {
    let serviceIdentifier = ServiceIdentifier.depot
    let methodName = "parcels"
    let requestType = HTTPMethod.get
    override var cachePolicy: CachePolicy { .memory }
}

/// Keeps the reasons for which caches were of no use.
nonisolated final class Misses: APICallObserver {
    let texts = Locked<[String]>([])
    func observe(_ event: APICallEvent) {
        if case .notInCache(let reason) = event.kind { texts.withLock { $0.append(reason.description) } }
    }
}

/// The app's own names do not clash with the framework's.
extension String { nonisolated static let empty = "" }
