import Foundation

/// The caches of a proxy: one in memory and one on the disk, each used by the managers whose ``CachePolicy`` says so.
///
/// ```swift
/// await ApiProxy.shared.caches.remove(.service(.storefront))
/// ```
public struct ResponseCaches: Sendable {
    public let memory: any ResponseCache
    public let disk: any ResponseCache

    public init(memory: any ResponseCache = MemoryCache(), disk: any ResponseCache = DiskCache()) {
        self.memory = memory
        self.disk = disk
    }

    /// Forgets what is kept, in memory and on the disk.
    @concurrent
    public func remove(_ scope: CacheScope) async {
        memory.remove(scope)
        disk.remove(scope)
    }

    /// What is kept, with its age; what lives longest first. A response of another version, or one that comes from
    /// the future because the clock was set back, counts as none.
    /// - Parameter extra: seconds that it may be older than it lives.
    func response(
        for key: CacheKey, _ policy: CachePolicy, version: String, at now: Date, extra: TimeInterval = 0
    ) -> (CachedResponse, age: TimeInterval)? {
        func valid(_ cache: any ResponseCache, _ life: TimeInterval?) -> (CachedResponse, TimeInterval)? {
            guard let life, let response = cache.response(for: key), response.version == version else {
                return nil
            }
            let age = now.timeIntervalSince(response.storedAt)
            return age >= 0 && age <= life + extra ? (response, age) : nil
        }
        if let found = valid(memory, policy.memory) { return found }
        guard let found = valid(disk, policy.disk) else { return nil }
        if policy.memory != nil { memory.store(found.0, for: key) }
        return found
    }

    func store(_ response: CachedResponse, for key: CacheKey, _ policy: CachePolicy) {
        if policy.memory != nil { memory.store(response, for: key) }
        if policy.disk != nil { disk.store(response, for: key) }
    }
}
