import Foundation

extension RetryPolicy {
    /// Returns the delay before the next attempt.
    /// - Parameters:
    ///   - isIdempotent: Whether sending the call again has the same effect as sending it once.
    ///   - attempt: The number of the failed attempt, starting with 1.
    ///   - elapsed: The seconds since the start of the call.
    ///   - now: The reference date for a `Retry-After` date.
    ///   - random: Returns a random number in 0..<1.
    /// - Returns: The delay in seconds; `nil` to report the failure.
    func delay(
        after error: APIError, isIdempotent: Bool, attempt: Int, elapsed: TimeInterval, now: Date,
        random: () -> Double
    ) -> TimeInterval? {
        guard attempt < attempts, retriesUnsafeMethods || isIdempotent, isRetryable(error.kind) else {
            return nil
        }
        let jitter = backOff(after: attempt) * min(max(random(), 0), 1)
        let asked = RetryAfter.seconds(in: error.response?.headers, now: now) ?? 0
        // Others were told the same time. No later than there is time, though.
        let seconds = asked > 0 ? max(asked, min(asked + jitter, total - elapsed)) : jitter
        return asked <= Self.longestRetryAfter && elapsed + seconds <= total ? seconds : nil
    }

    /// The longest `Retry-After` that is followed, in seconds: a day. It applies even if ``total`` is infinite.
    static let longestRetryAfter: TimeInterval = 86_400

    private func backOff(after attempt: Int) -> TimeInterval {
        // 0 × infinity is NaN.
        guard base > 0, cap > 0 else { return 0 }
        return min(cap, base * pow(2, Double(max(attempt, 1) - 1)))
    }

    /// Whether a later call may succeed where one has failed.
    func isRetryable(_ kind: APIError.Kind) -> Bool {
        switch kind {
        case .http(let status): statuses.contains(status)
        case .timedOut, .notReachable: true
        case .transport(let error): isRetryable(error.kind)
        case .vetoed, .invalidParams, .serviceNotRegistered, .serviceCycle, .invalidService, .notCached,
            .degraded,
            .nestedTooDeeply, .invalidRequest,
            .deadlineExceeded, .cancelled, .transfer, .business, .decoding, .invalidResponse, .refreshFailed,
            .sessionUnavailable, .loginRequired,
            .loginFailed, .loginCancelled, .swallowed:
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

extension APICall {
    /// Whether sending the call again has the same effect as sending it once: by its method (RFC 9110 section 9.2.2), or by its
    /// ``idempotencyKey``.
    var isIdempotent: Bool { requestType.isIdempotent || idempotencyKey != nil }
}
