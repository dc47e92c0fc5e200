import Foundation

/// The memory and disk caches of a proxy, each used by the managers whose ``CachePolicy`` names it. The
/// disk is accessed on its own queue.
///
/// ```swift
/// await ApiProxy.shared.caches.remove(.service(.storefront))
/// ```
public struct CacheTiers: Sendable {
    /// The memory cache.
    public let memory: any ResponseCache
    /// The disk cache.
    public let disk: any ResponseCache
    /// A stalled disk blocks only the calls that need it.
    private let diskQueue = DiskQueue("CacheTiers")
    /// Who is told of changes. Copies share it.
    let changes = CacheChanges()

    /// Creates the two caches.
    public init(memory: any ResponseCache = MemoryCache(), disk: any ResponseCache = DiskCache()) {
        self.memory = memory
        self.disk = disk
    }

    /// Removes responses in a scope, from memory and disk. Screens that show one of them learn of it; see
    /// ``TypedAPIManager/cachedOutputs(with:)``.
    @concurrent
    public func remove(_ scope: CacheScope) async {
        changes.write(scope) {
            memory.remove(scope)
            diskQueue.enqueue { disk.remove(scope) }
        }
        await diskQueue.run {}
    }

    /// Returns a stored response and its age, from memory first. A response stored in the future, because
    /// the clock was set back, is ignored.
    /// - Parameters:
    ///   - extra: The seconds that a response may be stale.
    ///   - maxAge: The age that it may have, in seconds, in place of the freshness lifetime.
    ///   - refusal: Returns why a response does not match the request beyond the key; `nil` if it does.
    func response(
        for key: CacheKey, _ policy: CachePolicy, at now: Date, extra: TimeInterval = 0,
        maxAge: TimeInterval? = nil, refusal: (CachedResponse) -> MissReason?
    ) async -> CacheLookup {
        func look(_ response: CachedResponse?, _ life: TimeInterval) -> CacheLookup {
            guard let response else { return .miss(nil) }
            if let reason = refusal(response) { return .miss(reason) }
            let age = now.timeIntervalSince(response.storedAt)
            return age >= 0 && age <= maxAge ?? life + extra
                ? .hit(response, age: age) : .miss(.expired(age: age))
        }
        let writes = changes.writes
        let inMemory = policy.memory.map { look(memory.response(for: key), $0) } ?? .miss(nil)
        guard case .miss(let reason) = inMemory, let life = policy.disk else { return inMemory }
        switch look(await diskQueue.run({ disk.response(for: key) }), life) {
        case .miss(let other): return .miss(other ?? reason)
        case .hit(let response, let age):
            // What was written meanwhile is newer.
            if policy.memory != nil { changes.copy(since: writes) { memory.store(response, for: key) } }
            return .hit(response, age: age)
        }
    }

    func store(_ response: CachedResponse, for key: CacheKey, _ policy: CachePolicy) async {
        changes.write(.key(key)) {
            if policy.memory != nil { memory.store(response, for: key) }
            if policy.disk != nil { diskQueue.enqueue { disk.store(response, for: key) } }
        }
        if policy.disk != nil { await diskQueue.run {} }
    }
}

/// The outcome of looking for a stored response.
enum CacheLookup: Sendable {
    case hit(CachedResponse, age: TimeInterval)
    /// Why the response under the key is not usable; `nil` if there is none.
    case miss(MissReason?)
}

/// The caches of a proxy whose services store nothing, created lazily.
final class StandardCaches: Sendable {
    private let caches = Locked<CacheTiers?>(nil)

    var inMemory: CacheTiers {
        caches.withLock { caches in
            let known = caches ?? CacheTiers(disk: MemoryCache())
            caches = known
            return known
        }
    }
}

@available(*, deprecated, renamed: "CacheTiers")
public typealias ResponseCaches = CacheTiers
