import Foundation

/// Which failures are retried, how often and after what delay.
///
/// ```swift
/// var policy = RetryPolicy.standard
/// policy.attempts = 5                        // including the first
/// policy.statuses.remove(500)
/// ```
///
/// The delay is random between 0 and ``base``, doubled with each attempt up to ``cap``: exponential backoff
/// with full jitter (Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015). The
/// `Retry-After` of a response (RFC 9110 section 10.2.3) is the minimum delay.
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

extension RetryPolicy {
    /// Returns the delay before the next attempt.
    /// - Parameters:
    ///   - attempt: The number of the failed attempt, starting with 1.
    ///   - elapsed: The seconds since the start of the call.
    ///   - now: The reference date for a `Retry-After` date.
    ///   - random: Returns a random number in 0..<1.
    /// - Returns: The delay in seconds; `nil` to report the failure.
    func delay(
        after error: APIError, method: HTTPMethod, attempt: Int, elapsed: TimeInterval, now: Date,
        random: () -> Double
    ) -> TimeInterval? {
        guard attempt < attempts, retriesUnsafeMethods || method.isIdempotent, isRetryable(error.kind) else {
            return nil
        }
        let jitter = backOff(after: attempt) * min(max(random(), 0), 1)
        let seconds = max(jitter, RetryAfter.seconds(in: error.response?.headers, now: now) ?? 0)
        return elapsed + seconds <= total ? seconds : nil
    }

    private func backOff(after attempt: Int) -> TimeInterval {
        // 0 × infinity is NaN.
        guard base > 0, cap > 0 else { return 0 }
        return min(cap, base * pow(2, Double(max(attempt, 1) - 1)))
    }

    private func isRetryable(_ kind: APIError.Kind) -> Bool {
        switch kind {
        case .http(let status): statuses.contains(status)
        case .timedOut, .notReachable: true
        case .transport(let error): isRetryable(error.kind)
        case .vetoed, .invalidParams, .serviceNotRegistered, .serviceCycle, .degraded, .invalidRequest,
            .cancelled, .transfer, .business, .decoding, .invalidResponse, .refreshFailed, .loginRequired,
            .loginFailed, .loginCancelled, .intercepted:
            false
        }
    }

    private func isRetryable(_ kind: TransportError.Kind) -> Bool {
        switch kind {
        case .notConnectedToInternet, .cannotFindHost, .cannotConnect, .connectionLost, .timedOut,
            .secureConnectionFailed:
            true
        case .cancelled, .serverCertificateUntrusted, .publicKeyNotPinned, .clientCertificateRejected,
            .bodyUnavailable, .badResponse, .responseTooLarge, .redirectRefused, .plainHTTPRefused,
            .unsupported,
            .unknown:
            false
        }
    }
}
