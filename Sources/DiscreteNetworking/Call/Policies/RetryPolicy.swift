import Foundation

/// Which failures are tried again, how often and after how long.
///
/// ```swift
/// var policy = RetryPolicy.standard
/// policy.attempts = 5                        // the first included
/// policy.statuses.remove(500)
/// ```
///
/// The wait is a random time between 0 and `base`, doubled with each attempt up to `cap`: exponential back-off
/// with full jitter, which spreads best what many clients send after a common failure (Brooker, "Exponential
/// Backoff And Jitter", AWS Architecture Blog, 2015). A response's `Retry-After` (RFC 9110 section 10.2.3) is
/// the least wait.
///
/// Of failures without a response these are tried again: the answer did not come in time, there is no network,
/// and on the wire ``TransportError/Kind/cannotFindHost``, ``TransportError/Kind/cannotConnect``,
/// ``TransportError/Kind/connectionLost`` and ``TransportError/Kind/secureConnectionFailed``. All others would
/// most likely fail again in the same way, such as a certificate that is not trusted.
public struct RetryPolicy: Sendable, Hashable {
    /// How often the request is sent at most, the first time included; 1 for no retry.
    public var attempts: Int
    /// Seconds that the wait after the first attempt stays below.
    public var base: TimeInterval
    /// Seconds that no wait exceeds, but for one that the server asks for by `Retry-After`.
    public var cap: TimeInterval
    /// Seconds from the start of the call after which no attempt begins; `.infinity` for no limit.
    public var total: TimeInterval
    /// The statuses of responses that are tried again.
    public var statuses: Set<Int>
    /// Whether methods are sent again too for which twice is not the same as once, such as POST and PATCH. Only
    /// for endpoints that recognise a repeated request (RFC 9110 section 9.2.2).
    public var retriesUnsafeMethods: Bool

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

    /// Every failure is reported.
    public static let never = RetryPolicy(attempts: 1)
    /// Three attempts within 60 seconds; waits below 0.5 and 1 seconds.
    public static let standard = RetryPolicy()
}

extension RetryPolicy {
    /// How long to wait before the next attempt.
    /// - Parameters:
    ///   - attempt: the one that failed; 1 for the first.
    ///   - elapsed: seconds since the call began.
    ///   - now: what a `Retry-After` with a date is measured from.
    ///   - random: a number in 0..<1.
    /// - Returns: seconds; `nil` where the failure is to be reported.
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
        // Nothing times infinity is not a number.
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
