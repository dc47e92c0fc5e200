import DiscreteNetworkingCore
import Foundation

/// The responses in the caches of a proxy: the newest in memory, and on disk, which is accessed on its own queue.
final class ResponseStore: Sendable {
    let memory: any ResponseCache
    let disk: any ResponseCache
    /// A stalled disk blocks only the calls that need it.
    private let diskQueue = DiskQueue("ResponseStore")
    /// Who receives changes.
    let changes = CacheChanges()

    init(memory: any ResponseCache, disk: any ResponseCache) {
        self.memory = memory
        self.disk = disk
    }

    /// Removes responses in a scope, from memory and disk.
    @concurrent
    func remove(_ scope: CacheScope) async {
        changes.write(scope) {
            memory.remove(scope)
            diskQueue.enqueue { [disk] in disk.remove(scope) }
        }
        await diskQueue.run {}
    }

    /// Returns a cached response and its age, from memory first. A response with a date in the future is ignored:
    /// the clock was set back.
    /// - Parameters:
    ///   - extra: The seconds that a response may be stale.
    ///   - maxAge: The age that it may have, in seconds, in place of the freshness lifetime.
    ///   - refusal: Returns why a response does not match the request beyond the key; `nil` if it does.
    func response(
        for key: CacheKey, _ policy: CachePolicy, at now: Date, extra: TimeInterval = 0,
        maxAge: TimeInterval? = nil, refusal: (CachedResponse) -> MissReason?
    ) async -> CacheLookup {
        let writes = changes.writes
        let inMemory = responseInMemory(
            for: key, policy, at: now, extra: extra, maxAge: maxAge, refusal: refusal)
        guard case .miss(let reason) = inMemory, let life = policy.lives.disk else { return inMemory }
        let onDisk = await diskQueue.run { [disk] in disk.response(for: key) }
        switch Self.lookup(onDisk, at: now, maxAge: maxAge ?? life + extra, refusal) {
        case .miss(let other): return .miss(other ?? reason)
        case .hit(let response, let age):
            // What was written meanwhile is newer.
            if policy.lives.memory != nil { changes.copy(since: writes) { memory.store(response, for: key) } }
            return .hit(response, age: age)
        }
    }

    /// The same in memory only.
    func responseInMemory(
        for key: CacheKey, _ policy: CachePolicy, at now: Date, extra: TimeInterval,
        maxAge: TimeInterval? = nil, refusal: (CachedResponse) -> MissReason?
    ) -> CacheLookup {
        guard let life = policy.lives.memory else { return .miss(nil) }
        return Self.lookup(memory.response(for: key), at: now, maxAge: maxAge ?? life + extra, refusal)
    }

    private static func lookup(
        _ response: CachedResponse?, at now: Date, maxAge: TimeInterval,
        _ refusal: (CachedResponse) -> MissReason?
    ) -> CacheLookup {
        guard let response else { return .miss(nil) }
        if let reason = refusal(response) { return .miss(reason) }
        let age = now.timeIntervalSince(response.storedAt)
        return age >= 0 && age <= maxAge ? .hit(response, age: age) : .miss(.expired(age: age))
    }

    /// Stores a response, unless its request is older than a confirmed change of it.
    /// - Parameter began: The number of writes when the request was made; `nil` for what the app stores.
    /// - Returns: Whether it is stored.
    @discardableResult
    func store(
        _ response: CachedResponse, for key: CacheKey, _ policy: CachePolicy, since began: Int? = nil
    ) async -> Bool {
        var isShown = false
        if began != nil, changes.layers(key)?.isInFlight == true {
            isShown = await hasResponse(for: key, policy)
        }
        let isStored = changes.write(key, since: began ?? .max, over: isShown) {
            put(response, for: key, policy)
        }
        if isStored, policy.lives.disk != nil { await diskQueue.run {} }
        return isStored
    }

    private func hasResponse(for key: CacheKey, _ policy: CachePolicy) async -> Bool {
        if policy.lives.memory != nil, memory.response(for: key) != nil { return true }
        return policy.lives.disk == nil
            ? false : await diskQueue.run { [disk] in disk.response(for: key) != nil }
    }

    /// Puts a response into memory, and its storing into the queue of the disk.
    private func put(_ response: CachedResponse, for key: CacheKey, _ policy: CachePolicy) {
        if policy.lives.memory != nil { memory.store(response, for: key) }
        if policy.lives.disk != nil { diskQueue.enqueue { [disk] in disk.store(response, for: key) } }
    }

    /// Writes confirmed layers into the response below them.
    /// - Parameter response: The response with the layers; `nil` if nothing is stored.
    /// - Returns: `false` if the response or the layers have changed.
    func fold(
        _ response: CachedResponse?, for key: CacheKey, _ policy: CachePolicy, _ version: Int, _ count: Int
    ) async -> Bool {
        let isDone = changes.fold(key, version, count) { if let response { put(response, for: key, policy) } }
        if isDone, policy.lives.disk != nil { await diskQueue.run {} }
        return isDone
    }

    /// Removes responses in a scope. A response that a screen shows is kept as a stale one until it is loaded again.
    func invalidate(_ scope: CacheScope) async { await invalidate(scope, keeping: []) }

    /// Has a response loaded again, and keeps it until then.
    func makeStale(_ key: CacheKey) async { await invalidate(.key(key), keeping: [key]) }

    private func invalidate(_ scope: CacheScope, keeping keys: [CacheKey]) async {
        changes.invalidate(scope) { observed in
            let kept = Array(Set(observed).union(keys))
            memory.remove(scope, keepingStale: kept)
            diskQueue.enqueue { [disk] in disk.remove(scope, keepingStale: kept) }
        }
        await diskQueue.run {}
    }
}

extension ResponseCache {
    /// Removes responses, but keeps the responses of some keys and makes them too old for any freshness lifetime.
    fileprivate func remove(_ scope: CacheScope, keepingStale keys: [CacheKey]) {
        let stale = keys.compactMap { key in
            response(for: key).map { response in
                var stale = response
                stale.storedAt = Date(timeIntervalSince1970: 0)
                return (key, stale)
            }
        }
        remove(scope)
        for (key, response) in stale { store(response, for: key) }
    }
}

/// The outcome of looking up a cached response.
enum CacheLookup: Sendable {
    case hit(CachedResponse, age: TimeInterval)
    /// Why the response under the key is not usable; `nil` if there is none.
    case miss(MissReason?)
}
