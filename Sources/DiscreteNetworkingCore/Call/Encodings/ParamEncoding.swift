/// Encodes params in a request.
///
/// ```swift
/// override var encoding: (any ParamEncoding)? { .form }  // one manager
/// // A whole service.
/// func encoding(for call: APICall) -> any ParamEncoding { .json }
/// ```
public protocol ParamEncoding: Sendable {
    /// Writes params to the URL or body of a request, and sets the `Content-Type` header.
    /// - Throws: Any error; the call fails with ``APIError/Kind/invalidRequest(reason:)``.
    func encode(_ params: Params, into request: inout APIRequest) throws
}

/// Which of two params with the same name goes out.
public enum ParamPrecedence: Sendable, Hashable {
    /// The manager's own param.
    case manager
    /// The service's extra param, as in CTNetworking: no endpoint can overrule what the service sends with all calls.
    case service
}
