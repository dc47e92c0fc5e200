import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The file from which a request body is sent if it is not in memory.
final class RequestFile: Sendable {
    let url: URL
    /// The number of bytes to send, even if the file grows.
    let length: Int64
    /// Whether the file was created for this request and is removed with it.
    private let isTemporary: Bool
    private let wasShort = Locked(false)

    private init(_ url: URL, length: Int64, isTemporary: Bool) {
        self.url = url
        self.length = length
        self.isTemporary = isTemporary
    }

    /// Returns the file of a body; `nil` if the body is in memory. A stream is first written to a temporary
    /// file, because `URLSession` needs its length, and on Linux a blocking stream would block all sessions
    /// of the process.
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
                    "The file \(url.lastPathComponent) to send is unreadable or not a regular file.")
        }
        return RequestFile(url, length: status.size, isTemporary: false)
    }

    // MARK: Sending

    /// Records that the file is shorter than its declared length.
    func endedEarly() { wasShort.current = true }

    /// The error, if the file caused the failure.
    var failure: TransportError? {
        guard wasShort.current else { return nil }
        return TransportError(
            .bodyUnavailable,
            message: "The file \(url.lastPathComponent) was truncated or became unreadable while it was sent."
        )
    }

    /// Removes a temporary file.
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

    /// - Returns: The number of bytes written.
    private static func write(
        _ stream: AsyncThrowingStream<Data, any Error>, length: Int64?, to url: URL
    ) async throws(TransportError) -> Int64 {
        // Readable only by the user, and never an existing file.
        let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw unwritable }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        defer { try? handle.close() }
        var written: Int64 = 0
        do {
            for try await data in stream {
                written += Int64(data.count)
                // Stops reading a stream that exceeds its declared length.
                if let length, written > length { break }
                do { try handle.write(contentsOf: data) } catch { throw unwritable }
            }
        } catch {
            if Task.isCancelled { throw TransportError.exchangeCancelled }
            throw error as? TransportError
                ?? TransportError(
                    .bodyUnavailable,
                    // The error's text is omitted: it may contain a secret.
                    message: "The stream of the request body threw a \(type(of: error)).")
        }
        // A stream ends without an error if its reader is canceled.
        guard !Task.isCancelled else { throw TransportError.exchangeCancelled }
        if let length, written != length {
            throw TransportError(
                .bodyUnavailable,
                message:
                    "The stream of the request body does not have its declared length of \(length) bytes.")
        }
        return written
    }

    private static let unwritable = TransportError(
        .bodyUnavailable,
        message:
            "The stream of the request body cannot be written to the temporary directory; check the free space."
    )
}

extension URLSession {
    /// Creates the task for a request and its file, if any.
    func task(for request: URLRequest, from file: RequestFile?) -> URLSessionTask {
        guard let file else { return dataTask(with: request) }
        #if canImport(FoundationNetworking)
            // On Linux, `uploadTask(with:fromFile:)` crashes if the task ends while the file is read.
            var request = request
            request.httpBodyStream = RequestFileStream(file)
            request.setValue("\(file.length)", forHTTPHeaderField: "Content-Length")
            // A header of one space is not sent and prevents libcurl's chunked transfer coding.
            request.setValue(" ", forHTTPHeaderField: "Transfer-Encoding")
            return dataTask(with: request)
        #else
            return uploadTask(with: request, fromFile: file.url.resolvingSymlinksInPath())
        #endif
    }
}

#if canImport(FoundationNetworking)
    /// Reads a file in pieces for `URLSession` on Linux, on the session's queue.
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
                // The server waits for the declared length, so the exchange must end here.
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
