import DiscreteNetworking
import Foundation
import LoopbackServer

/// The environments of ``StagedService``.
enum Stage: String, CaseIterable, Sendable { case staging, live }

/// The backend of one environment: two hosts, which record what belongs to the other environment.
final class StagedBackend: Sendable {
    private struct Book: Sendable {
        var crossings: [String] = []
        var requests = 0
        /// The number of the access token that is accepted; the backend makes it expire.
        var token = 1
        var refreshes = 0
    }

    let stage: Stage
    let servers: [LoopbackServer]
    private let book: Locked<Book>

    /// - Parameters:
    ///   - tokenLife: The number of requests after which the access token expires.
    ///   - refreshGate: Holds the response to a refresh.
    init(_ stage: Stage, tokenLife: Int = 150, refreshGate: LoopbackGate? = nil) throws {
        self.stage = stage
        let book = Locked(Book())
        self.book = book
        servers = try (0..<2).map { host in
            try LoopbackServer(keepsBodies: false) { request in
                let (number, token) = book.withLock { book -> (Int, Int) in
                    book.crossings += Self.crossings(in: request, at: stage)
                    book.requests += 1
                    if book.requests.isMultiple(of: tokenLife) { book.token += 1 }
                    return (book.requests, book.token)
                }
                if request.path.hasSuffix("/token") {
                    book.withLock { $0.refreshes += 1 }
                    let json =
                        #"{"access_token":"\#(stage)-\#(token)","refresh_token":"\#(stage)-refresh","token_type":"bearer"}"#
                    let response = LoopbackResponse.json(json)
                    return refreshGate.map { response.delayed(until: $0) } ?? response
                }
                if host == 0, number.isMultiple(of: 37) { return .fault(.reset) }
                if number.isMultiple(of: 41) { return .status(503) }
                if let sent = request.header("Authorization"), sent != "Bearer \(stage)-\(token)" {
                    return .status(401)
                }
                return .json(#"{"stage":"\#(stage)"}"#).adding("Set-Cookie", "stage=\(stage); Path=/")
                    .adding("Cache-Control", "max-age=60")
            }
        }
    }

    var hosts: [URL] { servers.map(\.baseURL) }
    var crossings: [String] { book.current.crossings }
    var requests: Int { book.current.requests }
    var refreshes: Int { book.current.refreshes }

    func stop() { for server in servers { server.stop() } }

    /// Returns the parts of a request that name another environment than the one that received it.
    private static func crossings(in request: LoopbackRequest, at stage: Stage) -> [String] {
        var found: [String] = []
        for name in ["Authorization", "Cookie", "X-Stage", "X-Key"] {
            if let value = request.header(name), !value.contains(stage.rawValue) {
                found.append("\(stage) \(request.path): \(name): \(value)")
            }
        }
        let other = Stage.allCases.first { $0 != stage }!.rawValue
        if request.target.contains(other) { found.append("\(stage) \(request.target)") }
        return found
    }
}

/// A service with two environments. Each has hosts, a session, cookies and a key of its own.
final class StagedService: EnvironmentService {
    let environment = EnvironmentSwitch(Stage.live)
    let hosts: [Stage: [URL]]
    let sessions: [Stage: TokenSession]
    let jars: [Stage: CookieJar]
    let limit: Int?
    let hasVersion: Bool
    let onAdapt = Locked<@Sendable () async -> Void>({})
    let intercepted = Locked<[Stage]>([])
    let sendsStage = Locked(true)
    let breaksCircuits = Locked(false)

    convenience init() { self.init(hosts: [:]) }

    init(hosts: [Stage: [URL]], limit: Int? = nil, hasVersion: Bool = true) {
        self.hosts = hosts
        self.limit = limit
        self.hasVersion = hasVersion
        sessions = Dictionary(
            uniqueKeysWithValues: Stage.allCases.map { stage in
                let session = TokenSession(policy: RefreshPolicy(ahead: 5)) { tokens, proxy in
                    let manager = StagedTokenManager()
                    manager.proxy = proxy
                    return SessionTokens(
                        try await manager.load(with: ["refresh_token": tokens.refreshToken]))
                }
                session.adopt(SessionTokens(accessToken: "\(stage)-1", refreshToken: "\(stage)-refresh"))
                return (stage, session)
            })
        jars = Dictionary(uniqueKeysWithValues: Stage.allCases.map { ($0, CookieJar()) })
    }

    func endpoint(in stage: Stage) -> ServiceEndpoint {
        let hosts = hosts[stage] ?? []
        return ServiceEndpoint(
            baseURL: hosts[0], apiVersion: hasVersion ? stage.rawValue : nil,
            keys: ["key": SigningKey("\(stage)-key")],
            failover: FailoverPolicy(to: Array(hosts.dropFirst()), pause: 0))
    }

    var configuration: ServiceConfiguration {
        ServiceConfiguration(
            concurrencyLimit: limit, session: sessions[environment.current],
            cookies: jars[environment.current])
    }
    func extraHeaders(for call: APICall) -> [String: String] {
        sendsStage.current ? ["X-Stage": environment.current.rawValue] : [:]
    }
    func adapt(_ request: inout APIRequest, for call: APICall) async throws {
        await Task.yield()
        await onAdapt.current()
        guard sendsStage.current else { return }
        request.headers["X-Key"] = endpoint.keys["key"].map { String(decoding: $0.data, as: UTF8.self) }
    }
    func retryPolicy(for call: APICall) -> RetryPolicy {
        RetryPolicy(attempts: 8, base: 0, total: .infinity, statuses: [503])
    }
    func intercept(_ failure: FailureContext) async -> FailureDisposition {
        intercepted.withLock { $0.append(environment.current) }
        return .report
    }
    func circuitBreakerPolicy(for call: APICall) -> CircuitBreakerPolicy? {
        breaksCircuits.current ? CircuitBreakerPolicy(threshold: 1) : nil
    }
}

/// The manager that the sessions of ``StagedService`` refresh with.
final class StagedTokenManager: APIManager<TokenResponse> {
    let serviceIdentifier = ServiceIdentifier.test
    let methodName = "token"
    let requestType = HTTPMethod.get
    override var usesSession: Bool { false }
}

/// The response of a ``StagedBackend``.
struct StagedOutput: Decodable, Sendable { let stage: String }

/// A call to a ``StagedBackend``.
final class StagedManager: APIManager<StagedOutput> {
    let serviceIdentifier = ServiceIdentifier.test
    let methodName = "items/{number}"
    let requestType = HTTPMethod.get
    let ownCache: CachePolicy
    init(cache: CachePolicy = .none) {
        ownCache = cache
        super.init()
    }
    override var cachePolicy: CachePolicy { ownCache }
}
