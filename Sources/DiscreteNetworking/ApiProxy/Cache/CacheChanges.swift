/// Tells the observers of stored responses when these change.
///
/// All changes of the caches go through ``write(_:_:)``, so that their order in memory is their order on the disk.
final class CacheChanges: Sendable {
    private struct State {
        /// The number of writes.
        var writes = 0
        var observers: [ObjectIdentifier: (observer: CacheObserver, key: CacheKey?)] = [:]
        /// The observers of each key.
        var places: [CacheKey: Set<ObjectIdentifier>] = [:]
        /// The requests whose responses may not be stored.
        var forbidden = LRUList<CacheKey, Void>()

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

    /// The maximum number of requests that are remembered as not to be stored.
    private static let forbiddenLimit = 256

    private let state = Locked(State())

    /// The number of observers, and of the keys that they observe.
    var counts: (observers: Int, keys: Int) { state.withLock { ($0.observers.count, $0.places.count) } }

    /// The number of writes so far.
    var writes: Int { state.withLock { $0.writes } }

    // MARK: Writing

    /// Changes the caches in memory, and puts the change of the disk into its queue.
    func write(_ scope: CacheScope, _ change: () -> Void) {
        let observers = state.withLock { state in
            state.writes += 1
            if case .key(let key) = scope { state.forbidden.remove(key) }
            change()
            return state.observers(in: scope)
        }
        for observer in observers { observer.change() }
    }

    /// Makes a change that nobody sees, unless something was written since.
    func copy(since writes: Int, _ change: () -> Void) {
        state.withLock { if $0.writes == writes { change() } }
    }

    /// Remembers that the server does not allow a response to be stored.
    func forbid(_ key: CacheKey) {
        let observers = state.withLock { state in
            state.forbidden.insert((), cost: 1, for: key)
            if state.forbidden.count > Self.forbiddenLimit { _ = state.forbidden.removeOldest() }
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

    /// Has all observers find their keys anew: the user or the environment may be another.
    func rereadAll() {
        for (observer, _) in state.withLock({ Array($0.observers.values) }) { observer.change() }
    }
}
