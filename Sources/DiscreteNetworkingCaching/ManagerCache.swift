public import DiscreteNetworkingCore
public import Foundation

extension TypedAPIManager {
    /// What is cached for the requests of this manager, without a call.
    ///
    /// ```swift
    /// if let product = try await manager.cache.output(with: ["id": 7]) {
    ///     show(product)
    /// }
    /// ```
    public var cache: ManagerCache<Output> { ManagerCache(manager: self) }
}

/// The cached outputs of a manager; see ``TypedAPIManager/cache``.
@MainActor
public struct ManagerCache<Output: Decodable & Sendable> {
    let manager: TypedAPIManager<Output>

    private func arguments(_ params: Params?) -> Params {
        manager.prepared(params ?? manager.paramSource?.params(for: manager) ?? [:])
    }

    /// Returns the cached output of a request, without sending the request.
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
    public func output(
        with params: Params? = nil, maxAge: TimeInterval? = nil
    ) async throws(APIError) -> Output? {
        let pending = try manager.unsent(arguments(params))
        return try await manager.stored(pending, maxAge: maxAge)?.response?.output as? Output
    }

    /// Returns the cached outputs of a request as a sequence: the current one, and each later one.
    ///
    /// ```swift
    /// // nil: nothing is stored.
    /// for try await cart in cartManager.cache.outputs() { show(cart) }
    /// ```
    ///
    /// The first element is the output that is cached now, at any age. Each change follows, wherever it is made: by a
    /// call of any manager with the same request, ``store(_:for:)``, ``remove(with:)``, a logout, a login, or a switch of the
    /// environment. After a logout, a login or a switch, the element is the cached output of the new user or environment,
    /// usually `nil`. An output that expires, or is evicted from a full cache, makes no element. An `Equatable` output that is
    /// equal to the last element makes none either. A slow screen misses intermediate elements, but never the last one.
    ///
    /// Nothing is loaded; call ``BaseAPIManager/loadData(with:ignoringCache:)`` as well. The param source is asked
    /// once. The sequence keeps the ``BaseAPIManager/proxy`` that the manager has now. Managers of one ``CacheTiers``
    /// see each other's changes.
    ///
    /// The sequence ends when its task is canceled, and when the manager is released. It does not retain the manager.
    /// It has one reader.
    /// - Throws: The errors of ``output(with:maxAge:)``. If no user is logged in, the element is `nil` instead. While the
    ///   store of the session cannot be read, there is no element.
    public func outputs(with params: Params? = nil) -> AsyncThrowingStream<Output?, any Error> {
        let source = StoredOutputSource(manager, params: arguments(params))
        return AsyncThrowingStream { try await source.next() }
    }

    /// Keeps ``TypedAPIManager/output`` equal to what is stored for a request, until the task is canceled; see
    /// ``outputs(with:)``.
    ///
    /// ```swift
    /// Text(manager.output?.name ?? "")
    ///     .task { try? await manager.cache.follow(with: ["id": 7]) }
    /// ```
    ///
    /// ``TypedAPIManager/output`` is observable: a view is drawn again whenever the cached output changes, wherever that
    /// happens. The delegate is not called. The manager is retained.
    /// - Throws: As ``outputs(with:)``, but nothing when the task is canceled.
    public func follow(with params: Params? = nil) async throws(APIError) {
        let source = StoredOutputSource(manager, params: arguments(params), repeats: true)
        while let output = try await source.next() {
            manager.show(output)
            // If the screen stops to follow before the user leaves.
            if output != nil, let call = source.call, !manager.forgetWithUser(call, manager.proxy) {
                manager.forgetUserData()
            }
        }
    }

    /// Removes cached responses of this endpoint from memory and disk.
    ///
    /// ```swift
    /// await manager.cache.remove(with: ["id": 7])
    /// ```
    ///
    /// - Parameter params: The params of one call of the current user; `nil` removes all responses of the
    ///   endpoint, for all users. The request is built to determine the cache key but not sent.
    public func remove(with params: Params? = nil) async {
        let proxy = manager.proxy
        let call = manager.call(manager.prepared(params ?? [:]), over: proxy)
        guard params != nil else {
            return await proxy.responses.remove(
                .endpoint(call.serviceIdentifier, methodName: call.methodName))
        }
        guard let key = await proxy.cacheKey(of: call) else { return }
        await proxy.responses.remove(.key(key))
    }
}

extension ManagerCache where Output: Encodable {
    /// Stores an output for a request, as if the server had responded with it.
    ///
    /// ```swift
    /// try await ProductManager().cache.store(product, for: ["id": product.id])
    /// ```
    ///
    /// ``output(with:maxAge:)``, ``outputs(with:)`` and calls that may use the cache return it from now on, for the
    /// freshness lifetime of the manager's policy. It belongs to the current user and environment, and a later response
    /// replaces it. It is stored as the payload that the manager decodes, in JSON of its own: without the service's envelope,
    /// status, headers and coders, and no plugin or body transform sees it. ``APIResponse/body`` of a call that returns it is
    /// this JSON.
    /// - Parameters:
    ///   - output: The output. What its type does not encode is lost.
    ///   - params: The arguments of the request; `nil` to call the param source.
    /// - Throws: ``APIError/Kind/notCached(_:)`` with ``MissReason/notCacheable(_:)`` if the manager has no policy, its
    ///   output does not decode what it encodes, or its bodies are encrypted and its policy stores them on disk. Otherwise as
    ///   ``output(with:maxAge:)``.
    public func store(_ output: Output, for params: Params? = nil) async throws(APIError) {
        let pending = try manager.unsent(arguments(params))
        try await pending.proxy.storeOutput(output, for: pending)
    }
}

extension TypedAPIManager {
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
