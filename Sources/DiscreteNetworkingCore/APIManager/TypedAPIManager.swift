import Foundation

/// A manager with a typed output. Subclass it as ``APIManager``.
///
/// Use it as a type in a function for managers of any output:
///
/// ```swift
/// func reload<Output: Decodable & Sendable>(
///     _ manager: TypedAPIManager<Output>
/// ) async throws(APIError) -> Output {
///     try await manager.load(ignoringCache: true)
/// }
/// ```
///
/// `Output` is any `Decodable & Sendable` type, ``JSONValue``, `Data`, `String`, ``NoContent``, an optional
/// of these, or a ``PayloadDecodable``.
@MainActor
open class TypedAPIManager<Output: Decodable & Sendable>: BaseAPIManager {
    /// Creates a manager.
    public init() { super.init(outputType: Output.self) }

    /// The output of the last successful call. Unchanged by a later failure.
    public var output: Output? { state.value.output as? Output }

    /// Starts a call and returns its output.
    ///
    /// ```swift
    /// let product = try await ProductManager().load(with: ["id": 7])
    /// ```
    ///
    /// Canceling the task cancels the call. The manager is retained until the call ends.
    /// - Parameters:
    ///   - params: The arguments; `nil` to call the param source.
    ///   - ignoringCache: Whether to bypass cached responses; see ``BaseAPIManager/cachePolicy``.
    /// - Throws: An ``APIError``.
    public func load(
        with params: Params? = nil, ignoringCache: Bool = false
    ) async throws(APIError) -> Output {
        try await load(with: params, headers: [:], ignoringCache: ignoringCache)
    }

    /// - Parameters:
    ///   - headers: Headers of this call only; the manager's own take precedence.
    ///   - ending: What the outcome changes elsewhere.
    package func load(
        with params: Params?, headers: HTTPFields, ignoringCache: Bool = false,
        ending: PendingCall.Ending? = nil
    ) async throws(APIError) -> Output {
        try await answer {
            start(
                with: params, headers: headers, ignoringCache: ignoringCache, refusing: $0, ending: ending,
                completion: $1)
        }
    }

    /// Starts a call and returns its output. Sends nothing if the task is already canceled.
    func answer(
        _ start: (_ refusing: APIError.Kind?, PendingCall.Completion) -> (
            PendingCall, PendingCall.Listener?
        )
    ) async throws(APIError) -> Output {
        defer { withExtendedLifetime(self) {} }
        let waiter = LoadWaiter()
        let (pending, listener) = start(Task.isCancelled ? .cancelled : nil, .waiter(waiter))
        let result = await withTaskCancellationHandler {
            await waiter.result
        } onCancel: {
            if let listener { pending.cancel(listener) }
        }
        return try Self.typed(result).get()
    }

    /// Starts a call and passes its outcome to a closure, once, on the main actor, after this method has
    /// returned.
    ///
    /// The closure is called with ``APIError/Kind/cancelled`` if the manager is released before the call
    /// ends. To retain the manager, use ``loadOnce(with:ignoringCache:completion:)``.
    /// - Parameters:
    ///   - params: The arguments; `nil` to call the param source.
    ///   - ignoringCache: Whether to bypass cached responses; see ``BaseAPIManager/cachePolicy``.
    ///   - completion: The closure that receives the outcome.
    /// - Returns: The ID of the call, for cancellation.
    @discardableResult
    public func loadData(
        with params: Params? = nil, ignoringCache: Bool = false,
        completion: @escaping @MainActor @Sendable (Result<Output, APIError>) -> Void
    ) -> RequestID {
        let completion = PendingCall.Completion.closure { completion(Self.typed($0)) }
        return start(with: params, ignoringCache: ignoringCache, completion: completion).0.call.requestID
    }

    /// Starts a call and retains the manager until the call has ended.
    ///
    /// ```swift
    /// LikeManager().loadOnce(with: ["id": 7])
    /// ProductManager().loadOnce(with: ["id": 7]) { result in show(result) }
    /// ```
    ///
    /// Otherwise the same as ``loadData(with:ignoringCache:completion:)``. To cancel the call, pass its ID
    /// to ``ApiProxy/cancelRequest(_:)``.
    @discardableResult
    public func loadOnce(
        with params: Params? = nil, ignoringCache: Bool = false,
        completion: (@MainActor @Sendable (Result<Output, APIError>) -> Void)? = nil
    ) -> RequestID {
        loadData(with: params, ignoringCache: ignoringCache) { result in
            withExtendedLifetime(self) { completion?(result) }
        }
    }

    /// The cast cannot fail: the pipeline decoded the output with this class's `Output`.
    nonisolated static func typed(_ result: Result<any Sendable, APIError>) -> Result<
        Output, APIError
    > {
        result.map { $0 as! Output }
    }
}

extension TypedAPIManager where Output == NoContent {
    /// Starts a call and waits for its end; see ``TypedAPIManager/load(with:ignoringCache:)->Output``.
    @discardableResult
    public func load(
        with params: Params? = nil, ignoringCache: Bool = false
    ) async throws(APIError) -> NoContent {
        try await load(with: params, headers: [:], ignoringCache: ignoringCache)
    }
}
