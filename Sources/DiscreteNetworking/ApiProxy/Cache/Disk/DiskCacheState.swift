/// What a disk cache remembers.
struct DiskCacheState: Sendable {
    /// `nil` until something is stored.
    var index: CacheIndex?
    /// The time of the folder when the index was made, or when this process set it.
    private var seen: Int64?
    /// How many bytes were stored since others were told.
    private(set) var unannounced = 0
    /// The latest time that a file was given.
    private var latest = Int64.min

    /// Makes the index, where there is none or another process has said that it stored something.
    ///
    /// A process says so by setting the time of the cache's folder; the system does, when a service's folder comes or
    /// goes.
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
        // Another one has; the index is made anew the next time, and this process is heard then.
        guard root.status?.modified == seen else { return }
        root.touch(at: next(after: now))
        seen = root.status?.modified
    }

    mutating func stored(_ file: FileStatus, for key: CacheKey) {
        unannounced += CacheIndex.cost(file.size)
        index?.insert(file, for: key)
    }

    /// - Returns: the time to give to the file that was used; `nil` where it is the newest already.
    mutating func use(_ key: CacheKey, after file: FileStatus, in folder: CacheDirectory, at now: Int64)
        -> Int64?
    {
        latest = max(latest, file.modified)
        // One of another process, unless it was removed just now.
        if index?.use(key) == false, let file = folder.status(of: CacheFileName.response(key)) {
            index?.insert(file, for: key)
        }
        return index != nil && file.modified == latest ? nil : next(after: now)
    }

    /// A time for a file: later than all others, even where the clock was set back.
    mutating func next(after now: Int64) -> Int64 {
        latest = max(now, latest &+ 1)
        return latest
    }
}
