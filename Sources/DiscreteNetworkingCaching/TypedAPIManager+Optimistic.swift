public import DiscreteNetworkingCore

// Changes that are shown before the server has responded.

extension TypedAPIManager {
    /// Makes a call, and shows its expected changes to cached outputs of other managers before the server responds.
    ///
    /// ```swift
    /// try await LikeManager().load(with: ["id": 7]) { cache in
    ///     cache.update(PostManager(), with: ["id": 7]) { $0.isLiked = true }
    /// }
    /// ```
    ///
    /// The changes take effect together, before the call is sent: for ``ManagerCache/output(with:maxAge:)``,
    /// ``ManagerCache/outputs(with:)`` and calls that the cache serves. If the call fails or is canceled, the changes are
    /// undone. If it succeeds, they are written into the cached response, unless that response is gone.
    ///
    /// Several calls may change one output. Each change is applied to the result of the changes that began before it.
    /// Undoing one change keeps the others. A response that comes while a call is in flight may have its change, or not: it is not
    /// stored, so that the change is not shown twice. The output is stale then, and a screen that shows it loads it again, as after a
    /// call that has failed although the server may have made the change.
    /// - Parameters:
    ///   - params: The arguments; `nil` to call the param source.
    ///   - changes: Names the outputs and changes them. It is called at once. See ``OptimisticChanges``.
    /// - Throws: The error of the call. It is ``APIError/Kind/notCached(_:)`` if a manager in `changes` stores nothing;
    ///   then nothing is sent.
    @discardableResult
    public func load(
        with params: Params? = nil, optimistically changes: (inout OptimisticChanges) -> Void
    ) async throws(APIError) -> Output {
        // The call is for the user of now, and the places of the outputs are not found at once.
        let users = UserWork()
        defer { users.end() }
        var list = OptimisticChanges()
        changes(&list)
        let update = try await users.run { [list] () async throws(APIError) in
            try await list.update(over: proxy)
        }
        // Nothing was sent yet, so that no response has the change.
        update.show(.waiting)
        update.note(.inFlight)
        do throws(APIError) {
            let output = try await users.run { () async throws(APIError) in
                try await load(with: params, headers: [:]) {
                    await update.settle($0)
                }
            }
            await update.settle(CallEffect(isConfirmed: true, mayHaveActed: true))
            return output
        } catch {
            await update.settle(CallEffect(isConfirmed: false, mayHaveActed: false))
            throw error
        }
    }
}

/// Cached outputs that a call changes; see ``TypedAPIManager/load(with:optimistically:)``.
@MainActor
public struct OptimisticChanges {
    private struct Item {
        let manager: BaseAPIManager
        let params: Params
        let apply: @Sendable (any Sendable) -> any Sendable
    }

    private var items: [Item] = []

    package init() {}

    /// Changes the cached output of a request.
    /// - Parameters:
    ///   - manager: A manager of the output: a new one, or the manager of a screen. It makes no call. If it has no
    ///     ``BaseAPIManager/proxy`` of its own, it uses the proxy of the call.
    ///   - params: The arguments of the request; `nil` to call its param source.
    ///   - change: Changes the output. It runs off the main actor, once per read and per new response, and must depend
    ///     only on the output. It is not called while nothing is stored.
    public mutating func update<Output: Codable & Sendable>(
        _ manager: TypedAPIManager<Output>, with params: Params? = nil,
        _ change: @escaping @Sendable (inout Output) -> Void
    ) {
        let params = manager.prepared(params ?? manager.paramSource?.params(for: manager) ?? [:])
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
            let pending = item.manager.unsent(item.params, over: proxy)
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

extension BaseAPIManager {
    /// Prepares the changes that a saved call shows until it has ended.
    /// - Returns: `nil` if the call does not belong to the current user and environment, or if a manager in `changes`
    ///   stores nothing.
    package func optimisticUpdate(
        for identity: CallIdentity, _ changes: (inout OptimisticChanges) -> Void
    ) async -> OptimisticUpdate? {
        await within(identity) {
            var list = OptimisticChanges()
            changes(&list)
            return try? await list.update(over: proxy)
        }
    }
}
