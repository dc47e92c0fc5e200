// Changes that are shown before the server has responded.

extension TypedAPIManager {
    /// Calls, and meanwhile shows stored outputs of other managers as they will be.
    ///
    /// ```swift
    /// try await LikeManager().load(with: ["id": 7]) { cache in
    ///     cache.update(PostManager(), with: ["id": 7]) { $0.isLiked = true }
    /// }
    /// ```
    ///
    /// The changes are in force, all at once, before the call is sent: for ``cachedOutput(with:maxAge:)``,
    /// ``cachedOutputs(with:)`` and calls that the cache serves. If the call fails or is canceled, they are taken back. If it
    /// succeeds, they are written into the stored response, unless that is gone.
    ///
    /// Several calls may change one output. Each change is applied to the result of those before it, in the order in which they
    /// began, and taking one back leaves the others. A response that the server sends meanwhile becomes the new stored
    /// response, with the changes of all calls that have not ended. A response to a request that was sent before a change was
    /// confirmed is not stored.
    /// - Parameters:
    ///   - params: The arguments; `nil` to call the param source.
    ///   - changes: Names the outputs and changes them; called at once. See ``OptimisticChanges``.
    /// - Throws: The error of the call; ``APIError/Kind/notCached(_:)``, and nothing is sent, if a manager in `changes` stores
    ///   nothing.
    @discardableResult
    public func load(
        with params: Params? = nil, optimistically changes: (inout OptimisticChanges) -> Void
    ) async throws(APIError) -> Output {
        var list = OptimisticChanges()
        changes(&list)
        let update = try await list.update(over: proxy)
        update.show()
        do throws(APIError) {
            let output = try await answer { refusing, completion in
                self.update = update
                defer { self.update = nil }
                return start(with: params, refusing: refusing, completion: completion)
            }
            await update.settle(isConfirmed: true)
            return output
        } catch {
            await update.settle(isConfirmed: false)
            throw error
        }
    }
}

/// Stored outputs that a call changes, see ``TypedAPIManager/load(with:optimistically:)``.
@MainActor
public struct OptimisticChanges {
    private struct Item {
        let manager: BaseAPIManager
        let params: Params
        let apply: @Sendable (any Sendable) -> any Sendable
    }

    private var items: [Item] = []

    package init() {}

    /// Changes the output that is stored for a request.
    /// - Parameters:
    ///   - manager: A manager of the output: a new one, or that of a screen. It makes no call. One without a
    ///     ``BaseAPIManager/proxy`` of its own has that of the call.
    ///   - params: The arguments of the request; `nil` to call its param source.
    ///   - change: Changes the output. It is called again for each reading and each new response, off the main actor, and may
    ///     depend on nothing but the output. It is not called while nothing is stored.
    public mutating func update<Output: Codable & Sendable>(
        _ manager: TypedAPIManager<Output>, with params: Params? = nil,
        _ change: @escaping @Sendable (inout Output) -> Void
    ) {
        let params = manager.reform(params ?? manager.paramSource?.params(for: manager) ?? [:])
        items.append(
            Item(manager: manager, params: params) { value in
                guard var output = value as? Output else { return value }
                change(&output)
                return output
            })
    }

    /// Finds the places of the outputs.
    package func update(over proxy: ApiProxy) async throws(APIError) -> OptimisticUpdate {
        var changes: [OptimisticUpdate.Change] = []
        for item in items {
            let pending = PendingCall(
                item.manager.call(item.params, over: proxy), proxy: proxy, owner: item.manager)
            do throws(APIError) {
                let (attempt, key) = try await proxy.place(of: pending)
                changes.append(.init(pending: pending, attempt: attempt, key: key, apply: item.apply))
            } catch {
                // Nothing is stored for a request that cannot be built, for instance without a login.
                if case .notCached = error.kind { throw error }
            }
        }
        return OptimisticUpdate(changes, proxy)
    }
}
