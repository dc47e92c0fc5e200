import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file that is being downloaded, under another name until it is whole. One at a time may write to it, in
/// all processes.
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
    /// - Throws: ``TransferFailure/destinationInUse`` or ``TransferFailure/unwritable(reason:)``.
    static func open(_ destination: URL) throws(TransferFailure) -> PartialFile {
        try check(destination)
        let path = partial(of: destination).path
        while true {
            let descriptor = openFile(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
            guard descriptor >= 0 else { throw failure("opened") }
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
        try withDescriptor("emptied") { ftruncate($0, 0) == 0 }
        do {
            try? FileManager.default.removeItem(at: sidecar)
            if let point { try JSONEncoder().encode(point).write(to: sidecar, options: .atomic) }
        } catch {
            throw .unwritable(reason: "\(sidecar.lastPathComponent) cannot be written.")
        }
    }

    func append(_ data: Data) throws(TransferFailure) {
        try withDescriptor("written") { descriptor in
            guard lseek(descriptor, 0, SEEK_END) >= 0 else { return false }
            return data.withUnsafeBytes { FileBytes.write($0, to: descriptor) }
        }
    }

    /// The digest of all that is there, as text.
    func digest(_ algorithm: DigestAlgorithm) async throws -> String {
        var digester = Digester(algorithm)
        var offset: Int64 = 0
        while true {
            try Task.checkCancellation()
            var piece = [UInt8](repeating: 0, count: FileReader.pieceSize)
            var count = 0
            try withDescriptor("read") { descriptor in
                count = piece.withUnsafeMutableBytes {
                    pread(descriptor, $0.baseAddress, $0.count, off_t(offset))
                }
                return count >= 0
            }
            guard count > 0 else { return digester.finish().hexadecimal }
            digester.update(piece[..<count])
            offset += Int64(count)
            await Task.yield()
        }
    }

    // MARK: The end

    /// Makes the file safe on the disk, gives it its name and closes it.
    func finish() throws(TransferFailure) {
        try withDescriptor("stored") { descriptor in
            fsync(descriptor) == 0 && rename(url.path, destination.path) == 0
        }
        try? FileManager.default.removeItem(at: sidecar)
        // The folder holds the name; that it cannot be synced is no reason to fail.
        let folder = openFile(destination.deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC, 0)
        if folder >= 0 {
            _ = fsync(folder)
            closeFile(folder)
        }
        close()
    }

    /// Removes all there is.
    func discard() {
        descriptor.withLock { descriptor in
            // Without the lock it would be somebody else's.
            guard descriptor != nil else { return }
            Self.remove(destination)
        }
        close()
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

    private func withDescriptor(_ what: String, _ body: (Int32) -> Bool) throws(TransferFailure) {
        let failure = descriptor.withLock { descriptor -> TransferFailure? in
            guard let descriptor else { return .unwritable(reason: "It was closed meanwhile.") }
            return body(descriptor) ? nil : Self.failure(what)
        }
        if let failure { throw failure }
    }

    private static func failure(_ what: String) -> TransferFailure {
        .unwritable(reason: "It cannot be \(what): \(String(cString: strerror(errno))).")
    }
}

// Of the same names as methods here.
private func openFile(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }
private func closeFile(_ descriptor: Int32) { _ = close(descriptor) }
