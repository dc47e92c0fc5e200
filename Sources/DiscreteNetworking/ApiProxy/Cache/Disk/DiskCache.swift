import Foundation

/// Keeps responses in files, those that were used last, up to a number of bytes.
///
/// ```swift
/// let cache = DiskCache(folder: groupFolder.appendingPathComponent("responses"), byteLimit: 64 << 20)
/// ```
/// A process that is killed while it writes leaves the old response or the new one, whole; several processes may share
/// a folder. What is damaged counts as not there, and is removed. On a disk that is full or read-only, nothing is
/// stored, and what is there can be read; what cannot be removed stays. Only the owner can reach the files, which are
/// not encrypted.
///
/// The first response that is stored takes a look at every file; after that, storing, reading and making room take the
/// same time however many there are.
public final class DiskCache: ResponseCache {
    private let path: String
    private let byteLimit: Int
    private let now: @Sendable () -> Date
    private let books = Locked(DiskCacheState())

    /// - Parameters:
    ///   - folder: made when the first response is stored, and not backed up. It may hold other files; they are left
    ///     alone. Default: `DiscreteNetworking` in the user's folder for caches, and in it one that is named after
    ///     the program.
    ///   - byteLimit: for all files, each counted in whole blocks of 4 KiB. Each further process that uses the folder
    ///     may exceed it by a few hundredths for a while. Default: 256 MiB.
    public convenience init(folder: URL? = nil, byteLimit: Int = 256 << 20) {
        self.init(folder: folder, byteLimit: byteLimit) { Date() }
    }

    init(folder: URL?, byteLimit: Int, now: @escaping @Sendable () -> Date) {
        path = (folder ?? Self.standardFolder).path
        self.byteLimit = byteLimit
        self.now = now
    }

    /// Where programs that are not sandboxed share a folder for caches, none finds another's responses.
    private static var standardFolder: URL {
        let caches =
            FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
            ?? FileManager.default.temporaryDirectory
        return caches.appendingPathComponent("DiscreteNetworking")
            .appendingPathComponent(Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName)
    }

    // MARK: Reading

    public func response(for key: CacheKey) -> CachedResponse? {
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

    /// Keeps a response in place of what was there; one that is larger than the limit only drops what was there.
    public func store(_ response: CachedResponse, for key: CacheKey) {
        guard let start = CacheFile.encode(response, for: key),
            CacheIndex.cost(Int64(start.count) + Int64(response.body.count)) <= byteLimit
        else { return remove(.key(key)) }
        guard let root = CacheDirectory.root(path, makes: true) else { return }
        let time = books.withLock { books in
            books.update(from: root, at: currentTime)
            return books.next(after: currentTime)
        }
        // Another process may remove the empty folder meanwhile.
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
                // Often enough that no process stores much that the others do not know of.
                if books.unannounced > byteLimit / 64 { books.announce(in: root, at: currentTime) }
            }
        }
    }

    // MARK: Removing

    public func remove(_ scope: CacheScope) {
        books.withLock { books in
            books.index?.removeAll(in: scope)
            CacheDirectory.root(path, makes: false)?.remove(scope)
        }
    }

    /// How much it keeps. The first time, it takes a look at every file.
    public var usage: CacheUsage {
        guard let root = CacheDirectory.root(path, makes: false) else {
            return CacheUsage(bytes: 0, count: 0)
        }
        return books.withLock { books in
            books.update(from: root, at: currentTime)
            return CacheUsage(bytes: books.index?.entries.cost ?? 0, count: books.index?.entries.count ?? 0)
        }
    }

    /// Now, in nanoseconds since 1970.
    private var currentTime: Int64 {
        let time = now().timeIntervalSince1970
        return Int64(min(max(time, -9e9), 9e9) * 1e9)
    }
}
