import Foundation

/// The caches of a proxy: one in memory and one on the disk, each used by the managers whose ``CachePolicy`` says so.
/// The disk is used on a queue of its own.
///
/// ```swift
/// await ApiProxy.shared.caches.remove(.service(.storefront))
/// ```
public struct CacheTiers: Sendable {
    public let memory: any ResponseCache
    public let disk: any ResponseCache
    /// A disk that stalls holds up only those who need it.
    private let diskQueue = DiskQueue("CacheTiers")

    public init(memory: any ResponseCache = MemoryCache(), disk: any ResponseCache = DiskCache()) {
        self.memory = memory
        self.disk = disk
    }

    /// Forgets what is kept, in memory and on the disk.
    @concurrent
    public func remove(_ scope: CacheScope) async {
        memory.remove(scope)
        await diskQueue.run { disk.remove(scope) }
    }

    /// What is kept, with its age; memory first. A response from the future, because the clock was set back, counts
    /// as none.
    /// - Parameters:
    ///   - extra: seconds that it may be older than it lives.
    ///   - isUsable: whether it is an answer to this request, as far as the key does not say.
    func response(
        for key: CacheKey, _ policy: CachePolicy, at now: Date, extra: TimeInterval = 0,
        isUsable: (CachedResponse) -> Bool
    ) async -> (CachedResponse, age: TimeInterval)? {
        func valid(_ response: CachedResponse?, _ life: TimeInterval) -> (CachedResponse, TimeInterval)? {
            guard let response, isUsable(response) else { return nil }
            let age = now.timeIntervalSince(response.storedAt)
            return age >= 0 && age <= life + extra ? (response, age) : nil
        }
        if let life = policy.memory, let found = valid(memory.response(for: key), life) { return found }
        guard let life = policy.disk,
            let found = valid(await diskQueue.run({ disk.response(for: key) }), life)
        else { return nil }
        if policy.memory != nil { memory.store(found.0, for: key) }
        return found
    }

    func store(_ response: CachedResponse, for key: CacheKey, _ policy: CachePolicy) async {
        if policy.memory != nil { memory.store(response, for: key) }
        if policy.disk != nil { await diskQueue.run { disk.store(response, for: key) } }
    }
}

@available(*, deprecated, renamed: "CacheTiers")
public typealias ResponseCaches = CacheTiers
