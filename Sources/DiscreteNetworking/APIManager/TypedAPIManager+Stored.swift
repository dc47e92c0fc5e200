public import Foundation

// The cache as a store: what is stored for a request, without a call.

extension TypedAPIManager {
    /// Returns the cached output of a request, without sending the request.
    ///
    /// ```swift
    /// if let product = try await manager.cachedOutput(with: ["id": 7]) {
    ///     show(product)
    /// }
    /// ```
    ///
    /// The param source, the interceptors and the validator are asked as for a call. The request is built to determine
    /// the cache key, but not sent. The output belongs to the current user and the current environment. If either
    /// changes meanwhile, the result is `nil`.
    /// - Parameters:
    ///   - params: The arguments; `nil` to call the param source.
    ///   - maxAge: The age that the output may have, in seconds, such as `.infinity`; `nil` for the freshness lifetime of the
    ///     ``BaseAPIManager/cachePolicy``.
    /// - Returns: The output; `nil` if none is cached, or only an older one.
    /// - Throws: ``APIError/Kind/notCached(_:)`` if no response of the manager is ever stored: because there is no
    ///   policy (``MissReason/notCacheable(_:)``), or because the server sent `no-store`
    ///   (``MissReason/storingForbidden``). Otherwise the error that would end the call before it is sent, as for
    ///   ``BaseAPIManager/request(with:)``.
    public func cachedOutput(
        with params: Params? = nil, maxAge: TimeInterval? = nil
    ) async throws(APIError) -> Output? {
        let params = prepared(params ?? paramSource?.params(for: self) ?? [:])
        return try await stored(unsent(params), maxAge: maxAge)?.response?.output as? Output
    }

    /// Returns a call that is not sent.
    /// - Throws: Why it may not start.
    func unsent(_ params: Params, over proxy: ApiProxy? = nil) throws(APIError) -> PendingCall {
        let proxy = proxy ?? self.proxy
        let refusal = refusal(of: params)
        let call = call(params)
        if let refusal { throw proxy.error(refusal.kind, of: call, hint: refusal.hint) }
        return PendingCall(call, proxy: proxy, owner: self)
    }

    /// Reads what is stored for a call that is not sent.
    /// - Returns: `nil` if the user or the environment has changed meanwhile. No other task runs on the main actor between
    ///   this check and the caller.
    func stored(
        _ pending: PendingCall, maxAge: TimeInterval?, observer: CacheObserver? = nil
    ) async throws(APIError) -> StoredOutput? {
        let found = try await pending.proxy.storedOutput(of: pending, maxAge: maxAge, observer: observer)
        guard found.isCurrent else { return nil }
        // As when it was stored, but the validator may have become stricter since.
        guard let response = found.response, rejectionReason(for: response) == nil else {
            return StoredOutput(stored: nil, response: nil, attempt: found.attempt)
        }
        return found
    }
}

extension TypedAPIManager where Output: Encodable {
    /// Stores an output for a request, as if the server had responded with it.
    ///
    /// ```swift
    /// try await ProductManager().store(product, for: ["id": product.id])
    /// ```
    ///
    /// ``cachedOutput(with:maxAge:)``, ``cachedOutputs(with:)`` and calls that may use the cache return it from now on, for the
    /// freshness lifetime of the manager's policy. It belongs to the current user and environment, and a later response
    /// replaces it. It is stored as the payload that the manager decodes, in JSON of its own: without the service's envelope,
    /// status, headers and coders, and no plugin or body transform sees it. ``APIResponse/body`` of a call that returns it is
    /// this JSON.
    /// - Parameters:
    ///   - output: The output. What its type does not encode is lost.
    ///   - params: The arguments of the request; `nil` to call the param source.
    /// - Throws: ``APIError/Kind/notCached(_:)`` with ``MissReason/notCacheable(_:)`` if the manager has no policy, its
    ///   output does not decode what it encodes, or its bodies are encrypted and its policy stores them on disk. Otherwise as
    ///   ``cachedOutput(with:maxAge:)``.
    public func store(_ output: Output, for params: Params? = nil) async throws(APIError) {
        let pending = try unsent(prepared(params ?? paramSource?.params(for: self) ?? [:]))
        try await pending.proxy.store(output, for: pending)
    }
}
