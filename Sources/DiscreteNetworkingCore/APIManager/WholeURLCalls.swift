public import Foundation

// Calls to a URL that a backend has given: a link in an answer, a presigned upload, a file of a CDN.

extension BaseAPIManager {
    /// Starts a call to a complete URL, such as a link from a response. The delegate receives the outcome.
    ///
    /// ```swift
    /// // requestType and encoding are the manager's.
    /// manager.loadData(at: url)
    /// ```
    /// ``APIManagerChild/methodName``, the param source and ``reform(_:)`` are not used. If the URL has the origin of the
    /// service's ``Service/baseURL`` or of a host of its ``FailoverPolicy`` (RFC 6454: scheme, host and port), the service's
    /// session, headers, signer, timeouts and policies apply, and extra params are added unless the URL has a param of that
    /// name. A request to another origin has no token, extra header, extra param, cookie or signature, and none of the
    /// manager's ``headers`` that are secret; the manager's settings apply, and otherwise the defaults of ``Service``.
    /// - Parameters:
    ///   - url: A URL with the scheme `https`, or `http` if ``ServiceConfiguration/plainHTTPHosts`` allows it.
    ///   - params: The params, encoded by the manager's ``encoding``.
    /// - Returns: The request ID, for canceling the call.
    @discardableResult
    public func loadData(at url: URL, with params: Params = [:]) -> RequestID {
        send(params, at: url, completion: nil).0.call.requestID
    }

    /// Sends the last failed call again with its params. Canceled calls, and failures that the service swallowed, do
    /// not count.
    /// - Returns: The request ID of the new call; `nil` if no call has failed since the last success, or if its user has
    ///   logged out.
    @discardableResult
    public func repeatFailedCall() -> RequestID? {
        guard let call = state.value.failure?.call, mayRepeat(call) else { return nil }
        return self.repeat(call).call.requestID
    }
}

extension TypedAPIManager {
    /// Performs ``BaseAPIManager/loadData(at:with:)`` and returns the output.
    public func load(at url: URL, with params: Params = [:]) async throws(APIError) -> Output {
        try await answer { send(params, at: url, refusing: $0, completion: $1) }
    }

    /// Performs ``BaseAPIManager/loadData(at:with:)`` and calls a closure once with the result, on the main actor.
    @discardableResult
    public func loadData(
        at url: URL, with params: Params = [:],
        completion: @escaping @MainActor @Sendable (Result<Output, APIError>) -> Void
    ) -> RequestID {
        let completion = PendingCall.Completion.closure { completion(Self.typed($0)) }
        return send(params, at: url, completion: completion).0.call.requestID
    }
}

extension TypedAPIManager where Output == NoContent {
    /// Performs ``BaseAPIManager/loadData(at:with:)`` and waits for its end.
    @discardableResult
    public func load(at url: URL, with params: Params = [:]) async throws(APIError) -> NoContent {
        try await answer { send(params, at: url, refusing: $0, completion: $1) }
    }
}
