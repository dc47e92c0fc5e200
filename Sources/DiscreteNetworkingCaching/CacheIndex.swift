import DiscreteNetworkingCore
import Foundation

/// The index of a disk cache: its files, their sizes, and the order of their use.
///
/// Changes by other processes since it was built are included as they are encountered.
struct CacheIndex: Sendable {
    private(set) var entries = LRUList<CacheFileKey, Void>()
    /// The latest modification time of any file, in nanoseconds since 1970.
    private(set) var latest = Int64.min

    init() {}

    /// Builds the index from all files, and removes unfinished files of processes that were killed.
    /// - Parameter now: Nanoseconds since 1970.
    init(of root: CacheDirectory, at now: Int64) {
        var found: [(key: CacheFileKey, file: FileStatus)] = []
        for service in root.names where CacheFileName.isDigest(service) {
            guard let folder = root.folder(service, makes: false) else { continue }
            for endpoint in folder.names where CacheFileName.isDigest(endpoint) {
                guard let folder = folder.folder(endpoint, makes: false) else { continue }
                for name in folder.names {
                    guard let kind = CacheFileName(name), let file = folder.status(of: name) else { continue }
                    switch kind {
                    case .response(let entry):
                        let key = CacheFileKey(service: service, endpoint: endpoint, entry: entry)
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

    mutating func insert(_ file: FileStatus, for key: CacheFileKey) {
        entries.insert((), cost: Self.cost(file.size), for: key)
        latest = max(latest, file.modified)
    }

    /// Marks a key as the most recently used.
    /// - Returns: Whether the key is in the index.
    mutating func use(_ key: CacheFileKey) -> Bool { entries.use(key) != nil }

    mutating func remove(_ key: CacheFileKey) { entries.remove(key) }
    mutating func removeAll(in scope: CacheScope) {
        switch scope {
        case .all: entries = LRUList()
        case .key(let key): remove(CacheFileKey(key))
        case .service(let service):
            let digest = CacheKey.service(service)
            for key in entries.keys.filter({ $0.service == digest }) { remove(key) }
        case .endpoint(let service, let methodName):
            let digest = CacheKey.endpoint(service, methodName: methodName)
            for key in entries.keys.filter({ $0.endpoint == digest }) { remove(key) }
        }
    }
    /// Removes and returns the least recently used key if the total size exceeds a limit.
    mutating func removeOldest(above limit: Int) -> CacheFileKey? {
        entries.cost > limit ? entries.removeOldest() : nil
    }

    /// Returns the disk usage of a file, in whole blocks.
    static func cost(_ size: Int64) -> Int { Int(clamping: (size + 4095) & ~4095) }

    /// Whether an unfinished file is abandoned. A wrong result, after a clock change or for a process in
    /// another container, only loses that write.
    private static func isAbandoned(_ file: FileStatus, of process: pid_t, at now: Int64) -> Bool {
        let age = now.subtractingReportingOverflow(file.modified)
        let isOld = age.overflow || age.partialValue.magnitude > 3600 * 1_000_000_000
        return isOld || kill(process, 0) != 0 && errno == ESRCH
    }
}
