package import DiscreteNetworkingCore
import Foundation

/// The changes of one call to cached outputs, from before it is sent until it has ended.
package final class OptimisticUpdate: Sendable {
    /// A cached output, and what the call changes in it.
    struct Change: Sendable {
        /// The call that loads the output, which is not sent.
        let pending: PendingCall
        /// Its attempt, which has the place.
        let attempt: Attempt
        let key: CacheKey
        let apply: @Sendable (any Sendable) -> any Sendable
    }

    private let changes: [Change]
    private var id: ObjectIdentifier { ObjectIdentifier(self) }
    private var keys: Set<CacheKey> { Set(changes.map(\.key)) }
    private let proxy: ApiProxy
    private let isSettled = Locked(false)

    init(_ changes: [Change], _ proxy: ApiProxy) {
        self.changes = changes
        self.proxy = proxy
    }

    /// Shows the changes.
    /// - Parameters:
    ///   - stage: How far the call is. Where it is in flight already, the outputs are loaded again after it.
    ///   - old: An update that is not shown any more.
    package func show(_ stage: CacheLayer.Stage, replacing old: OptimisticUpdate? = nil) {
        proxy.responses.changes.add(
            changes.map { ($0.key, CacheLayer(id: id, apply: $0.apply, stage: stage)) },
            replacing: old.map { ($0.id, $0.keys) })
    }

    /// Notes how far the call is.
    package func note(_ stage: CacheLayer.Stage) {
        proxy.responses.changes.note(stage, of: id, keys)
    }

    /// Keeps the changes, or takes them back. Only the first time has an effect.
    ///
    /// Responses that came while the call was in flight are not stored: the outputs are loaded again, as they are if the call has
    /// failed and the server may have made the changes nevertheless. For an output of another environment than the call's
    /// last, the call has not succeeded.
    package func settle(_ effect: CallEffect) async {
        let isFirst = isSettled.withLock { isSettled in
            defer { isSettled = true }
            return !isSettled
        }
        guard isFirst else { return }
        let other = changes.filter { $0.attempt.scope?.contradicts(effect.scope) == true }
        let elsewhere = Set(other.map(\.key))
        let stale =
            settle(keys.subtracting(elsewhere), effect)
            + settle(elsewhere, CallEffect(isConfirmed: false, mayHaveActed: effect.mayHaveActed))
        var folded: Set<CacheKey> = []
        for change in changes where folded.insert(change.key).inserted { await fold(change) }
        for key in stale { await proxy.responses.makeStale(key) }
        // Where the call has succeeded, the output is not the stored one any more.
        for change in other where effect.isConfirmed {
            if let key = await proxy.cacheKey(of: change.pending.call, in: effect.scope) {
                await proxy.responses.makeStale(key)
            }
        }
    }

    private func settle(_ keys: Set<CacheKey>, _ effect: CallEffect) -> [CacheKey] {
        proxy.responses.changes.settle(
            id, keys, isConfirmed: effect.isConfirmed, mayHaveActed: effect.mayHaveActed)
    }

    /// Writes the confirmed changes into the cached response.
    private func fold(_ change: Change) async {
        await EnvironmentScope.within(change.attempt.scope?.renewed()) {
            // Again if the response or the layers have changed meanwhile.
            while let (version, layers) = proxy.responses.changes.confirmed(change.key) {
                let stored = await folded(change, layers)
                let isDone = await proxy.responses.fold(
                    stored, for: change.key, change.pending.call.overrides.cache, version, layers.count)
                guard isDone else { continue }
                if !change.attempt.isForUserOfNow { await proxy.responses.remove(.key(change.key)) }
                return
            }
        }
    }

    /// - Returns: `nil` if nothing is stored.
    private func folded(_ change: Change, _ layers: ArraySlice<CacheLayer>) async -> CachedResponse? {
        let responses = StoredResponses(pending: change.pending, store: proxy.responses)
        guard let place = change.attempt.cachePlace,
            case .hit(let stored, let age) = await responses.lookUp(change.attempt, maxAge: .infinity),
            let output = await responses.read(stored, age: age, change.attempt)?.output,
            let changed = CacheLayers.apply(layers, to: output) as? any Encodable,
            let body = try? StoredOutput.encode(changed, change.attempt, proxy)
        else { return nil }
        // As old as it was; without the headers, whose ETag is that of the old body.
        return CachedResponse(
            url: stored.url, status: 200, headers: [:], body: body, storedAt: stored.storedAt,
            version: place.outputVersion)
    }
}
