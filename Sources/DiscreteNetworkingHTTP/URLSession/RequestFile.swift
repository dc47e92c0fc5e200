import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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
        guard url.isFileURL, let status = FileStatus(path: url.path), status.isRegular,
            access(url.path, R_OK) == 0
        else {
            throw TransportError(
                .bodyUnavailable,
                message:
                    "The file \(url.lastPathComponent) to be sent cannot be read, or is no regular file.")
        }
        return RequestFile(url, length: status.size, isTemporary: false)
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

extension URLSession {
    /// A task for a request and the file that its body is in, if any.
    func task(for request: URLRequest, from file: RequestFile?) -> URLSessionTask {
        guard let file else { return dataTask(with: request) }
        #if canImport(FoundationNetworking)
            // `uploadTask(with:fromFile:)` stops the process on Linux where a task ends while it reads.
            var request = request
            request.httpBodyStream = RequestFileStream(file)
            request.setValue("\(file.length)", forHTTPHeaderField: "Content-Length")
            // A header of nothing but a space is not sent, and keeps libcurl from sending chunks.
            request.setValue(" ", forHTTPHeaderField: "Transfer-Encoding")
            return dataTask(with: request)
        #else
            return uploadTask(with: request, fromFile: file.url.resolvingSymlinksInPath())
        #endif
    }
}

#if canImport(FoundationNetworking)
    /// A file as `URLSession` on Linux reads it, piece by piece, on its own queue.
    private final class RequestFileStream: InputStream {
        private let file: RequestFile
        private var handle: FileHandle?
        private var left: Int64

        init(_ file: RequestFile) {
            self.file = file
            left = file.length
            super.init(data: Data())
        }

        override func open() { handle = try? FileHandle(forReadingFrom: file.url) }

        override func close() { handle = nil }

        override var hasBytesAvailable: Bool { left > 0 }

        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
            let count = Int(min(Int64(maxLength), left))
            guard let data = try? handle?.read(upToCount: count), !data.isEmpty else {
                // The server waits for what was announced, so the exchange has to end here.
                file.endedEarly()
                return -1
            }
            data.copyBytes(to: buffer, count: data.count)
            left -= Int64(data.count)
            if left == 0 { close() }
            return data.count
        }
    }
#endif
