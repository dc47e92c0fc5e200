import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file that is being downloaded, under another name until it is whole. One at a time may write to it, in
/// all processes. What it does may stall with its disk.
final class PartialFile: Sendable {
    let destination: URL
    private let descriptor: Locked<Int32?>

    var url: URL { Self.partial(of: destination) }
    private var sidecar: URL { Self.sidecar(of: destination) }

    private static func partial(of destination: URL) -> URL { destination.appendingPathExtension("partial") }
    private static func sidecar(of destination: URL) -> URL {
        partial(of: destination).appendingPathExtension("json")
    }

    /// - Parameter descriptor: of a file that is open and locked.
    init(_ descriptor: Int32, destination: URL) {
        self.descriptor = Locked(descriptor)
        self.destination = destination
    }

    deinit { close() }

    // MARK: Opening

    /// Opens and locks the file.
    /// - Parameter isPrivate: whether a new one is for this user only, as in a folder that all can read.
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
                // Only the name goes away; what has another one stays.
                guard unlink(path) == 0 || errno == ENOENT else { throw failure("opened") }
                continue
            }
            if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
                closeFile(descriptor)
                throw .destinationInUse
            }
            // Some file systems know no locks (ENOLCK, ENOTSUP): then there is none.
            // Who had the lock before may have given the file its final name meanwhile.
            if let opened = FileStatus(descriptor: descriptor),
                opened.isSameFile(as: FileStatus(path: path))
            {
                return PartialFile(descriptor, destination: destination)
            }
            closeFile(descriptor)
        }
    }

    /// Whether a file has no other name, and is not somebody else's: emptying it would empty what another has under
    /// that name, and what is written to it another could read.
    private static func isOurs(_ descriptor: Int32) -> Bool {
        guard let status = FileStatus(descriptor: descriptor) else { return false }
        // A name that is gone by now is looked at again further down.
        return status.isRegular && status.owner == geteuid() && status.links <= 1
    }

    private static func check(_ destination: URL) throws(TransferFailure) {
        guard destination.isFileURL else {
            throw .unwritable(reason: "\(destination.lastPathComponent) is no file URL.")
        }
        guard FileStatus(path: destination.deletingLastPathComponent().path)?.isDirectory == true else {
            throw .unwritable(reason: "The folder for \(destination.lastPathComponent) does not exist.")
        }
        guard FileStatus(path: destination.path)?.isDirectory != true else {
            throw .unwritable(reason: "\(destination.lastPathComponent) is a folder.")
        }
    }

    // MARK: Content

    /// How many bytes it has.
    var size: Int64 {
        descriptor.withLock { $0.flatMap(FileStatus.init(descriptor:))?.size ?? 0 }
    }

    /// What is needed to go on with what is there; `nil` where nothing is, or nothing that can be used.
    var resumePoint: ResumePoint? {
        guard size > 0, let data = try? Data(contentsOf: sidecar) else { return nil }
        return try? JSONDecoder().decode(ResumePoint.self, from: data)
    }

    /// Empties the file, and notes how to go on with what it will hold.
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

    /// The bytes from a place on, up to a piece; none at the end.
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

    // MARK: The end

    // Each end is one step under the lock: a file that has its last name already, or none, is never left
    // to somebody else.

    /// Makes the file safe on the disk, gives it its name and closes it.
    func finish() throws(TransferFailure) {
        try descriptor.withLock { descriptor throws(TransferFailure) in
            guard let open = descriptor else { throw Self.closed }
            guard fsync(open) == 0, rename(url.path, destination.path) == 0 else {
                throw Self.failure("stored")
            }
            unlink(sidecar.path)
            // The folder holds the name; that it cannot be synced is no reason to fail.
            let folder = openFile(destination.deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC, 0)
            if folder >= 0 {
                _ = fsync(folder)
                closeFile(folder)
            }
            closeFile(open)
            descriptor = nil
        }
    }

    /// Removes all there is, and closes the file.
    func discard() {
        descriptor.withLock { descriptor in
            // Without the file's own lock it would be somebody else's.
            guard let open = descriptor else { return }
            Self.remove(destination)
            closeFile(open)
            descriptor = nil
        }
    }

    /// Removes what is left of a download that nobody goes on with.
    static func remove(_ destination: URL) {
        unlink(partial(of: destination).path)
        unlink(sidecar(of: destination).path)
    }

    /// Lets others write to the file.
    func close() {
        descriptor.withLock { descriptor in
            if let descriptor { closeFile(descriptor) }
            descriptor = nil
        }
    }

    /// Leaves the open and locked file to somebody else; `nil` where it is closed. Whoever still writes
    /// here gets an error.
    func surrender() -> PartialFile? {
        descriptor.withLock { descriptor in
            defer { descriptor = nil }
            return descriptor.map { PartialFile($0, destination: destination) }
        }
    }

    // MARK: The system's

    private func withDescriptor<Result>(
        _ body: (Int32) throws(TransferFailure) -> Result
    ) throws(TransferFailure) -> Result {
        try descriptor.withLock { descriptor throws(TransferFailure) in
            guard let descriptor else { throw Self.closed }
            return try body(descriptor)
        }
    }

    private static let closed = TransferFailure.unwritable(reason: "It was closed meanwhile.")

    private static func failure(_ what: String) -> TransferFailure {
        .unwritable(reason: "It cannot be \(what): \(String(cString: strerror(errno))).")
    }
}

// Of the same names as methods here.
private func openFile(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }
private func closeFile(_ descriptor: Int32) { _ = close(descriptor) }

/// Removes what a download into the temporary folder leaves behind, once its call is over.
final class TemporaryPartialFile: Sendable {
    private let destination: URL

    init(_ destination: URL) { self.destination = destination }

    deinit { PartialFile.remove(destination) }
}
