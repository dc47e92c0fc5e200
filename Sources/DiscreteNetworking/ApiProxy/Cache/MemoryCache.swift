import Foundation

/// Keeps responses as long as it lives, those that were used last, up to a number of bytes and of responses.
///
/// ```swift
/// let cache = MemoryCache(byteLimit: 4 << 20, countLimit: 100)
/// ```
/// Reading and storing take the same time however many there are. On iOS, tvOS and visionOS it is emptied when the
/// system warns the app of low memory, and on macOS when memory gets short; watchOS and Linux send no such warning.
public final class MemoryCache: ResponseCache {
    private let byteLimit: Int
    private let countLimit: Int
    private let responses: Locked<LRUList<CacheKey, CachedResponse>>
    private let pressure: MemoryPressure

    /// - Parameters:
    ///   - byteLimit: for bodies, headers and a little for each response. Default: 16 MiB.
    ///   - countLimit: how many responses. Default: 1000.
    public init(byteLimit: Int = 16 << 20, countLimit: Int = 1000) {
        self.byteLimit = byteLimit
        self.countLimit = countLimit
        let responses = Locked(LRUList<CacheKey, CachedResponse>())
        self.responses = responses
        pressure = MemoryPressure { [weak responses] in responses?.current = LRUList() }
    }

    public func response(for key: CacheKey) -> CachedResponse? {
        responses.withLock { $0.use(key) }
    }

    /// Keeps a response in place of what was there; one that is larger than the limit only drops what was there.
    public func store(_ response: CachedResponse, for key: CacheKey) {
        let size = response.memorySize
        responses.withLock { responses in
            guard size <= byteLimit else { return responses.remove(key) }
            responses.insert(response, cost: size, for: key)
            while responses.cost > byteLimit || responses.count > countLimit {
                guard responses.removeOldest() != nil else { return }
            }
        }
    }

    /// Forgets every response in a scope. A key takes no time; the others look at each stored response.
    public func remove(_ scope: CacheScope) {
        responses.withLock { $0.removeAll(in: scope) }
    }

    /// How much it keeps.
    public var usage: CacheUsage {
        responses.withLock { CacheUsage(bytes: $0.cost, count: $0.count) }
    }
}

extension CachedResponse {
    /// About how many bytes it takes: what it holds, and a little for each text and for the place in the list.
    var memorySize: Int {
        headers.reduce(256 + body.count + url.absoluteString.utf8.count + version.utf8.count) {
            $0 + 64 + $1.name.rawName.utf8.count + $1.value.utf8.count
        }
    }
}
