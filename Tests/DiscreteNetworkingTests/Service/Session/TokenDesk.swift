import Foundation

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

/// The backend's side of tokens: issues them, makes them expire, and judges requests. Counts what it sees.
final class TokenDesk: Sendable {
    struct Book: Sendable {
        var good: Set<String> = []
        var expired: Set<String> = []
        var issued = 0
        var refreshes = 0
        /// Requests by path, but for those of refreshes.
        var visits: [String: Int] = [:]
    }

    let book = Locked(Book())

    /// A new token, good until ``expire()`` or ``revoke()``.
    func issue() -> String {
        book.withLock { book in
            book.issued += 1
            let token = "token-\(book.issued)"
            book.good.insert(token)
            return token
        }
    }

    func tokens(expiry: Date? = nil) -> SessionTokens {
        let token = issue()
        return SessionTokens(accessToken: token, refreshToken: "refresh-\(token)", expiry: expiry)
    }

    /// All tokens so far are expired.
    func expire() {
        book.withLock { book in
            book.expired.formUnion(book.good)
            book.good = []
        }
    }

    /// All tokens so far are invalid.
    func revoke() {
        book.withLock { book in
            book.good = []
            book.expired = []
        }
    }

    /// A refresh: the tokens as RFC 6749 section 5.1 writes them.
    func refreshed() -> String {
        book.withLock { $0.refreshes += 1 }
        return #"{"access_token":"\#(issue())","token_type":"bearer","expires_in":3600}"#
    }

    /// What a request with a token gets.
    func judge(_ path: String, _ authorization: String?) -> (status: Int, json: String) {
        book.withLock { book in
            book.visits[path, default: 0] += 1
            guard let token = authorization?.dropFirst("Bearer ".count).description else {
                return (401, #"{"id":"no_permission_for_this_api"}"#)
            }
            if book.good.contains(token) { return (200, teapot) }
            return (401, #"{"id":"\#(book.expired.contains(token) ? "expired" : "illegal")_access_token"}"#)
        }
    }

    func answer(_ request: APIRequest) -> TransportResponse {
        if request.url.path.hasSuffix("/token") { return TransportResponse(request, json: refreshed()) }
        let (status, json) = judge(request.url.lastPathComponent, request.headers["Authorization"])
        return TransportResponse(request, json: json, status: status)
    }
}

/// The manager that a session refreshes with.
final class RefreshManager: APIManager<TokenResponse> {
    let serviceIdentifier = ServiceIdentifier.test
    let methodName = "token"
    let requestType = HTTPMethod.post
    override var usesSession: Bool { false }
}

/// A user who answers as told, and counts how often.
@MainActor
final class LoginStub: SessionLogin {
    private(set) var logins = 0
    private(set) var logouts = 0
    private(set) var most = 0
    private var running = 0
    private let answer: @MainActor @Sendable (TokenSession) async -> LoginOutcome

    init(_ answer: @escaping @MainActor @Sendable (TokenSession) async -> LoginOutcome) {
        self.answer = answer
    }

    func logIn(to session: TokenSession) async -> LoginOutcome {
        logins += 1
        running += 1
        most = max(most, running)
        defer { running -= 1 }
        return await answer(session)
    }

    func logOut(from session: TokenSession) async { logouts += 1 }
}

extension TokenSession {
    /// The refresh of an app: one manager, one call.
    static let standardRefresh: Refresh = { tokens, proxy in
        let manager = RefreshManager()
        manager.proxy = proxy
        return SessionTokens(try await manager.load(with: ["refresh_token": tokens.refreshToken]))
    }

    /// How many calls wait.
    var waiting: Int { state.withLock { $0.renewal?.waiters.count ?? 0 } }
    /// Whether a refresh or a login is on its way.
    var isRenewing: Bool { state.withLock { $0.renewal != nil } }
}

/// A service with a session over a backend that knows tokens.
struct SessionStack {
    let desk = TokenDesk()
    let session: TokenSession
    let transport: ClosureTransport
    let stack: Stack

    /// - Parameter answer: what the wire does, instead of asking the desk.
    init(
        _ session: TokenSession = TokenSession(refresh: TokenSession.standardRefresh),
        isLoggedIn: Bool = true, disk: any ResponseCache = NoCache(),
        answer: (@Sendable (APIRequest, TokenDesk) async throws -> TransportResponse)? = nil
    ) {
        self.session = session
        let desk = desk
        transport = ClosureTransport { request in try await answer?(request, desk) ?? desk.answer(request) }
        stack = Stack(transport, disk: disk) { rules in
            rules.session = session
            rules.problem = { SessionProblem.byBody($0, at: "id") }
        }
        if isLoggedIn { session.adopt(desk.tokens()) }
    }

    @MainActor
    func manager(_ name: String = "products") -> ProductManager {
        let manager = stack.manager(ProductManager())
        manager.methodName = name
        return manager
    }

    /// Starts so many calls at once, each with a manager and a path of its own.
    @MainActor
    func start(_ count: Int) -> [Task<APIError.Kind?, Never>] {
        (0..<count).map { number in
            let manager = manager("item\(number)")
            return Task { await failure(manager)?.kind }
        }
    }

    var visits: [String: Int] { desk.book.current.visits }
    var refreshes: Int { desk.book.current.refreshes }
}

extension [Task<APIError.Kind?, Never>] {
    var values: [APIError.Kind?] {
        get async {
            var values: [APIError.Kind?] = []
            for task in self { values.append(await task.value) }
            return values
        }
    }
}
