import Foundation

// Calls to a URL that a backend has given: a link in an answer, a presigned upload, a file of a CDN.

extension BaseAPIManager {
    /// Starts a call to a whole URL, which is taken as it is; the delegate is told how it ends.
    ///
    /// ```swift
    /// uploads.loadData(at: ticket.uploadURL)                    // requestType and encoding are the manager's
    /// ```
    /// Neither ``APIManagerChild/methodName``, nor the param source, nor ``reform(_:)`` is asked. Where the URL has the origin
    /// of the service's ``Service/baseURL`` (scheme, host and port), all rules of the service hold: session, headers, signer,
    /// time limits, policies; extra params are added where the URL has none of that name. Any other host gets nothing of
    /// the service: no token, no extra header or param, no cookie, no signature, and of the manager's own ``headers`` none
    /// that is secret. There the manager's rules hold, and otherwise the defaults of ``Service``.
    /// - Parameters:
    ///   - url: with `https`, or `http` where ``Service/plainHTTPHosts`` allows it.
    ///   - params: written by the manager's ``encoding`` into the URL or the body.
    /// - Returns: the number of the call, to cancel it by.
    @discardableResult
    public func loadData(at url: URL, with params: Params = [:]) -> RequestID {
        send(params, at: url, completion: nil).0.call.requestID
    }

    /// Makes the call that failed last again, with the params it had. A call that was cancelled, or that the service took
    /// care of, has not failed.
    /// - Returns: the number of the new call; `nil` where nothing has failed since the last success.
    @discardableResult
    public func repeatFailedCall() -> RequestID? {
        state.value.failure.map { self.repeat($0.call).call.requestID }
    }
}

extension TypedAPIManager {
    /// ``BaseAPIManager/loadData(at:with:)``, waited for.
    public func load(at url: URL, with params: Params = [:]) async throws(APIError) -> Output {
        try await answer { send(params, at: url, refusing: $0, completion: $1) }
    }

    /// ``BaseAPIManager/loadData(at:with:)``, with a closure that is told how it ended, once, on the main actor.
    @discardableResult
    public func loadData(
        at url: URL, with params: Params = [:],
        completion: @escaping @MainActor @Sendable (Result<Output, APIError>) -> Void
    ) -> RequestID {
        let completion = PendingCall.Completion { completion(Self.typed($0)) }
        return send(params, at: url, completion: completion).0.call.requestID
    }
}
