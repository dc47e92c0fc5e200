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

    /// Creates the two caches.
    public init(memory: any ResponseCache = MemoryCache(), disk: any ResponseCache = DiskCache()) {
        self.memory = memory
        self.disk = disk
    }

    /// Removes responses in a scope, from memory and disk.
    @concurrent
    public func remove(_ scope: CacheScope) async {
        memory.remove(scope)
        await diskQueue.run { disk.remove(scope) }
    }

    /// Returns a stored response and its age, from memory first. A response stored in the future, because
    /// the clock was set back, is ignored.
    /// - Parameters:
    ///   - extra: The seconds that a response may be stale.
    ///   - isUsable: Whether a response matches the request beyond the key.
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
