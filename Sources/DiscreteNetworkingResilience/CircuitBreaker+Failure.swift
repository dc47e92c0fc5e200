import DiscreteNetworkingCore

extension CircuitBreaker {
    /// Returns whether a failed call counts as a failure of the endpoint: `nil` if it does not depend on
    /// the endpoint, `false` if the endpoint responded. See ``CircuitBreakerPolicy``.
    static func isFailure(_ kind: APIError.Kind) -> Bool? {
        switch kind {
        case .http(408), .http(429): nil
        case .http(let status): status >= 500
        case .timedOut: true
        case .transport(let error): isFailure(error.kind)
        case .business, .decoding, .invalidResponse: false
        case .vetoed, .invalidParams, .serviceNotRegistered, .serviceCycle, .invalidService, .notCached,
            .notReachable,
            .degraded, .nestedTooDeeply,
            .invalidRequest, .deadlineExceeded, .cancelled, .transfer, .refreshFailed,
            .sessionUnavailable, .loginRequired,
            .loginFailed,
            .loginCancelled, .swallowed:
            nil
        }
    }

    private static func isFailure(_ kind: TransportError.Kind) -> Bool? {
        switch kind {
        case .cannotFindHost, .cannotConnect, .connectionLost, .timedOut, .secureConnectionFailed,
            .badResponse, .unknown:
            true
        // Problems of the app, its configuration or the network path, which must stay visible.
        case .notConnectedToInternet, .cancelled, .serverCertificateUntrusted, .publicKeyNotPinned,
            .clientCertificateRejected, .bodyUnavailable, .responseTooLarge, .redirectRefused,
            .plainHTTPRefused,
            .unsupported:
            nil
        }
    }
}
