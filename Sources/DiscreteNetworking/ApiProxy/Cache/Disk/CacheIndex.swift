import Foundation

/// What a disk cache knows of its folder: which files there are, how large they are, and which was used longest ago.
///
/// Files of another process that have come or gone since it was made are not in it until they are met.
struct CacheIndex: Sendable {
    private(set) var entries = LRUList<CacheKey, Void>()
    /// The latest time that any file has, in nanoseconds since 1970.
    private(set) var latest = Int64.min

    init() {}

    /// Looks at every file, and removes what processes that were killed have left.
    /// - Parameter now: nanoseconds since 1970.
    init(of root: CacheDirectory, at now: Int64) {
        var found: [(key: CacheKey, file: FileStatus)] = []
        for service in root.names where CacheFileName.isDigest(service) {
            guard let folder = root.folder(service, makes: false) else { continue }
            for endpoint in folder.names where CacheFileName.isDigest(endpoint) {
                guard let folder = folder.folder(endpoint, makes: false) else { continue }
                for name in folder.names {
                    guard let kind = CacheFileName(name), let file = folder.status(of: name) else { continue }
                    switch kind {
                    case .response(let entry):
                        let key = CacheKey(service: service, endpoint: endpoint, entry: entry)
                        if file.isRegular { found.append((key, file)) }
                    case .unfinished(let process):
                        if Self.isAbandoned(file, of: process, at: now) { folder.remove(name) }
                    }
                }
            }
        }
        for (key, file) in found.sorted(by: { $0.file.modified < $1.file.modified }) {
            insert(file, for: key)
        }
    }

    mutating func insert(_ file: FileStatus, for key: CacheKey) {
        entries.insert((), cost: Self.cost(file.size), for: key)
        latest = max(latest, file.modified)
    }

    /// Makes a key the newest.
    /// - Returns: whether there is such a key.
    mutating func use(_ key: CacheKey) -> Bool { entries.use(key) != nil }

    mutating func remove(_ key: CacheKey) { entries.remove(key) }
    mutating func removeAll(in scope: CacheScope) { entries.removeAll(in: scope) }
    /// The key that was used longest ago, removed where all together cost more than that.
    mutating func removeOldest(above limit: Int) -> CacheKey? {
        entries.cost > limit ? entries.removeOldest() : nil
    }

    /// What a file takes on most disks: whole blocks.
    static func cost(_ size: Int64) -> Int { Int(clamping: (size + 4095) & ~4095) }

    /// Whether nobody finishes it any more. Where that is wrong, because a clock was set or the process runs in
    /// another container, that process has written in vain, and nothing worse.
    private static func isAbandoned(_ file: FileStatus, of process: pid_t, at now: Int64) -> Bool {
        let age = now.subtractingReportingOverflow(file.modified)
        let isOld = age.overflow || age.partialValue.magnitude > 3600 * 1_000_000_000
        return isOld || kill(process, 0) != 0 && errno == ESRCH
    }
}
