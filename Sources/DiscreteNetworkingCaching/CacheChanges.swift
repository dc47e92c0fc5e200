import DiscreteNetworkingCore

/// Notifies the observers of a cached response when it changes.
///
/// All changes of the caches go through ``write(_:_:)``, so that their order in memory is their order on the disk.
final class CacheChanges: Sendable {
    private struct State {
        /// The number of writes.
        var writes = 0
        var observers: [ObjectIdentifier: (observer: CacheObserver, key: CacheKey?)] = [:]
        /// The observers of each key.
        var places: [CacheKey: Set<ObjectIdentifier>] = [:]
        /// The keys of responses that may not be stored.
        var forbidden = LRUList<CacheKey, Void>()
        /// The changes that are shown over cached responses.
        var layers: [CacheKey: CacheLayers] = [:]
        /// The writes at which a change of a response was confirmed: responses to earlier requests do not have it.
        var confirmations = LRUList<CacheKey, Int>()
        /// The same for all responses of an endpoint, the latest last.
        var staleEndpoints: [(scope: CacheScope, writes: Int)] = []

        /// The stale responses that screens are loading again.
        var reloading = LRUList<CacheKey, Void>()

        /// Counts a write.
        mutating func count() -> Int {
            writes += 1
            return writes
        }

        /// Changes the layers of a key, which are dropped when none is left.
        mutating func changeLayers(_ key: CacheKey, _ change: (inout CacheLayers) -> Void) {
            var stack = layers[key] ?? CacheLayers(version: 0)
            change(&stack)
            stack.version = count()
            layers[key] = stack.all.isEmpty ? nil : stack
        }

        mutating func confirm(_ key: CacheKey) {
            confirmations.insert(count(), for: key, atMost: CacheChanges.limit)
        }

        /// Whether a response to a request that was made after a number of writes must not be stored: it lacks what was confirmed,
        /// or nobody knows what it has.
        /// - Parameter isShown: Whether there is an earlier response, which is shown with the changes over it.
        mutating func isOutdated(_ key: CacheKey, since began: Int, _ isShown: Bool) -> Bool {
            if let confirmed = confirmations.use(key), confirmed > began { return true }
            if staleEndpoints.contains(where: { $0.writes > began && key.isIn($0.scope) }) { return true }
            // The response may have the change that is shown over it. What the app stores is what it wants to show.
            guard began != .max, layers[key]?.isInFlight == true else { return false }
            layers[key]?.needsReload = true
            return isShown
        }

        mutating func lastConfirmation(_ key: CacheKey?) -> Int {
            let own = key.flatMap { confirmations.use($0) } ?? 0
            return staleEndpoints.reduce(own) { last, stale in
                key?.isIn(stale.scope) == false ? last : max(last, stale.writes)
            }
        }

        mutating func move(_ id: ObjectIdentifier, to key: CacheKey?) {
            guard let old = observers[id]?.key, old != key else {
                observers[id]?.key = key
                if let key, observers[id] != nil { places[key, default: []].insert(id) }
                return
            }
            places[old]?.remove(id)
            if places[old]?.isEmpty == true { places[old] = nil }
            observers[id]?.key = key
            if let key { places[key, default: []].insert(id) }
        }

        func observers(in scope: CacheScope) -> [CacheObserver] {
            let ids: [ObjectIdentifier] =
                if case .key(let key) = scope { Array(places[key] ?? []) } else {
                    places.keys.filter { $0.isIn(scope) }.flatMap { places[$0] ?? [] }
                }
            return ids.compactMap { observers[$0]?.observer }
        }
    }

    /// The maximum number of requests that are remembered as not to be stored, and of confirmations.
    private static let limit = 256

    private let state = Locked(State())

    /// The number of observers, and of the keys that they observe.
    var counts: (observers: Int, keys: Int) { state.withLock { ($0.observers.count, $0.places.count) } }

    /// The number of writes so far.
    var writes: Int { state.withLock { $0.writes } }

