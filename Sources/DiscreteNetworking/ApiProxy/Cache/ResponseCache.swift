/// Keeps responses; ``MemoryCache`` and ``DiskCache`` do.
///
/// It may forget anything at any time, and never fails: what cannot be kept is not there later. How long a response
/// is good is not its business. Everything is synchronous, may take the time of a disk, and is called from any thread
/// but the main one.
public protocol ResponseCache: Sendable {
    /// What was stored last under a key, whole; `nil` where that is gone.
    func response(for key: CacheKey) -> CachedResponse?
    /// Keeps a response in place of what was there.
    func store(_ response: CachedResponse, for key: CacheKey)
    /// Forgets every response in a scope.
    func remove(_ scope: CacheScope)
}

/// Which responses a cache is to forget.
public enum CacheScope: Sendable, Hashable {
    case all
    case service(ServiceIdentifier)
    case endpoint(ServiceIdentifier, methodName: String)
    case key(CacheKey)
}

/// How much a cache keeps.
public struct CacheUsage: Sendable, Hashable {
    /// As the cache counts them against its limit.
    public var bytes: Int
    /// How many responses.
    public var count: Int

    public init(bytes: Int, count: Int) {
        self.bytes = bytes
        self.count = count
    }
}
