import DiscreteNetworkingCore
import Foundation

/// An open directory of a disk cache. Operations neither throw nor wait; what fails is skipped.
///
/// All operations use the directory's descriptor and follow no symbolic links, so nothing outside is read
/// or changed.
final class CacheDirectory {
    private let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Opens the root directory. Symbolic links in the path to it are followed.
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

    /// Opens a subdirectory that is owned by the user and not writable by others.
    func folder(_ name: String, makes: Bool) -> CacheDirectory? {
        if makes, mkdirat(descriptor, name, 0o700) != 0, errno != EEXIST { return nil }
        let child = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard child >= 0 else { return nil }
        let folder = CacheDirectory(child)
        guard let status = folder.status, status.owner == geteuid() else { return nil }
        // The permissions may have been changed, or restricted by the umask.
        if makes, status.permissions & 0o777 != 0o700, fchmod(child, 0o700) == 0 { return folder }
        guard status.permissions & 0o022 == 0 else { return nil }
        return folder
    }

    var status: FileStatus? { FileStatus(descriptor: descriptor) }

    func status(of name: String) -> FileStatus? { FileStatus(name, in: descriptor) }

    /// The names of all entries.
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
        /// Not a valid file of the cache.
        case damaged
        /// Missing, or currently unreadable.
        case nothing
    }

    func read(_ key: CacheFileKey) -> Reading {
        // `O_NONBLOCK`: opening a FIFO must not block.
        let file = openat(
            descriptor, CacheFileName.response(key), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            // A symbolic link or a socket.
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
        // malloc avoids zeroing; if memory is short, the read is a cache miss.
        guard let memory = malloc(count) else { return nil }
        guard FileBytes.read(file, into: .init(start: memory, count: count)) == count else {
            free(memory)
            return nil
        }
        // Created only now, because for a few bytes it copies and frees the buffer immediately.
        return Data(bytesNoCopy: memory, count: count, deallocator: .free)
    }

    // MARK: Writing

    /// Writes a file under a unique temporary name, with a modification time in nanoseconds since 1970.
    /// - Returns: The name; `nil` if the file could not be written, in which case nothing remains.
    func write(_ parts: [Data], for key: CacheFileKey, at time: Int64) -> String? {
        let name = CacheFileName.unfinished(key)
        let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { return nil }
        defer { close(file) }
        // The umask may have removed permissions.
        let isWritten =
            fchmod(file, 0o600) == 0
            && parts.allSatisfy { part in part.withUnsafeBytes { FileBytes.write($0, to: file) } }
        // A file system without timestamps still stores the response.
        if isWritten { Self.withTimes(time) { _ = futimens(file, $0) } }
        if !isWritten { remove(name) }
        return isWritten ? name : nil
    }

    /// Atomically renames a finished file, replacing an existing one.
    func finish(_ name: String, for key: CacheFileKey) -> Bool {
        let final = CacheFileName.response(key)
        if renameat(descriptor, name, descriptor, final) == 0 { return true }
        // The name is taken by an empty directory.
        if errno == EISDIR, unlinkat(descriptor, final, AT_REMOVEDIR) == 0,
            renameat(descriptor, name, descriptor, final) == 0
        {
            return true
        }
        remove(name)
        return false
    }

    /// Sets the time of last use of a file, not following links.
    func touch(_ name: String, at time: Int64) {
        Self.withTimes(time) { _ = utimensat(descriptor, name, $0, AT_SYMLINK_NOFOLLOW) }
    }

    /// Sets the modification time of the directory.
    func touch(at time: Int64) {
        Self.withTimes(time) { _ = futimens(descriptor, $0) }
    }

    private static func withTimes(_ time: Int64, _ body: (UnsafePointer<timespec>) -> Void) {
        let (seconds, rest) = time.quotientAndRemainder(dividingBy: 1_000_000_000)
        let time = timespec(
            // 32 bits on Apple Watch before Series 9, which ends in 2038.
            tv_sec: time_t(clamping: rest < 0 ? seconds - 1 : seconds),
            tv_nsec: Int(rest < 0 ? rest + 1_000_000_000 : rest))
        withUnsafeTemporaryAllocation(of: timespec.self, capacity: 2) { times in
            times.initialize(repeating: time)
            if let times = times.baseAddress { body(times) }
        }
    }

    // MARK: Removing

    /// Removes a file, a link or an empty directory.
    func remove(_ name: String) {
        if unlinkat(descriptor, name, 0) != 0, errno == EISDIR || errno == EPERM {
            _ = unlinkat(descriptor, name, AT_REMOVEDIR)
        }
    }
}
