import DiscreteNetworkingCore

/// The in-memory state of a disk cache.
struct DiskCacheState: Sendable {
    /// `nil` until something is stored.
    var index: CacheIndex?
    /// The directory's modification time when the index was built or last set by this process.
    private var seen: Int64?
    /// The number of bytes stored since the last announcement to other processes.
    private(set) var unannounced: Int64 = 0
    /// The latest modification time given to a file.
    private var latest = Int64.min

    /// Builds the index if there is none or another process has announced changes.
    ///
    /// A process announces changes by setting the root directory's modification time; the system sets it
    /// when a service's directory is added or removed.
    mutating func update(from root: CacheDirectory, at now: Int64) {
        let modified = root.status?.modified
        if index != nil, modified == seen { return }
        seen = modified
        let index = CacheIndex(of: root, at: now)
        latest = max(latest, index.latest)
        self.index = index
    }

    mutating func announce(in root: CacheDirectory, at now: Int64) {
        unannounced = 0
        // Another process has announced changes: the index will be rebuilt, and these changes announced
        // after that.
        guard root.status?.modified == seen else { return }
        root.touch(at: next(after: now))
        seen = root.status?.modified
    }

    mutating func stored(_ file: FileStatus, for key: CacheFileKey) {
        unannounced += Int64(CacheIndex.cost(file.size))
        index?.insert(file, for: key)
    }

    /// - Returns: The new modification time of the file; `nil` if it is already the latest.
    mutating func use(_ key: CacheFileKey, after file: FileStatus, in folder: CacheDirectory, at now: Int64)
        -> Int64?
    {
        latest = max(latest, file.modified)
        // A file of another process, unless it has just been removed.
        if index?.use(key) == false, let file = folder.status(of: CacheFileName.response(key)) {
            index?.insert(file, for: key)
        }
        return index != nil && file.modified == latest ? nil : next(after: now)
    }

    /// Returns a modification time later than all others, even if the clock was set back.
    mutating func next(after now: Int64) -> Int64 {
        latest = max(now, latest &+ 1)
        return latest
    }
}
