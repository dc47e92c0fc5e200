/// Takes part in every call of a proxy, of all services.
///
/// ```swift
/// struct TraceIDs: APIPlugin {
///     func adapt(_ request: inout APIRequest, for call: APICall) {
///         request.headers["X-Trace"] = UUID().uuidString
///     }
///     var varyingFields: VaryingFields { VaryingFields(headers: ["X-Trace"]) }
/// }
/// ApiProxy.shared.plugins = [TraceIDs(), OfflineCatalogue()]
/// ```
///
/// Plugins run in the order of ``ApiProxy/plugins``, off the main actor. Each one receives the result of the plugin
/// before it. To only watch calls, use an ``APICallObserver`` instead. Calls that a plugin makes go over the proxy; see
/// ``APICall/proxy``. All methods have default implementations that change nothing.
public protocol APIPlugin: Sendable {
    /// Changes a request after ``Service/adapt(_:for:)``, before ``Service/bodyTransform(for:)`` and
    /// ``Service/signer(for:)``. Called for each attempt, and not for a request to another origin than the service's.
    /// - Throws: Any error; the call fails with ``APIError/Kind/invalidRequest(reason:)``.
    func adapt(_ request: inout APIRequest, for call: APICall) async throws

    /// The fields that ``adapt(_:for:)`` changes for each call, such as trace IDs and timestamps. Default: none.
    ///
    /// If you do not declare them, every request of the proxy is unique: it matches no cached response, no exchange in
    /// flight and no recording.
    /// Observers receive ``APICallEvent/Kind/notInCache(_:)`` and ``APICallEvent/Kind/notShared(_:)``.
    var varyingFields: VaryingFields { get }

    /// Changes a response of any status, after ``Service/bodyTransform(for:)``, before its status is checked and its
    /// envelope opened. Called for cached responses and samples as well, but not for a response that is a file or a
    /// stream.
    /// - Throws: Any error; the call fails with ``APIError/Kind/decoding(_:)``, or with
    ///   ``APIError/Kind/http(status:)`` if the status is not a success.
    func process(_ response: inout APIResponse, for call: APICall) async throws

    /// Returns an output in place of a failure that is about to be reported; `nil` to leave it to the next plugin.
    ///
    /// The first value counts. It must be of the manager's output type, passes the validator, and is not cached. Called
    /// after ``Service/intercept(_:)``, retries and stale responses, and not for a call that was canceled, vetoed or
    /// swallowed.
    func recover(from failure: FailureContext) async -> (any Sendable)?
}

extension APIPlugin {
    public func adapt(_ request: inout APIRequest, for call: APICall) async throws {}
    public var varyingFields: VaryingFields { .none }
    public func process(_ response: inout APIResponse, for call: APICall) async throws {}
    public func recover(from failure: FailureContext) async -> (any Sendable)? { nil }
}
