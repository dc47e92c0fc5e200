public import DiscreteNetworkingCore

/// A cache for responses, such as ``MemoryCache`` and ``DiskCache``.
///
/// A cache may remove anything at any time and never fails: a response that cannot be stored is absent
/// later. Freshness is not its concern. Methods are synchronous, may block on the disk, and are called from
/// any thread except the main thread.
public protocol ResponseCache: Sendable {
    /// Returns the response last stored for a key; `nil` if there is none.
    func response(for key: CacheKey) -> CachedResponse?
    /// Stores a response, replacing an existing one.
    func store(_ response: CachedResponse, for key: CacheKey)
    /// Removes every response in a scope.
    func remove(_ scope: CacheScope)
}

/// A set of cached responses to remove.
#if hasAttribute(nonexhaustive)
    @nonexhaustive(warn)
#endif
public enum CacheScope: Sendable, Hashable {
    /// All responses.
    case all
    /// The responses of a service.
    case service(ServiceIdentifier)
    /// The responses of an endpoint.
    case endpoint(ServiceIdentifier, methodName: String)
    /// The response of a key.
    case key(CacheKey)
}

/// The size of a cache.
public struct CacheUsage: Sendable, Hashable {
    /// The number of bytes, as counted against the cache's limit.
    public var bytes: Int
    /// The number of responses.
    public var count: Int

    /// Creates a size; for custom caches.
    public init(bytes: Int, count: Int) {
        self.bytes = bytes
        self.count = count
    }
}
