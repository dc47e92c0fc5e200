public import Foundation

/// Other hosts of a backend, which take over when its first one fails.
///
/// ```swift
/// final class ShopService: Service {
///     let baseURL = URL(string: "https://a.example.com/api")!
///     let configuration = ServiceConfiguration(
///         failover: FailoverPolicy(to: [
///             URL(string: "https://b.example.com/api")!,
///             URL(string: "https://c.example.com/api")!,
///         ]))
/// }
/// ```
///
/// All hosts serve the same resources to the same users. Tokens, signatures and cookies are made for the host that a
/// request goes to. A cached response of one host is used for all hosts. An attempt goes to the first host that works.
/// If the connection is refused, or the name is not found, nothing was sent and the call goes on with the next host. If
/// the connection is lost or the timeout is exceeded, only an idempotent call goes on (RFC 9110 section 9.2.2). Other
/// calls fail, and later calls go to the next host. A response with any status comes from a host that works.
///
/// A call tries each host once, and a host that refused the connection once more. Each attempt has the whole
/// ``ServiceConfiguration/timeout``. Only a failure of the last host counts for the ``CircuitBreakerPolicy``, is
/// retried by the ``RetryPolicy``, and is passed to ``Service/intercept(_:)``.
///
/// The initializer is in `DiscreteNetworkingResilience`.
public struct FailoverPolicy: Policy, Hashable {
    /// The base URLs of the other hosts, in order: scheme, host, and optionally port and path. They take the place of
    /// ``Service/baseURL`` at the beginning of a call's URL. Cleartext hosts must be in ``ServiceConfiguration/plainHTTPHosts``.
    public var hosts: [URL]
    /// How long a host that failed is avoided, in seconds. Then one call is sent to it, or ``healthCheck``; the others
    /// follow once it has responded.
    public var pause: TimeInterval
    /// The path, relative to the host's base URL, of a GET request that must succeed before calls are sent to a host
    /// that failed. It carries no token and is not signed. `nil`: a call is sent at the risk that it has to fail over.
    public var healthCheck: String?
    package let machinery: Machinery

    package init(hosts: [URL], pause: TimeInterval, healthCheck: String?, machinery: Machinery) {
        self.hosts = hosts
        self.pause = pause
        self.healthCheck = healthCheck
        self.machinery = machinery
    }
}
