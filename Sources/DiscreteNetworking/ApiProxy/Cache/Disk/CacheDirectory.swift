import Foundation

/// An open folder of a disk cache. Nothing here throws or waits: what cannot be done is not done.
///
/// Everything goes by the folder's descriptor, and no link is followed, so that nothing outside is read or changed.
final class CacheDirectory {
    private let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// The cache's own folder. Links in the path to it are the user's choice.
    static func root(_ path: String, makes: Bool) -> CacheDirectory? {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor >= 0 { return CacheDirectory(descriptor) }
        guard makes, errno == ENOENT else { return nil }
        let url = URL(fileURLWithPath: path, isDirectory: true)
        try? FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { return nil }
        #if canImport(Darwin)
            var (folder, values) = (url, URLResourceValues())
            values.isExcludedFromBackup = true
            try? folder.setResourceValues(values)
        #endif
        return root(path, makes: false)
    }

    /// A folder in this one, which nobody but its owner, the user, can write to.
    func folder(_ name: String, makes: Bool) -> CacheDirectory? {
        if makes, mkdirat(descriptor, name, 0o700) != 0, errno != EEXIST { return nil }
        let child = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard child >= 0 else { return nil }
        let folder = CacheDirectory(child)
        guard let status = folder.status, status.owner == geteuid() else { return nil }
        // Others may have changed it, or the umask has taken bits away.
        if makes, status.permissions & 0o777 != 0o700, fchmod(child, 0o700) == 0 { return folder }
        guard status.permissions & 0o022 == 0 else { return nil }
        return folder
    }

    var status: FileStatus? { FileStatus(descriptor: descriptor) }

    func status(of name: String) -> FileStatus? { FileStatus(name, in: descriptor) }

    /// The names of all that is in it.
    var names: [String] {
        let list = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard list >= 0 else { return [] }
        guard let stream = fdopendir(list) else {
            close(list)
            return []
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    // MARK: Reading

    enum Reading {
        case response(CachedResponse, FileStatus)
        /// Not a file as the cache writes it.
        case damaged
        /// None, or none that can be read now.
        case nothing
    }

    func read(_ key: CacheKey) -> Reading {
        // A pipe in place of the file must not be waited for.
        let file = openat(
            descriptor, CacheFileName.response(key), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            // A link, or a socket.
            return [ELOOP, ENXIO, EOPNOTSUPP].contains(errno) ? .damaged : .nothing
        }
        defer { close(file) }
        guard let status = FileStatus(descriptor: file) else { return .nothing }
        guard status.isRegular, status.owner == geteuid(), status.permissions & 0o077 == 0,
            status.size >= CacheFile.beginningSize
        else { return .damaged }
        guard let beginning = Self.read(file, CacheFile.beginningSize) else { return .nothing }
        guard let lengths = CacheFile.lengths(beginning, fileSize: status.size) else { return .damaged }
        guard let head = Self.read(file, lengths.head), let body = Self.read(file, lengths.body) else {
            return .nothing
        }
        let response = CacheFile.decode(beginning: beginning, head: head, body: body, for: key)
        return response.map { .response($0, status) } ?? .damaged
    }

    private static func read(_ file: Int32, _ count: Int) -> Data? {
        if count == 0 { return Data() }
        // Not filled with zeros first; and where there is not so much memory, a miss.
        guard let memory = malloc(count) else { return nil }
        guard FileBytes.read(file, into: .init(start: memory, count: count)) == count else {
            free(memory)
            return nil
        }
        // Only now, because of a few bytes it makes a copy and frees them at once.
        return Data(bytesNoCopy: memory, count: count, deallocator: .free)
    }

    // MARK: Writing

    /// Writes a file under a name of its own, with a time of its own in nanoseconds since 1970.
    /// - Returns: that name; `nil` where nothing could be written, and nothing is left of it.
    func write(_ parts: [Data], for key: CacheKey, at time: Int64) -> String? {
        let name = CacheFileName.unfinished(key)
        let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { return nil }
        defer { close(file) }
        // The umask may have taken bits away.
        let isWritten =
            fchmod(file, 0o600) == 0
            && parts.allSatisfy { part in part.withUnsafeBytes { FileBytes.write($0, to: file) } }
        // A file system without times keeps the response all the same.
        if isWritten { Self.withTimes(time) { _ = futimens(file, $0) } }
        if !isWritten { remove(name) }
        return isWritten ? name : nil
    }

    /// Gives a written file its final name, in one step and in place of what was there.
    func finish(_ name: String, for key: CacheKey) -> Bool {
        let final = CacheFileName.response(key)
        if renameat(descriptor, name, descriptor, final) == 0 { return true }
        // An empty folder stands there.
        if errno == EISDIR, unlinkat(descriptor, final, AT_REMOVEDIR) == 0,
            renameat(descriptor, name, descriptor, final) == 0
        {
            return true
        }
        remove(name)
        return false
    }

    /// Notes when a file, not a link's target, was used.
    func touch(_ name: String, at time: Int64) {
        Self.withTimes(time) { _ = utimensat(descriptor, name, $0, AT_SYMLINK_NOFOLLOW) }
    }

    /// Notes a time for the folder itself.
    func touch(at time: Int64) {
        Self.withTimes(time) { _ = futimens(descriptor, $0) }
    }

    private static func withTimes(_ time: Int64, _ body: (UnsafePointer<timespec>) -> Void) {
        let (seconds, rest) = time.quotientAndRemainder(dividingBy: 1_000_000_000)
        let time = timespec(
            // 32 bits on watches before Series 9, which end in 2038.
            tv_sec: time_t(clamping: rest < 0 ? seconds - 1 : seconds),
            tv_nsec: Int(rest < 0 ? rest + 1_000_000_000 : rest))
        withUnsafeTemporaryAllocation(of: timespec.self, capacity: 2) { times in
            times.initialize(repeating: time)
            if let times = times.baseAddress { body(times) }
        }
    }

    // MARK: Removing

    /// Removes a file, a link or an empty folder.
    func remove(_ name: String) {
        if unlinkat(descriptor, name, 0) != 0, errno == EISDIR || errno == EPERM {
            _ = unlinkat(descriptor, name, AT_REMOVEDIR)
        }
    }
}
