import DiscreteNetworkingTesting
import Foundation

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingTransfers

extension ServiceIdentifier {
    static let test: Self = "test"
    static let other: Self = "other"
    static let nobody: Self = "nobody"
}

/// A service whose every member a test may set.
final class TestService: Service {
    struct Rules: Sendable {
        var baseURL = URL(string: "https://api.example.com")!
        var extraParams: Params = [:]
        var paramPrecedence = ParamPrecedence.manager
        /// `nil` for the default.
        var userMessage: (@Sendable (APIError, [String]) -> String)?
        var extraHeaders: [String: String] = [:]
        var envelope: Envelope?
        var timeout: TimeInterval = 20
        var deadline: TimeInterval?
        var sharing = false
        var sizeLimit = 64 * 1024 * 1024
        var retryLimit: Int?
        var redirects = RedirectPolicy.follow
        var plainHTTPHosts: Set<String> = []
        var signer: (any RequestSigner)?
        var transform: (@Sendable (APICall) -> (any BodyTransform)?)?
        var varying = VaryingFields.none
        var credential: HTTPCredential?
        var adapt: @Sendable (inout APIRequest, APICall) async throws -> Void = { _, _ in }
        /// `nil` for the default, which asks the session.
        var intercept: (@Sendable (FailureContext) async -> FailureDisposition)?
        var session: TokenSession?
        var cookies: CookieJar?
        var csrf: CSRFProtection?
        var transport: (any Transport)?
        var failover: FailoverPolicy?
        var limit: Int?
        var rate: RateLimit?
        var keyLocation = IdempotencyKeyLocation.standard
        var compression = RequestCompression.off
        var priority = CallPriority.normal
        var retry = RetryPolicy.never
        var breaker: CircuitBreakerPolicy?
        /// `nil` for the default.
        var user: String?
        var cacheVersion = ""
        var decoder = Params.makeDecoder()
        /// `nil` for the default.
        var problem: (@Sendable (FailureContext) -> SessionProblem?)?
    }

    let rules: Locked<Rules>
    /// How often it was asked for ``cacheIdentity(for:)``.
    let identities = Locked(0)

    convenience init() { self.init { _ in } }

    init(_ change: (inout Rules) -> Void) {
        var rules = Rules()
        change(&rules)
        self.rules = Locked(rules)
    }

    var configuration: ServiceConfiguration {
        let rules = rules.current
        return ServiceConfiguration(
            timeout: rules.timeout, deadline: rules.deadline, transport: rules.transport,
            failover: rules.failover, plainHTTPHosts: rules.plainHTTPHosts, concurrencyLimit: rules.limit,
            rateLimit: rules.rate, sharesIdenticalRequests: rules.sharing,
            responseSizeLimit: rules.sizeLimit, session: rules.session, cookies: rules.cookies,
            csrf: rules.csrf,
            paramPrecedence: rules.paramPrecedence, idempotencyKeyLocation: rules.keyLocation,
            requestCompression: rules.compression, jsonDecoder: rules.decoder,
            cacheVersion: rules.cacheVersion)
    }
    var baseURL: URL { rules.current.baseURL }
    func varyingFields(for call: APICall) -> VaryingFields { rules.current.varying }
    func credential(for call: APICall) -> HTTPCredential? { rules.current.credential }
    func signer(for call: APICall) -> (any RequestSigner)? { rules.current.signer }
    func bodyTransform(for call: APICall) -> (any BodyTransform)? { rules.current.transform?(call) }
    func extraParams(for call: APICall) -> Params { rules.current.extraParams }
    func userMessage(for error: APIError, languages: [String]) -> String {
        rules.current.userMessage?(error, languages)
            ?? UserMessages.standard.message(for: error, in: languages)
    }
    func extraHeaders(for call: APICall) -> [String: String] { rules.current.extraHeaders }
    func envelope(for call: APICall) -> Envelope? { rules.current.envelope }
    func redirectPolicy(for call: APICall) -> RedirectPolicy { rules.current.redirects }
    func adapt(_ request: inout APIRequest, for call: APICall) async throws {
        try await rules.current.adapt(&request, call)
    }
    func intercept(_ failure: FailureContext) async -> FailureDisposition {
        let rules = rules.current
        let disposition = await rules.intercept?(failure) ?? .report
        guard case .retry(let seconds, _) = disposition, let limit = rules.retryLimit else {
            return disposition
        }
        return .retry(after: seconds, limit: limit)
    }
    func priority(for call: APICall) -> CallPriority { rules.current.priority }
    func retryPolicy(for call: APICall) -> RetryPolicy { rules.current.retry }
    func circuitBreakerPolicy(for call: APICall) -> CircuitBreakerPolicy? { rules.current.breaker }
    func cacheIdentity(for call: APICall) -> String {
        identities.withLock { $0 += 1 }
        return rules.current.user ?? ""
    }
    func sessionProblem(in failure: FailureContext) -> SessionProblem? {
        guard let problem = rules.current.problem else {
            return SessionProblem.byChallenge(failure) ?? SessionProblem.byStatus(failure)
        }
        return problem(failure)
    }
}

