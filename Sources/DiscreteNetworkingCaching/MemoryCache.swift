import DiscreteNetworkingCore
import DiscreteNetworkingHTTP
import Foundation

/// A least recently used cache in memory, limited by bytes and by count.
///
/// ```swift
/// let cache = MemoryCache(byteLimit: 4 << 20, countLimit: 100)
/// ```
///
/// Reading and storing take constant time. The cache is cleared on a memory warning on iOS, tvOS and
/// visionOS, and under memory pressure on macOS; watchOS and Linux send no such notification.
public final class MemoryCache: ResponseCache {
    private let byteLimit: Int
    private let countLimit: Int
    private let responses: Locked<LRUList<CacheKey, CachedResponse>>
    private let pressure: MemoryPressure

    /// Creates a cache.
    /// - Parameters:
    ///   - byteLimit: The maximum total size in bytes: bodies, headers, keys and some overhead. Default: 16 MiB.
    ///   - countLimit: The maximum number of responses. Default: 1000.
    public init(byteLimit: Int = 16 << 20, countLimit: Int = 1000) {
        self.byteLimit = byteLimit
        self.countLimit = countLimit
        let responses = Locked(LRUList<CacheKey, CachedResponse>())
        self.responses = responses
        pressure = MemoryPressure { responses.current = LRUList() }
    }

    public func response(for key: CacheKey) -> CachedResponse? {
        responses.withLock { $0.use(key) }
    }

    /// Stores a response, replacing an existing one. A response larger than the limit only removes the
    /// existing one.
    public func store(_ response: CachedResponse, for key: CacheKey) {
        let size = response.memorySize + key.memorySize
        responses.withLock { responses in
            guard size <= byteLimit else { return responses.remove(key) }
            responses.insert(response, cost: size, for: key)
            while responses.cost > byteLimit || responses.count > countLimit {
                guard responses.removeOldest() != nil else { return }
            }
        }
    }

    /// Removes every response in a scope. Constant time for a key, otherwise linear in the number of
    /// responses.
    public func remove(_ scope: CacheScope) {
        responses.withLock { responses in
            switch scope {
            case .all: responses = LRUList()
            case .key(let key): responses.remove(key)
            case .service, .endpoint:
                for key in responses.keys.filter({ $0.isIn(scope) }) { responses.remove(key) }
            }
        }
    }

    /// The current size.
    public var usage: CacheUsage {
        responses.withLock { CacheUsage(bytes: Int(clamping: $0.cost), count: $0.count) }
    }
}

extension CachedResponse {
    /// The approximate size in memory, in bytes.
    var memorySize: Int {
        headers.reduce(256 + body.count + url.absoluteString.utf8.count + version.utf8.count) {
            $0 + 64 + $1.name.rawName.utf8.count + $1.value.utf8.count
        }
    }
}
