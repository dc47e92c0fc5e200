package import Foundation

/// An open directory that only its owner can access, of credentials or of calls that wait.
///
/// All operations use the directory's descriptor, so the directory that was checked is the one that is
/// used.
package final class PrivateFolder: Sendable {
    private let url: URL
    let descriptor: Int32

    private init(_ descriptor: Int32, _ url: URL) {
        self.descriptor = descriptor
        self.url = url
    }

    deinit { close(descriptor) }

    /// Opens the directory; returns `nil` if it does not exist.
    package static func existing(at url: URL) throws(CredentialStoreError) -> PrivateFolder? {
        let descriptor = open(url.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor < 0 && errno == ENOENT { return nil }
        guard descriptor >= 0 else { throw CredentialStoreError(errno, "The folder \(url.path)", "opened") }
        let folder = PrivateFolder(descriptor, url)
        try FileOwnership.check(descriptor, isFolder: true, url.path)
        return folder
    }

    /// Opens the directory, creating it if needed.
    package static func made(at url: URL) throws(CredentialStoreError) -> PrivateFolder {
        if let folder = try existing(at: url) { return folder }
        // If this fails, `mkdir` below fails too and reports the reason.
        try? FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        if mkdir(url.path, 0o700) == 0 {
            // The umask may have removed permissions.
            chmod(url.path, 0o700)
        } else if errno != EEXIST {
            throw CredentialStoreError(errno, "The folder \(url.path)", "made")
        }
        guard let folder = try existing(at: url) else {
            throw CredentialStoreError(ENOENT, "The folder \(url.path)", "made")
        }
        return folder
    }

    func path(of name: String) -> String { url.appendingPathComponent(name).path }

    // MARK: Files

    /// Returns the contents of a file, up to one byte more than the limit; `nil` if the file does not
    /// exist.
    package func read(_ name: String, limit: Int) throws(CredentialStoreError) -> Data? {
        // `O_NONBLOCK`: opening a FIFO must not block.
        let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        if file < 0 && errno == ENOENT { return nil }
        guard file >= 0 else {
            let failure = failure(name, "read")
            // A socket cannot be opened.
            guard failure.kind == .notPrivate || isRegular(name) else {
                throw FileOwnership.notRegular(path(of: name))
            }
            throw failure
        }
        defer { close(file) }
        try FileOwnership.check(file, isFolder: false, path(of: name))
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while data.count <= limit {
            let count = Foundation.read(file, &buffer, min(buffer.count, limit + 1 - data.count))
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw failure(name, "read") }
            if count == 0 { break }
            data += buffer[..<count]
        }
        return data
    }

    /// Takes the permissions of others from a file of the owner's that they could only read, as the restoration of a backup may
    /// leave it. What others could write is left for ``read(_:limit:)`` to refuse.
    package func makePrivate(_ name: String) {
        guard let status = FileStatus(name, in: descriptor), status.isRegular, status.owner == geteuid(),
            status.permissions != 0o600, status.permissions & 0o022 == 0
        else { return }
        // Nobody but the owner can put another file in its place. If this fails, reading it reports the mode.
        fchmodat(descriptor, name, 0o600, 0)
    }

    /// Whether the name is one of a file, and not of a socket, a directory or a link.
    package func isRegular(_ name: String) -> Bool {
        FileStatus(name, in: descriptor)?.isRegular == true
    }

    /// Atomically replaces a file. The data is on disk when this returns.
    package func replace(_ name: String, with data: Data) throws(CredentialStoreError) {
        let new = name + ".new"
        // A leftover of a process that was killed.
        unlinkat(descriptor, new, 0)
        do throws(CredentialStoreError) {
            try write(data, to: new)
            guard renameat(descriptor, new, descriptor, name) == 0 else { throw failure(name, "written") }
            try synchronize()
        } catch {
            unlinkat(descriptor, new, 0)
            throw error
        }
    }

    private func write(_ data: Data, to name: String) throws(CredentialStoreError) {
        let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure(name, "made") }
        defer { close(file) }
        guard fchmod(file, 0o600) == 0 else { throw failure(name, "made private") }
        guard data.withUnsafeBytes({ FileBytes.write($0, to: file) }) else { throw failure(name, "written") }
        guard Self.synchronize(file) else { throw failure(name, "written") }
    }

    /// Creates a file to write to, bit by bit.
    package func create(_ name: String) throws(CredentialStoreError) -> FileHandle {
        let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure(name, "made") }
        return FileHandle(fileDescriptor: file, closeOnDealloc: true)
    }

    /// Renames a damaged file so that it is preserved but no longer used.
    /// - Returns: The new path.
    func setAside(_ name: String) throws(CredentialStoreError) -> String {
        var number = 1
        var status = stat()
        while fstatat(descriptor, "\(name).damaged-\(number)", &status, AT_SYMLINK_NOFOLLOW) == 0 {
            number += 1
        }
        let aside = "\(name).damaged-\(number)"
        guard renameat(descriptor, name, descriptor, aside) == 0 else { throw failure(name, "set aside") }
        try synchronize()
        return path(of: aside)
    }

    /// Removes every file with a name that starts with a prefix.
    func removeAll(beginningWith prefix: String) throws(CredentialStoreError) {
        try remove(try names().filter { $0.hasPrefix(prefix) })
    }

    /// Removes files, as far as they exist. They are gone from the disk when this returns.
    package func remove(_ names: [String]) throws(CredentialStoreError) {
        for name in names where unlinkat(descriptor, name, 0) != 0 && errno != ENOENT {
            throw failure(name, "removed")
        }
        try synchronize()
    }

    /// Whether a file was last changed more than some seconds ago, by the clock of the device.
    package func isOlder(_ name: String, than seconds: TimeInterval) -> Bool {
        guard let status = FileStatus(name, in: descriptor) else { return false }
        return Double(status.modified) / 1e9 < Date().timeIntervalSince1970 - seconds
    }

    /// When a file was last added, renamed or removed, in nanoseconds since 1970; `nil` if that is not known.
    package var modified: Int64? { FileStatus(descriptor: descriptor)?.modified }

    /// The names of the files, in no order.
    package func names() throws(CredentialStoreError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: url.path)
        } catch {
            throw CredentialStoreError(.unavailable, message: "The folder \(url.path) cannot be listed.")
        }
    }

    func synchronize() throws(CredentialStoreError) {
        guard Self.synchronize(descriptor) else { throw failure("", "written") }
    }

    static func synchronize(_ descriptor: Int32) -> Bool {
        #if canImport(Darwin)
            // On Darwin, fsync does not flush the drive's cache. Not every file system supports
            // F_FULLFSYNC.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return true }
        #endif
        return fsync(descriptor) == 0
    }

    // MARK: Lock

    /// Does something that no other process, and no other thread, does at the same time in this folder.
    /// - Parameter timeout: seconds to wait for others.
    func alone<Result>(
        timeout: TimeInterval, _ body: () throws(CredentialStoreError) -> Result
    ) throws(CredentialStoreError) -> Result {
        let file = openat(descriptor, "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure("lock", "opened") }
        // Closing the descriptor releases the lock, and so does the end of the process.
        defer { close(file) }
        // Asked again and again, because a lock that is waited for has no timeout.
        var attempts = Int(min(max(timeout, 0), 86_400) * 2000)
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw failure("lock", "locked") }
            guard attempts > 0 else {
                throw CredentialStoreError(
                    .busy,
                    message:
                        "Another process has held \(path(of: "lock")) for \(timeout) s; try again later.")
            }
            attempts -= 1
            usleep(500)
        }
        return try body()
    }

    /// Acquires a separate lock, held until it is released or the process ends; returns `nil` if another
    /// holder has it.
    package func tryLock(_ name: String) throws(CredentialStoreError) -> CredentialLock? {
        let file = openat(descriptor, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure(name, "opened") }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let reason = errno
            close(file)
            if reason == EWOULDBLOCK || reason == EINTR { return nil }
            throw CredentialStoreError(reason, "The file \(path(of: name))", "locked")
        }
        return CredentialLock { close(file) }
    }

    func failure(_ name: String, _ verb: String) -> CredentialStoreError {
        CredentialStoreError(errno, "The file \(path(of: name))", verb)
    }
}
