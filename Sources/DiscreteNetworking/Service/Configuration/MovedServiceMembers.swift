public import Foundation

/// Members of ``Service`` that are now properties of its ``ServiceConfiguration``, or have another name.
///
/// A service that still declares one of them is read as if its configuration had the value, until the next version. If
/// both have a value and the two differ, the calls of the service end with ``APIError/Kind/invalidService(reason:)``.
public protocol MovedServiceMembers {
    /// Moved to ``ServiceConfiguration/timeout``.
    var timeout: TimeInterval { get }
    /// Moved to ``ServiceConfiguration/transport``.
    var transport: (any Transport)? { get }
    /// Moved to ``ServiceConfiguration/failover``.
    var failover: FailoverPolicy? { get }
    /// Moved to ``ServiceConfiguration/plainHTTPHosts``.
    var plainHTTPHosts: Set<String> { get }
    /// Moved to ``ServiceConfiguration/concurrencyLimit``.
    var concurrencyLimit: Int? { get }
    /// Moved to ``ServiceConfiguration/sharesIdenticalRequests``.
    var sharesIdenticalRequests: Bool { get }
    /// Moved to ``ServiceConfiguration/responseSizeLimit``.
    var responseSizeLimit: Int { get }
    /// Moved to ``ServiceConfiguration/interceptedRetryLimit``.
    var retryLimit: Int { get }
    /// Moved to ``ServiceConfiguration/session``.
    var session: TokenSession? { get }
    /// Moved to ``ServiceConfiguration/cookies``.
    var cookies: CookieJar? { get }
    /// Moved to ``ServiceConfiguration/defaultHeaders``.
    var defaultHeaders: HTTPFields { get }
    /// Moved to ``ServiceConfiguration/paramPrecedence``.
    var paramPrecedence: ParamPrecedence { get }
    /// Moved to ``ServiceConfiguration/jsonEncoder``.
    var jsonEncoder: JSONEncoder { get }
    /// Moved to ``ServiceConfiguration/jsonEncoder`` and ``BaseAPIManager/encoder``.
    func jsonEncoder(for call: APICall) -> JSONEncoder
    /// Moved to ``ServiceConfiguration/jsonDecoder``.
    var jsonDecoder: JSONDecoder { get }
    /// Moved to ``ServiceConfiguration/jsonDecoder`` and ``ResponseRules/decoder``.
    func jsonDecoder(for call: APICall) -> JSONDecoder
    /// Moved to ``ServiceConfiguration/cacheVersion``.
    var cacheVersion: String { get }
    /// Renamed to ``Service/retryPolicy(for:)``.
    func retry(for call: APICall) -> RetryPolicy
    /// Renamed to ``Service/circuitBreakerPolicy(for:)``.
    func breaker(for call: APICall) -> CircuitBreakerPolicy?
}

extension Service {
    /// The configuration that is being checked, otherwise the service's configuration. While a service computes its
    /// configuration, the default values.
    private var declared: ServiceConfiguration {
        if let checked = ServiceConfiguration.checked { return checked.value }
        return ServiceConfiguration.$checked.withValue(Box(ServiceConfiguration())) { configuration }
    }

    // Disfavored, so that in a service with `let session = TokenSession()` the name means that property.

    @_disfavoredOverload public var timeout: TimeInterval { declared.timeout }
    @_disfavoredOverload public var transport: (any Transport)? { declared.transport }
    @_disfavoredOverload public var failover: FailoverPolicy? { declared.failover }
    @_disfavoredOverload public var plainHTTPHosts: Set<String> { declared.plainHTTPHosts }
    @_disfavoredOverload public var concurrencyLimit: Int? { declared.concurrencyLimit }
    @_disfavoredOverload public var sharesIdenticalRequests: Bool { declared.sharesIdenticalRequests }
    @_disfavoredOverload public var responseSizeLimit: Int { declared.responseSizeLimit }
    @_disfavoredOverload public var retryLimit: Int { declared.interceptedRetryLimit }
    @_disfavoredOverload public var session: TokenSession? { declared.session }
    @_disfavoredOverload public var cookies: CookieJar? { declared.cookies }
    @_disfavoredOverload public var defaultHeaders: HTTPFields { declared.defaultHeaders }
    @_disfavoredOverload public var paramPrecedence: ParamPrecedence { declared.paramPrecedence }
    @_disfavoredOverload public var jsonEncoder: JSONEncoder { declared.jsonEncoder }
    @_disfavoredOverload public var jsonDecoder: JSONDecoder { declared.jsonDecoder }
    @_disfavoredOverload public var cacheVersion: String { declared.cacheVersion }
}

extension ServiceConfiguration {
    /// The configuration of a service while its moved members are read.
    @TaskLocal static var checked: Box<ServiceConfiguration>?
}
