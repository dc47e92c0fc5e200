import DiscreteNetworkingCore
import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file being downloaded, under a temporary name until it is complete. Locked across processes: only one
/// writer at a time. Operations may block on the disk.
final class PartialFile: Sendable {
    let destination: URL
    private let descriptor: Locked<Int32?>

    var url: URL { Self.partial(of: destination) }
    private var sidecar: URL { Self.sidecar(of: destination) }

    private static func partial(of destination: URL) -> URL { destination.appendingPathExtension("partial") }
    private static func sidecar(of destination: URL) -> URL {
        partial(of: destination).appendingPathExtension("json")
    }

    /// - Parameter descriptor: The descriptor of an open and locked file.
    init(_ descriptor: Int32, destination: URL) {
        self.descriptor = Locked(descriptor)
        self.destination = destination
    }

    deinit { close() }

    // MARK: Opening

    /// Opens and locks the file.
    /// - Parameter isPrivate: Whether a new file is readable only by the user, as in a shared directory.
    /// - Throws: ``TransferFailure/destinationInUse`` or ``TransferFailure/unwritable(reason:)``.
    static func open(_ destination: URL, isPrivate: Bool = false) throws(TransferFailure) -> PartialFile {
        try check(destination)
        let path = partial(of: destination).path
        while true {
            let descriptor = openFile(
                path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, isPrivate ? 0o600 : 0o644)
            guard descriptor >= 0 else { throw failure("opened") }
            guard isOurs(descriptor) else {
                closeFile(descriptor)
                // Removes only this name; other hard links are kept.
                guard unlink(path) == 0 || errno == ENOENT else { throw failure("opened") }
                continue
            }
            if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
                closeFile(descriptor)
                throw .destinationInUse
            }
            // If the file system does not support locks (ENOLCK, ENOTSUP), none is used. The previous
            // holder of the lock may have renamed the file in the meantime.
            if let opened = FileStatus(descriptor: descriptor),
                opened.isSameFile(as: FileStatus(path: path))
            {
                return PartialFile(descriptor, destination: destination)
            }
            closeFile(descriptor)
        }
    }

    /// Whether the file is owned by the user and has no other hard link, through which others could read or
    /// lose data.
    private static func isOurs(_ descriptor: Int32) -> Bool {
        guard let status = FileStatus(descriptor: descriptor) else { return false }
        // A file that was unlinked in the meantime is checked again below.
        return status.isRegular && status.owner == geteuid() && status.links <= 1
    }

    static func check(_ destination: URL) throws(TransferFailure) {
        guard destination.isFileURL else {
            throw .unwritable(reason: "\(destination.lastPathComponent) is not a file URL.")
        }
        guard FileStatus(path: destination.deletingLastPathComponent().path)?.isDirectory == true else {
            throw .unwritable(
                reason: "The directory of \(destination.lastPathComponent) does not exist; create it first.")
        }
        guard FileStatus(path: destination.path)?.isDirectory != true else {
            throw .unwritable(reason: "\(destination.lastPathComponent) is a directory.")
        }
    }

    // MARK: Content

    /// The size of the file, in bytes.
    var size: Int64 {
        descriptor.withLock { $0.flatMap(FileStatus.init(descriptor:))?.size ?? 0 }
    }

    /// The metadata to resume the download; `nil` if there is no data or no valid metadata.
    var resumePoint: ResumePoint? {
        guard size > 0, let data = try? Data(contentsOf: sidecar) else { return nil }
        return try? JSONDecoder().decode(ResumePoint.self, fromUntrusted: data)
    }

    /// Truncates the file and stores the metadata of its new content.
    func start(_ point: ResumePoint?) throws(TransferFailure) {
        try withDescriptor { descriptor throws(TransferFailure) in
            guard ftruncate(descriptor, 0) == 0 else { throw Self.failure("emptied") }
            unlink(sidecar.path)
            guard let point else { return }
            do {
                try JSONEncoder().encode(point).write(to: sidecar, options: .atomic)
            } catch {
                throw .unwritable(reason: "\(sidecar.lastPathComponent) cannot be written.")
            }
        }
    }

    func append(_ data: Data) throws(TransferFailure) {
        try withDescriptor { descriptor throws(TransferFailure) in
            guard lseek(descriptor, 0, SEEK_END) >= 0,
                data.withUnsafeBytes({ FileBytes.write($0, to: descriptor) })
            else { throw Self.failure("written") }
        }
    }

    /// Reads up to one piece at an offset; empty at the end.
    func read(at offset: Int64) throws(TransferFailure) -> Data {
        try withDescriptor { descriptor throws(TransferFailure) in
            var piece = Data(count: FileReader.pieceSize)
            let count = piece.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress, $0.count, off_t(offset))
            }
            guard count >= 0 else { throw Self.failure("read") }
            return piece.prefix(count)
        }
    }

    // MARK: Finishing

    // Each ending is one step under the lock, so that a renamed or removed file is never handed over.

    /// Syncs the file to disk, moves it to its place and closes it.
    /// - Parameter place: The destination, unless it was chosen by the response.
    func finish(at place: URL? = nil) throws(TransferFailure) {
        let place = place ?? destination
        if place != destination { try Self.check(place) }
        try descriptor.withLock { descriptor throws(TransferFailure) in
            guard let open = descriptor else { throw Self.closed }
            guard fsync(open) == 0 else { throw Self.failure("stored") }
            if rename(url.path, place.path) != 0 {
                guard errno == EXDEV else { throw Self.failure("stored") }
                try Self.put(url, at: place)
                unlink(url.path)
            }
            unlink(sidecar.path)
            Self.synchronizeFolder(of: place)
            closeFile(open)
            descriptor = nil
        }
    }

    /// Puts a complete file at a place, where it appears whole. Its old name stays.
    /// - Returns: The size in bytes.
    @discardableResult
    static func put(_ url: URL, at place: URL) throws(TransferFailure) -> Int64 {
        let new = place.deletingLastPathComponent().appendingPathComponent(".\(UUID().uuidString).partial")
        defer { unlink(new.path) }
        // A second name costs nothing. On another volume, or where there are no links, the file is copied.
        if link(url.path, new.path) != 0 {
            do {
                try FileManager.default.copyItem(at: url, to: new)
            } catch {
                throw .unwritable(reason: "\(place.lastPathComponent) cannot be written.")
            }
        }
        let descriptor = openFile(new.path, O_RDONLY | O_CLOEXEC, 0)
        guard descriptor >= 0 else { throw failure("stored") }
        defer { closeFile(descriptor) }
        guard let status = FileStatus(descriptor: descriptor), fsync(descriptor) == 0,
            rename(new.path, place.path) == 0
        else { throw failure("stored") }
        synchronizeFolder(of: place)
        return status.size
    }

    /// Syncs the directory entry; an error here does not fail the download.
    private static func synchronizeFolder(of place: URL) {
        let folder = openFile(place.deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC, 0)
        guard folder >= 0 else { return }
        _ = fsync(folder)
        closeFile(folder)
    }

    /// Removes the file and its metadata, and closes it.
    func discard() {
        descriptor.withLock { descriptor in
            // Without the lock, the file could belong to another writer.
            guard let open = descriptor else { return }
            Self.remove(destination)
            closeFile(open)
            descriptor = nil
        }
    }

    /// Removes an abandoned partial download.
    static func remove(_ destination: URL) {
        unlink(partial(of: destination).path)
        unlink(sidecar(of: destination).path)
    }

    /// Closes the file and releases its lock.
    func close() {
        descriptor.withLock { descriptor in
            if let descriptor { closeFile(descriptor) }
            descriptor = nil
        }
    }

    /// Hands the open and locked file over to another owner; returns `nil` if it is closed. Later writes
    /// through this object fail.
    func surrender() -> PartialFile? {
        descriptor.withLock { descriptor in
            defer { descriptor = nil }
            return descriptor.map { PartialFile($0, destination: destination) }
        }
    }

    // MARK: System calls

    private func withDescriptor<Result>(
        _ body: (Int32) throws(TransferFailure) -> Result
    ) throws(TransferFailure) -> Result {
        try descriptor.withLock { descriptor throws(TransferFailure) in
            guard let descriptor else { throw Self.closed }
            return try body(descriptor)
        }
    }

    private static let closed = TransferFailure.unwritable(reason: "The file was closed in the meantime.")

    private static func failure(_ what: String) -> TransferFailure {
        .unwritable(reason: "The file cannot be \(what): \(String(cString: strerror(errno))).")
    }
}

// Wrappers for functions with the same names as methods here.
private func openFile(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }
private func closeFile(_ descriptor: Int32) { _ = close(descriptor) }

/// Removes the partial data of a download to the temporary directory when no step has the attempt any more.
final class TemporaryPartialFile: AttemptState {
    static let lifetime = SlotLifetime.call
    private let destination: URL

    init(_ destination: URL) { self.destination = destination }

    deinit { PartialFile.remove(destination) }
}

extension Attempt {
    /// Keeps the partial data of a download to the temporary directory no longer than the call.
    mutating func takeTemporaryFile() {
        guard let download = call.overrides.download, download.isTemporary,
            self[TemporaryPartialFile.self] == nil
        else { return }
        self[TemporaryPartialFile.self] = TemporaryPartialFile(download.destination)
    }
}
