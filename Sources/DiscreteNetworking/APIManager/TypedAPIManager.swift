import Foundation

/// A manager that knows what its endpoint answers. Subclass it as ``APIManager``.
///
/// `Output` is any `Decodable & Sendable` type, ``JSONValue``, `Data`, `String`, ``NoContent``, an optional
/// of these, or a ``PayloadDecodable``.
@MainActor
open class TypedAPIManager<Output: Decodable & Sendable>: BaseAPIManager {
    public init() { super.init(outputType: Output.self) }

    /// What the last successful call brought. Stays when a later call fails.
    public var output: Output? { state.value.output as? Output }

    /// Calls, and waits for the output.
    ///
    /// ```swift
    /// let product = try await ProductManager().load(with: ["id": 7])
    /// ```
    /// Cancelling the task cancels the call. The manager lives at least as long as this.
    /// - Parameters:
    ///   - params: the arguments; without them the param source is asked.
    ///   - ignoringCache: whether the server is asked whatever is kept; see ``BaseAPIManager/cache``.
    public func load(
        with params: Params? = nil, ignoringCache: Bool = false
    ) async throws(APIError) -> Output {
        try await load(with: params, headers: [:], ignoringCache: ignoringCache)
    }

    /// - Parameter headers: of this call only; the manager's own beat them.
    func load(
        with params: Params?, headers: [String: String], ignoringCache: Bool = false
    ) async throws(APIError) -> Output {
        try await answer {
            start(
                with: params, headers: headers, ignoringCache: ignoringCache, refusing: $0, completion: $1)
        }
    }

    /// Starts a call, and waits for its output. In a task that is already cancelled nothing is sent.
    func answer(
        _ start: (_ refusing: APIError.Kind?, @escaping PendingCall.Completion) -> (
            PendingCall, PendingCall.Listener?
        )
    ) async throws(APIError) -> Output {
        defer { withExtendedLifetime(self) {} }
        let answer = Promise<Result<any Sendable, APIError>>()
        let (pending, listener) = start(Task.isCancelled ? .cancelled : nil) { answer.fulfil($0) }
        let result = await withTaskCancellationHandler {
            await answer.value
        } onCancel: {
            if let listener { pending.cancel(listener) }
        }
        return try Self.typed(result).get()
    }

    /// Calls, and tells a closure how it ended, once, on the main actor, after this has returned.
    ///
    /// It is told even when the manager is released meanwhile: then it gets ``APIError/Kind/cancelled``. For a manager
    /// that nobody holds there is ``loadOnce(with:ignoringCache:completion:)``.
    /// - Parameters:
    ///   - params: the arguments; without them the param source is asked.
    ///   - ignoringCache: whether the server is asked whatever is kept; see ``BaseAPIManager/cache``.
    /// - Returns: the number of the call, to cancel it by.
    @discardableResult
    public func loadData(
        with params: Params? = nil, ignoringCache: Bool = false,
        completion: @escaping @MainActor @Sendable (Result<Output, APIError>) -> Void
    ) -> RequestID {
        start(with: params, ignoringCache: ignoringCache) { completion(Self.typed($0)) }.0.call.requestID
    }

    /// Calls once, and holds the manager until the call has ended: for a manager that is not kept anywhere.
    ///
    /// ```swift
    /// LikeManager().loadOnce(with: ["id": 7])
    /// ProductManager().loadOnce(with: ["id": 7]) { result in show(result) }
    /// ```
    /// Otherwise as ``loadData(with:ignoringCache:completion:)``. Nothing but its outcome ends it; to cancel it, give
    /// its number to ``ApiProxy/cancelRequest(_:)``.
    @discardableResult
    public func loadOnce(
        with params: Params? = nil, ignoringCache: Bool = false,
        completion: (@MainActor @Sendable (Result<Output, APIError>) -> Void)? = nil
    ) -> RequestID {
        loadData(with: params, ignoringCache: ignoringCache) { result in
            withExtendedLifetime(self) { completion?(result) }
        }
    }

    /// The pipeline decoded with this class's `Output`, so the cast cannot fail.
    nonisolated static func typed(_ result: Result<any Sendable, APIError>) -> Result<
        Output, APIError
    > {
        result.map { $0 as! Output }
    }
}
