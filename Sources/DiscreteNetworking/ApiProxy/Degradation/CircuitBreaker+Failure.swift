extension CircuitBreaker {
    /// Whether a failed call says that its endpoint does not work; `nil` where it says nothing about that, and
    /// `false` where the endpoint has answered. See ``BreakerPolicy``.
    static func isFailure(_ kind: APIError.Kind) -> Bool? {
        switch kind {
        case .http(408), .http(429): nil
        case .http(let status): status >= 500
        case .timedOut: true
        case .transport(let error): isFailure(error.kind)
        case .business, .decoding, .invalidResponse: false
        case .vetoed, .invalidParams, .serviceNotRegistered, .serviceCycle, .notReachable, .degraded,
            .invalidRequest, .cancelled, .transfer, .refreshFailed, .loginRequired, .loginFailed,
            .loginCancelled, .intercepted:
            nil
        }
    }

    private static func isFailure(_ kind: TransportError.Kind) -> Bool? {
        switch kind {
        case .cannotFindHost, .cannotConnect, .connectionLost, .timedOut, .secureConnectionFailed,
            .badResponse, .unknown:
            true
        // What is wrong with the app, its configuration or the way, and is to be seen as such.
        case .notConnectedToInternet, .cancelled, .serverCertificateUntrusted, .publicKeyNotPinned,
            .clientCertificateRejected, .bodyUnavailable, .responseTooLarge, .redirectRefused,
            .plainHTTPRefused,
            .unsupported:
            nil
        }
    }
}
