import Foundation

/// The file that the body of a request is sent from, where it does not come out of memory.
struct RequestFile: Sendable {
    let url: URL
    /// Whether it was made for this one request and ends with it.
    private let isTemporary: Bool

    private init(_ url: URL, isTemporary: Bool) {
        self.url = url
        self.isTemporary = isTemporary
    }

    /// The file of a body; `nil` where the body is in memory. The bytes of a stream are written to a
    /// temporary file first: `URLSession` wants to know how many there are, and on Linux a stream that
    /// blocks would hold up every session of the process.
    static func of(_ body: RequestBody) async throws(TransportError) -> RequestFile? {
        switch body {
        case .none, .data: nil
        case .file(let url): try existing(url)
        case .stream(let length, let make): try await spooled(make(), length: length)
        }
    }

    /// Deletes a temporary file.
    func remove() {
        if isTemporary { try? FileManager.default.removeItem(at: url) }
    }

    private static func existing(_ url: URL) throws(TransportError) -> RequestFile {
        // Without links: on Linux URLSession takes the length of the link for that of the file.
        let target = url.resolvingSymlinksInPath()
        var status = stat()
        guard url.isFileURL, stat(target.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            access(target.path, R_OK) == 0
        else {
            throw TransportError(
                .bodyUnavailable,
                message:
                    "The file \(url.lastPathComponent) to be sent cannot be read, or is no regular file.")
        }
        return RequestFile(target, isTemporary: false)
    }

    // MARK: Streams

    private static func spooled(
        _ stream: AsyncThrowingStream<Data, any Error>, length: Int64?
    ) async throws(TransportError) -> RequestFile {
        let name = "DiscreteNetworking-\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString)"
        let file = RequestFile(
            FileManager.default.temporaryDirectory.appendingPathComponent(name), isTemporary: true)
        do throws(TransportError) {
            try await file.write(stream, length: length)
            return file
        } catch {
            file.remove()
            throw error
        }
    }

    private func write(
        _ stream: AsyncThrowingStream<Data, any Error>, length: Int64?
    ) async throws(TransportError) {
        // For this user only, and never into a file that somebody else has put there.
        let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.unwritable }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        defer { try? handle.close() }
        var written: Int64 = 0
        do {
            for try await data in stream {
                written += Int64(data.count)
                // No more is taken of a stream that is too long already.
                if let length, written > length { break }
                do { try handle.write(contentsOf: data) } catch { throw Self.unwritable }
            }
        } catch {
            if Task.isCancelled { throw Self.cancelled }
            throw error as? TransportError
                ?? TransportError(
                    .bodyUnavailable,
                    // Its text is not shown: it may hold a secret.
                    message: "The stream of the body to be sent threw a \(type(of: error)).")
        }
        // A stream ends early, and without an error, where its reader is cancelled.
        guard !Task.isCancelled else { throw Self.cancelled }
        if let length, written != length {
            throw TransportError(
                .bodyUnavailable,
                message: "The stream of the body to be sent has not the \(length) bytes that were announced.")
        }
    }

    private static let cancelled = TransportError(.cancelled, message: "The exchange was cancelled.")
    private static let unwritable = TransportError(
        .bodyUnavailable,
        message:
            "The stream of the body to be sent cannot be written to the temporary folder; is there room?")
}