    /// The write at which a change of a response was confirmed last; 0 if none was.
    /// - Parameter key: `nil` for a response that is not stored: any endpoint may be its own.
    func lastConfirmation(_ key: CacheKey?) -> Int { state.withLock { $0.lastConfirmation(key) } }

    // MARK: Writing

    /// Changes the caches in memory, and puts the change of the disk into its queue.
    ///
    /// What was confirmed is in the new response, or gone with the old one. Other layers remain.
    func write(_ scope: CacheScope, _ change: () -> Void) {
        let observers = state.withLock { write(scope, in: &$0, change) }
        for observer in observers { observer.change() }
    }

    /// Does the same with a response, unless its request is older than a confirmed change.
    /// - Parameters:
    ///   - began: The number of writes when the request was made.
    ///   - isShown: Whether there is an earlier response.
    /// - Returns: Whether it was written.
    func write(
        _ key: CacheKey, since began: Int, over isShown: Bool = false, _ change: () -> Void
    ) -> Bool {
        let observers = state.withLock { state in
            state.isOutdated(key, since: began, isShown) ? nil : write(.key(key), in: &state, change)
        }
        for observer in observers ?? [] { observer.change() }
        return observers != nil
    }

    private func write(_ scope: CacheScope, in state: inout State, _ change: () -> Void) -> [CacheObserver] {
        _ = state.count()
        if case .key(let key) = scope {
            state.forbidden.remove(key)
            state.reloading.remove(key)
        }
        if !state.layers.isEmpty {
            for key in state.layers.keys where key.isIn(scope) { state.changeLayers(key) { $0.rebase() } }
        }
        change()
        return state.observers(in: scope)
    }

    /// Makes a change that nobody sees, unless something was written since.
    func copy(since writes: Int, _ change: () -> Void) {
        state.withLock { if $0.writes == writes { change() } }
    }

    /// Remembers that the server does not allow a response to be stored.
    func forbid(_ key: CacheKey) {
        let observers = state.withLock { state in
            state.forbidden.insert((), for: key, atMost: Self.limit)
            return state.observers(in: .key(key))
        }
        for observer in observers { observer.change() }
    }

    func isForbidden(_ key: CacheKey) -> Bool { state.withLock { $0.forbidden.use(key) != nil } }

    // MARK: Observing

    func add(_ observer: CacheObserver) {
        state.withLock { $0.observers[ObjectIdentifier(observer)] = (observer, nil) }
    }

    func remove(_ observer: CacheObserver) {
        state.withLock { state in
            state.move(ObjectIdentifier(observer), to: nil)
            state.observers[ObjectIdentifier(observer)] = nil
        }
    }

    /// An observer that was added observes a key from now on, and no other.
    func observe(_ key: CacheKey?, by observer: CacheObserver) {
        state.withLock { $0.move(ObjectIdentifier(observer), to: key) }
    }

    /// Has all observers find their keys again: the user or the environment may be another.
    func rereadAll() {
        for (observer, _) in state.withLock({ Array($0.observers.values) }) { observer.change() }
    }
}

// MARK: Layers

extension CacheChanges {
    /// Returns the layers over a cached response; `nil` if there are none.
    func layers(_ key: CacheKey) -> CacheLayers? { state.withLock { $0.layers[key] } }

    /// The number of responses with layers.
    var layeredCount: Int { state.withLock { $0.layers.count } }

    /// Puts layers over all others, at one moment.
    /// - Parameter old: The update that they replace, and its keys. If it was removed before, a response that has the change
    ///   already could be stored in between.
    func add(
        _ layers: [(key: CacheKey, layer: CacheLayer)],
        replacing old: (id: ObjectIdentifier, keys: Set<CacheKey>)? = nil
    ) {
        let observers = state.withLock { state in
            for (key, layer) in layers { state.changeLayers(key) { $0.add(layer, replacing: old?.id) } }
            var keys = Set(layers.map(\.key))
            if let old {
                for key in old.keys where state.layers[key] != nil {
                    state.changeLayers(key) { _ = $0.settle(old.id, isConfirmed: false) }
                }
                keys.formUnion(old.keys)
            }
            return keys.flatMap { state.observers(in: .key($0)) }
        }
        for observer in observers { observer.change() }
    }