/// A proxy with one service of its own.
struct Stack {
    let proxy: ApiProxy
    let service: TestService
    let clock = TestClock()
    let reachability: ManualReachability

    /// - Parameters:
    ///   - disk: in place of a cache that keeps nothing.
    ///   - random: the part of each pause between retries that is waited.
    init(
        _ transport: any Transport, disk: any ResponseCache = NoCache(),
        random: @autoclosure @escaping @Sendable () -> Double = 1,
        _ change: (inout TestService.Rules) -> Void = { _ in }
    ) {
        let services = ServiceFactory { _ in }
        let service = TestService(change)
        services.register([.test: { service }])
        self.service = service
        let reachability = ManualReachability()
        self.reachability = reachability
        proxy = ApiProxy(
            transport: transport, services: services, caches: CacheTiers(disk: disk),
            reachability: reachability, clock: clock, random: random)
    }

    /// Changes the service, whose configuration is read anew.
    func change(_ change: (inout TestService.Rules) -> Void) {
        service.rules.withLock { change(&$0) }
        proxy.services.register([.test: { [service] in service }])
    }

    func observed(by observer: any APICallObserver) -> Stack {
        proxy.addObserver(observer)
        return self
    }

    @MainActor
    func manager<Manager: BaseAPIManager>(_ make: @autoclosure () -> Manager) -> Manager {
        let manager = make()
        manager.proxy = proxy
        return manager
    }
}

struct NoCache: ResponseCache {
    func response(for key: CacheKey) -> CachedResponse? { nil }
    func store(_ response: CachedResponse, for key: CacheKey) {}
    func remove(_ scope: CacheScope) {}
}

struct Product: Decodable, Sendable, Equatable {
    let id: Int
    let name: String
}

/// A manager whose every member a test may set.
final class TestManager<Output: Decodable & Sendable>: APIManager<Output> {
    var serviceIdentifier = ServiceIdentifier.test
    var methodName = "products/detail"
    var requestType = HTTPMethod.get
    var policy = LoadPolicy.concurrent
    var ownTimeout: TimeInterval?
    var ownDeadline: TimeInterval?
    override var deadline: TimeInterval? { ownDeadline }
    var ownHeaders: [String: String] = [:]
    var sharing: Bool?
    var ownSessionUse = true
    var needsLogin = false
    var ownCache = CachePolicy.none
    var ownRetry: RetryPolicy?
    var ownLimit: Int?
    var ownRate: RateLimit?
    override var rateLimit: RateLimit? { ownRate }
    var ownKey: ((Params) -> IdempotencyKey?)?
    override func idempotencyKey(with params: Params) -> IdempotencyKey? { ownKey?(params) }
    var ownCompression: RequestCompression?
    override var requestCompression: RequestCompression? { ownCompression }
    var ownPriority: CallPriority?
    var ownNetwork = NetworkPolicy.any
    var ownEncoding: (any ParamEncoding)?
    var ownResponseRules = ResponseRules()
    override var responseRules: ResponseRules { ownResponseRules }
    var ownTransform: (any BodyTransform)?
    override var bodyTransform: (any BodyTransform)? { ownTransform }
    var ownSample: SampleResponse?
    override var sample: SampleResponse? { ownSample }
    var ownDownload: Download?
    override var download: Download? { ownDownload }
    override var usesSession: Bool { ownSessionUse }
    override var requiresLogin: Bool { needsLogin }
    override var cachePolicy: CachePolicy { ownCache }
    override var retryPolicy: RetryPolicy? { ownRetry }
    override var concurrencyLimit: Int? { ownLimit }
    override var priority: CallPriority? { ownPriority }
    override var networkPolicy: NetworkPolicy { ownNetwork }
    override var loadPolicy: LoadPolicy { policy }
    override var timeout: TimeInterval? { ownTimeout }
    override var headers: [String: String] { ownHeaders }
    override var encoding: (any ParamEncoding)? { ownEncoding }
    override var sharesIdenticalRequests: Bool? { sharing }
}

typealias ProductManager = TestManager<Product>

/// A delegate that writes down what it is told.
@MainActor
final class Screen: APIManagerDelegate, APIManagerParamSource {
    var params: Params = ["id": 7]
    var events: [String] = []
    func params(for manager: BaseAPIManager) -> Params { params }
    func managerDidSucceed(_ manager: BaseAPIManager) { events.append("success") }
    func managerDidFail(_ manager: BaseAPIManager) { events.append("failure") }
}

extension Result where Failure == APIError {
    var kind: APIError.Kind? { if case .failure(let error) = self { error.kind } else { nil } }
}

/// The error that a call throws.
@MainActor
func failure<Output>(
    _ manager: TypedAPIManager<Output>, with params: Params? = nil, ignoringCache: Bool = false
) async -> APIError? {
    do throws(APIError) {
        _ = try await manager.load(with: params, ignoringCache: ignoringCache)
        return nil
    } catch {
        return error
    }
}

let teapot = #"{"id":7,"name":"青花瓷茶壶"}"#
