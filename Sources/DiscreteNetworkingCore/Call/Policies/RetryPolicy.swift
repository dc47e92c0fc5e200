public import Foundation

/// Which failures are retried, how often and after what delay.
///
/// ```swift
/// var policy = RetryPolicy.standard
/// policy.attempts = 5                        // including the first
/// policy.statuses.remove(500)
/// ```
///
/// The delay is random between 0 and ``base``, doubled with each attempt up to ``cap``: exponential backoff with full
/// jitter (Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015). `Retry-After` of a response (RFC
/// 9110 section 10.2.3) is the minimum delay. If `Retry-After` is more than a day away, the failure is not retried,
/// regardless of ``total``.
///
/// Of failures without a response, these are retried: a timeout, a missing network,
/// ``TransportError/Kind/cannotFindHost``, ``TransportError/Kind/cannotConnect``,
/// ``TransportError/Kind/connectionLost`` and ``TransportError/Kind/secureConnectionFailed``. Others, such
/// as an untrusted certificate, would most likely fail again.
public struct RetryPolicy: Sendable, Hashable {
    /// The maximum number of attempts, including the first; 1 for no retry.
    public var attempts: Int
    /// The upper bound of the delay after the first attempt, in seconds.
    public var base: TimeInterval
    /// The upper bound of any delay, in seconds, except for `Retry-After`.
    public var cap: TimeInterval
    /// The time after the start of the call in which attempts may start, in seconds; `.infinity` for no
    /// limit.
    public var total: TimeInterval
    /// The status codes that are retried.
    public var statuses: Set<Int>
    /// Whether methods that are not idempotent, such as POST and PATCH, are retried. Only for endpoints
    /// that detect repeated requests (RFC 9110 section 9.2.2).
    public var retriesUnsafeMethods: Bool

    /// Creates a policy; see the properties for each value.
    public init(
        attempts: Int = 3, base: TimeInterval = 0.5, cap: TimeInterval = 30, total: TimeInterval = 60,
        statuses: Set<Int> = [408, 429, 500, 502, 503, 504], retriesUnsafeMethods: Bool = false
    ) {
        self.attempts = attempts
        self.base = base
        self.cap = cap
        self.total = total
        self.statuses = statuses
        self.retriesUnsafeMethods = retriesUnsafeMethods
    }

    /// No retries.
    public static let never = RetryPolicy(attempts: 1)
    /// Three attempts within 60 seconds, with delays of up to 0.5 and 1 seconds.
    public static let standard = RetryPolicy()
}
