import Foundation

/// The file that the body of a request is sent from, where it does not come out of memory.
final class RequestFile: Sendable {
    let url: URL
    /// Bytes that are sent, also where the file grows meanwhile.
    let length: Int64
    /// Whether it was made for this one request and ends with it.
    private let isTemporary: Bool
    private let wasShort = Locked(false)

    private init(_ url: URL, length: Int64, isTemporary: Bool) {
        self.url = url
        self.length = length
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

    private static func existing(_ url: URL) throws(TransportError) -> RequestFile {
        let path = url.path
        var status = stat()
        guard url.isFileURL, stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            access(path, R_OK) == 0
        else {
            throw TransportError(
                .bodyUnavailable,
                message:
                    "The file \(url.lastPathComponent) to be sent cannot be read, or is no regular file.")
        }
        return RequestFile(url, length: Int64(status.st_size), isTemporary: false)
    }

    // MARK: While it is sent

    /// Says that there are fewer bytes than there were.
    func endedEarly() { wasShort.current = true }

    /// Why the exchange failed, where that is the file's fault.
    var failure: TransportError? {
        guard wasShort.current else { return nil }
        return TransportError(
            .bodyUnavailable,
            message: "The file \(url.lastPathComponent) became shorter or unreadable while it was sent.")
    }

    /// Deletes a temporary file.
    func remove() {
        if isTemporary { Self.remove(url) }
    }

    private static func remove(_ url: URL) { try? FileManager.default.removeItem(at: url) }

    // MARK: Streams

    private static func spooled(
        _ stream: AsyncThrowingStream<Data, any Error>, length: Int64?
    ) async throws(TransportError) -> RequestFile {
        let name = "DiscreteNetworking-\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString)"
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(name)
        do throws(TransportError) {
            return RequestFile(
                url, length: try await write(stream, length: length, to: url), isTemporary: true)
        } catch {
            remove(url)
            throw error
        }
    }

    /// - Returns: how many bytes there were.
    private static func write(
        _ stream: AsyncThrowingStream<Data, any Error>, length: Int64?, to url: URL
    ) async throws(TransportError) -> Int64 {
        // For this user only, and never into a file that somebody else has put there.
        let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw unwritable }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        defer { try? handle.close() }
        var written: Int64 = 0
        do {
            for try await data in stream {
                written += Int64(data.count)
                // No more is taken of a stream that is too long already.
                if let length, written > length { break }
                do { try handle.write(contentsOf: data) } catch { throw unwritable }
            }
        } catch {
            if Task.isCancelled { throw TransportError.exchangeCancelled }
            throw error as? TransportError
                ?? TransportError(
                    .bodyUnavailable,
                    // Its text is not shown: it may hold a secret.
                    message: "The stream of the body to be sent threw a \(type(of: error)).")
        }
        // A stream ends early, and without an error, where its reader is cancelled.
        guard !Task.isCancelled else { throw TransportError.exchangeCancelled }
        if let length, written != length {
            throw TransportError(
                .bodyUnavailable,
                message: "The stream of the body to be sent has not the \(length) bytes that were announced.")
        }
        return written
    }

    private static let unwritable = TransportError(
        .bodyUnavailable,
        message:
            "The stream of the body to be sent cannot be written to the temporary folder; is there room?")
}
