import DiscreteNetworking
import Foundation
import LoopbackServer

extension Stage {
    /// The seal of this environment's bodies; another environment cannot open them.
    var seal: Seal { Seal(key: self == .live ? 0x31 : 0x72) }
}

/// The backend of one environment, where everything goes wrong now and then: two hosts that count what was written, and
/// record what belongs to the other environment.
final class SoakBackend: Sendable {
    struct Book: Sendable {
        /// What belongs to the other environment, or does not keep the rules of this service.
        var wrongs: [String] = []
        var requests = 0
        var token = 1
        var refreshes = 0
        /// How often each write was applied.
        var applied: [Int: Int] = [:]
    }

    let stage: Stage
    let servers: [LoopbackServer]
    let book: Locked<Book>

    init(_ stage: Stage) throws {
        self.stage = stage
        let book = Locked(Book())
        self.book = book
        servers = try (0..<2).map { host in
            try LoopbackServer { request in
                let response = Self.respond(to: request, host: host, stage, book)
                guard response.fault == nil, case .data(let plain) = response.body else { return response }
                var sealed = response
                sealed.body = .data(stage.seal.seal(plain))
                return sealed
            }
        }
    }

    var hosts: [URL] { servers.map(\.baseURL) }
    func stop() { for server in servers { server.stop() } }

    private static func respond(
        to request: LoopbackRequest, host: Int, _ stage: Stage, _ book: Locked<Book>
    ) -> LoopbackResponse {
        let (number, token) = book.withLock { book -> (Int, Int) in
            book.requests += 1
            if book.requests.isMultiple(of: 150) { book.token += 1 }
            book.wrongs += wrongs(in: request, at: stage)
            return (book.requests, book.token)
        }
        if request.path.hasSuffix("/token") {
            book.withLock { $0.refreshes += 1 }
            return .json(
                #"{"access_token":"\#(stage)-\#(token)","refresh_token":"\#(stage)-refresh","token_type":"bearer"}"#
            )
        }
        if host == 0, number.isMultiple(of: 37) { return .fault(.reset) }
        if number.isMultiple(of: 41) { return .json("{}", status: 503) }
        if request.header("Authorization") != "Bearer \(stage)-\(token)" { return .json("{}", status: 401) }
        if request.path.hasSuffix("/gone") { return .json("{}", status: 410) }
        if request.method == "POST" {
            guard let plain = try? stage.seal.open(request.body),
                let write = try? JSONDecoder().decode(SoakWrite.self, from: plain)
            else {
                book.withLock {
                    $0.wrongs.append("\(stage) cannot open a body of \(request.bodyCount) bytes")
                }
                return .json("{}", status: 400)
            }
            book.withLock { $0.applied[write.number, default: 0] += 1 }
            // Applied, and the caller is never told.
            if number.isMultiple(of: 29) { return .fault(.close) }
        }
        return .json(#"{"stage":"\#(stage)"}"#).adding("Set-Cookie", "stage=\(stage)-\(number); Path=/")
            .adding("Cache-Control", "max-age=60")
    }

    private static func wrongs(in request: LoopbackRequest, at stage: Stage) -> [String] {
        var found: [String] = []
        for name in ["Authorization", "Cookie", "X-Stage", "X-Key"] {
            if let value = request.header(name), !value.contains(stage.rawValue) {
                found.append("\(stage) \(request.path): \(name): \(value)")
            }
        }
        let other = Stage.allCases.first { $0 != stage }!.rawValue
        if request.target.contains(other) { found.append("\(stage) \(request.target)") }
        if request.header("X-Plugin") != "1" { found.append("\(request.path) without the plugin's field") }
        return found
    }
}

/// The body of a write.
struct SoakWrite: Codable { let number: Int }

/// A service with everything: environments, sessions, cookies, sealed bodies, fail-over, a limit, retries, a breaker.
final class SoakService: EnvironmentService {
    let environment = EnvironmentSwitch(Stage.live)
    let endpoints: [Stage: ServiceEndpoint]

    convenience init() { self.init(hosts: [:]) }

    init(hosts: [Stage: [URL]]) {
        endpoints = Dictionary(
            uniqueKeysWithValues: hosts.map { stage, hosts in
                let endpoint = ServiceEndpoint(
                    baseURL: hosts[0], apiVersion: stage.rawValue,
                    keys: ["key": SigningKey("\(stage)-key")],
                    failover: FailoverPolicy(to: Array(hosts.dropFirst()), pause: 0))
                return (stage, endpoint)
            })
    }

    func endpoint(in stage: Stage) -> ServiceEndpoint { endpoints[stage]! }

    var configuration: ServiceConfiguration {
        let stage = environment.current
        var configuration = ServiceConfiguration()
        configuration.failover = endpoint.failover
        configuration.concurrencyLimit = 24
        configuration.sharesIdenticalRequests = true
        configuration.cookies = CookieJar()
        let session = TokenSession(policy: RefreshPolicy(ahead: 5)) { tokens, proxy in
            let manager = StagedTokenManager()
            manager.proxy = proxy
            return SessionTokens(try await manager.load(with: ["refresh_token": tokens.refreshToken]))
        }
        session.adopt(SessionTokens(accessToken: "\(stage)-1", refreshToken: "\(stage)-refresh"))
        configuration.session = session
        return configuration
    }

    func extraHeaders(for call: APICall) -> [String: String] { ["X-Stage": environment.current.rawValue] }
    func bodyTransform(for call: APICall) -> (any BodyTransform)? {
        SealedBodies(environment.current.seal)
    }
    func adapt(_ request: inout APIRequest, for call: APICall) async throws {
        await Task.yield()
        request.headers["X-Key"] = endpoint.keys["key"].map { String(decoding: $0.data, as: UTF8.self) }
    }
    func retryPolicy(for call: APICall) -> RetryPolicy {
        RetryPolicy(attempts: 8, base: 0, total: .infinity, statuses: [503])
    }
    func circuitBreakerPolicy(for call: APICall) -> CircuitBreakerPolicy? {
        CircuitBreakerPolicy(threshold: 1000, ratio: 0.9, openDuration: 0.05)
    }
}

/// Adds a field, suspends at each step, and answers for what is gone.
struct SoakPlugin: APIPlugin {
    func adapt(_ request: inout APIRequest, for call: APICall) async throws {
        await Task.yield()
        request.headers["X-Plugin"] = "1"
    }
    func process(_ response: inout APIResponse, for call: APICall) async throws { await Task.yield() }
    func recover(from failure: FailureContext) async -> (any Sendable)? {
        failure.error.kind == .http(status: 410) ? StagedOutput(stage: "recovered") : nil
    }
}