    /// Notes how far the call of an update is.
    func note(_ stage: CacheLayer.Stage, of id: ObjectIdentifier, _ keys: Set<CacheKey>) {
        state.withLock { state in for key in keys { state.layers[key]?.note(stage, of: id) } }
    }

    /// Confirms the layers of an update, or removes them.
    /// - Parameter mayHaveActed: Whether the server may have the change.
    /// - Returns: The keys of the responses that have to be loaded again.
    func settle(
        _ id: ObjectIdentifier, _ keys: Set<CacheKey>, isConfirmed: Bool, mayHaveActed: Bool
    ) -> [CacheKey] {
        let (observers, stale) = state.withLock { state in
            var (observers, stale): ([CacheObserver], [CacheKey]) = ([], [])
            // The layers of a user who has left are gone.
            for key in keys where state.layers[key] != nil {
                // What is being loaded now was requested before this, and is not stored.
                let isReloading = state.reloading.use(key) != nil
                var (isFound, isStale) = (false, false)
                state.changeLayers(key) { layers in
                    isFound = layers.settle(id, isConfirmed: isConfirmed)
                    isStale =
                        isFound && (layers.needsReload || isReloading || !isConfirmed && mayHaveActed)
                    // What is loaded meanwhile is not stored.
                    if isStale, layers.isInFlight { (isStale, layers.needsReload) = (false, true) }
                }
                if isStale { stale.append(key) }
                if isConfirmed, isFound { state.confirm(key) }
                // What is confirmed is shown already.
                if !isConfirmed { observers += state.observers(in: .key(key)) }
            }
            return (observers, stale)
        }
        for observer in observers { observer.change() }
        return stale
    }

    /// Returns the layers to write into a response; `nil` if there are none.
    func confirmed(_ key: CacheKey) -> (version: Int, layers: ArraySlice<CacheLayer>)? {
        state.withLock { state in
            guard let stack = state.layers[key], !stack.confirmedFirst.isEmpty else { return nil }
            return (stack.version, stack.confirmedFirst)
        }
    }

    /// Writes the first layers into the response below them, unless either has changed.
    func fold(_ key: CacheKey, _ version: Int, _ count: Int, _ change: () -> Void) -> Bool {
        state.withLock { state in
            guard state.layers[key]?.version == version else { return false }
            state.changeLayers(key) { $0.removeFirst(count) }
            change()
            return true
        }
    }

    /// Forgets all layers in a scope.
    func removeLayers(_ scope: CacheScope) {
        state.withLock { state in
            for key in state.layers.keys where key.isIn(scope) { state.layers[key] = nil }
        }
    }

    /// Makes responses stale. One observer of each response reloads it.
    /// - Parameter change: Removes the responses, but keeps the responses of some keys as stale ones.
    func invalidate(_ scope: CacheScope, _ change: ([CacheKey]) -> Void) {
        let observers = state.withLock { state in
            let writes = state.count()
            if case .key(let key) = scope {
                state.confirm(key)
            } else {
                state.staleEndpoints.removeAll { $0.scope == scope }
                state.staleEndpoints.append((scope, writes))
                if state.staleEndpoints.count > Self.limit { state.staleEndpoints.removeFirst() }
            }
            let observed = state.places.keys.filter { $0.isIn(scope) }
            let layered = state.layers.keys.filter { $0.isIn(scope) }
            // Their responses are copied: a response that is just written is not lost.
            for key in layered { state.changeLayers(key) { _ in } }
            for key in observed { state.reloading.insert((), for: key, atMost: Self.limit) }
            change(Array(Set(observed).union(layered)))
            return observed.map { state.observers(in: .key($0)) }
        }
        for observers in observers {
            let ticket = ReloadTicket()
            for observer in observers { observer.change(reload: ticket) }
        }
    }
}
