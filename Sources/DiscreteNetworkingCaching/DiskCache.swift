import DiscreteNetworkingCore
public import Foundation

/// A least recently used cache on disk, limited by bytes.
///
/// ```swift
/// let cache = DiskCache(
///     folder: groupFolder.appendingPathComponent("responses"),
///     byteLimit: 64 << 20)
/// ```
///
/// Writes are atomic, and several processes may share a directory. Damaged files are treated as missing and
/// removed. If the disk is full or read-only, nothing is stored, but existing responses can be read. Only
/// the owner can access the files, which are not encrypted.
///
/// The first store scans the directory; after that, storing, reading and evicting take constant time.
public final class DiskCache: ResponseCache {
    private let path: String
    private let byteLimit: Int
    private let now: @Sendable () -> Date
    private let books = Locked(DiskCacheState())
    /// What takes the place of the disk; `nil` for a cache that no service in memory created.
    private let memory: MemoryCache?

    /// Creates a cache.
    /// - Parameters:
    ///   - folder: The directory, created on the first store and excluded from backups. Other files in it
    ///     are not touched. Default: a directory named after the program, in `DiscreteNetworking` in the
    ///     user's caches directory.
    ///   - byteLimit: The maximum total size in bytes, each file counted in blocks of 4 KiB. Every
    ///     additional process that uses the directory may temporarily exceed it by about 2 percent.
    ///     Default: 256 MiB.
    public convenience init(folder: URL? = nil, byteLimit: Int = 256 << 20) {
        let isInMemory = MemoryStorage.current != nil
        self.init(
            folder: folder, byteLimit: byteLimit,
            memory: isInMemory ? MemoryCache(byteLimit: byteLimit, countLimit: .max) : nil
        ) { Date() }
    }

    init(
        folder: URL?, byteLimit: Int, memory: MemoryCache? = nil, now: @escaping @Sendable () -> Date
    ) {
        path = (folder ?? ResponseFolder.standard).path
        self.byteLimit = byteLimit
        self.now = now
        self.memory = memory
    }

    // MARK: Reading

    public func response(for cacheKey: CacheKey) -> CachedResponse? {
        if let memory { return memory.response(for: cacheKey) }
        let key = CacheFileKey(cacheKey)
        guard let folder = CacheDirectory.root(path, makes: false)?.folder(of: key, makes: false) else {
            return nil
        }
        let name = CacheFileName.response(key)
        switch folder.read(key) {
        case .response(let response, let file):
            if let time = books.withLock({ $0.use(key, after: file, in: folder, at: currentTime) }) {
                folder.touch(name, at: time)
            }
            return response
        case .damaged:
            folder.remove(name)
            books.withLock { $0.index?.remove(key) }
            return nil
        case .nothing:
            // Another process may have removed it.
            if folder.status(of: name) == nil { books.withLock { $0.index?.remove(key) } }
            return nil
        }
    }

    // MARK: Storing

    /// Stores a response, replacing an existing one. A response larger than the limit only removes the
    /// existing one.
    public func store(_ response: CachedResponse, for cacheKey: CacheKey) {
        if let memory { return memory.store(response, for: cacheKey) }
        let key = CacheFileKey(cacheKey)
        guard let start = CacheFile.encode(response, for: key),
            CacheIndex.cost(Int64(start.count) + Int64(response.body.count)) <= byteLimit
        else { return remove(.key(cacheKey)) }
        guard let root = CacheDirectory.root(path, makes: true) else { return }
        let time = books.withLock { books in
            books.update(from: root, at: currentTime)
            return books.next(after: currentTime)
        }
        // Another process may remove the empty directory in the meantime.
        for _ in 1...2 {
            guard let folder = root.folder(of: key, makes: true) else { return }
            guard let name = folder.write([start, response.body], for: key, at: time) else { continue }
            return books.withLock { books in
                guard folder.finish(name, for: key),
                    let file = folder.status(of: CacheFileName.response(key))
                else { return }
                books.stored(file, for: key)
                while let oldest = books.index?.removeOldest(above: byteLimit) {
                    root.folder(of: oldest, makes: false)?.remove(CacheFileName.response(oldest))
                }
                // Often enough to limit what a process stores without the others' knowledge.
                if books.unannounced > byteLimit / 64 { books.announce(in: root, at: currentTime) }
            }
        }
    }

    // MARK: Removing

    public func remove(_ scope: CacheScope) {
        if let memory { return memory.remove(scope) }
        books.withLock { books in
            books.index?.removeAll(in: scope)
            CacheDirectory.root(path, makes: false)?.remove(scope)
        }
    }

    /// The current size. The first access scans the directory.
    public var usage: CacheUsage {
        if let memory { return memory.usage }
        guard let root = CacheDirectory.root(path, makes: false) else {
            return CacheUsage(bytes: 0, count: 0)
        }
        return books.withLock { books in
            books.update(from: root, at: currentTime)
            return CacheUsage(
                bytes: Int(clamping: books.index?.entries.cost ?? 0), count: books.index?.entries.count ?? 0)
        }
    }

    /// The current time, in nanoseconds since 1970.
    private var currentTime: Int64 {
        let time = now().timeIntervalSince1970
        return Int64(min(max(time, -9e9), 9e9) * 1e9)
    }
}
