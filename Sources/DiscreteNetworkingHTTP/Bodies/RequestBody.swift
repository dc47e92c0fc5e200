public import Foundation

/// The body of a request.
#if hasAttribute(nonexhaustive)
    @nonexhaustive(warn)
#endif
public enum RequestBody: Sendable {
    /// No body.
    case none
    /// Data in memory.
    case data(Data)
    /// The content of a file, read while it is sent.
    case file(URL)
    /// A stream, read while it is sent. The closure is called again if the body is sent again (after a
    /// redirect, or for a repeated call). Without a length, the body is sent with chunked transfer coding.
    case stream(length: Int64?, @Sendable () -> AsyncThrowingStream<Data, any Error>)
}

extension RequestBody {
    /// Returns the body with its data changed; no body stays none.
    /// - Throws: ``InvalidRequestError`` for a file or a stream, because its data is not in memory; what the closure
    ///   throws.
    public func map(_ change: (Data) throws -> Data) throws -> RequestBody {
        switch self {
        case .none: return .none
        case .data(let data): return .data(try change(data))
        case .file, .stream:
            throw InvalidRequestError(
                "The body is \(self), which is not in memory and cannot be changed as a whole; change its content before the call, and leave it as it is in the body transform."
            )
        }
    }
}

extension RequestBody: SecretBearing {
    /// The kind and size of the body; never the content.
    public var description: String {
        switch self {
        case .none: "no body"
        case .data(let data): "\(data.count) bytes"
        case .file(let url): "the file \(url.lastPathComponent)"
        case .stream(let length, _): "a stream of \(length.map { "\($0) bytes" } ?? "unknown length")"
        }
    }
}

extension RequestBody {
    /// The length in bytes; `nil` if unknown.
    /// - Throws: ``InvalidRequestError`` for a file that cannot be sent, and for a negative length.
    package var length: Int64? {
        get throws(InvalidRequestError) {
            switch self {
            case .none: return 0
            case .data(let data): return Int64(data.count)
            case .file(let url): return try FileReader.length(of: url)
            case .stream(let length, _):
                guard let length, length < 0 else { return length }
                throw InvalidRequestError(
                    "A stream has a length of \(length) bytes; leave the length out if it is unknown.")
            }
        }
    }

    /// The content in pieces, read lazily.
    package var pieces: AsyncThrowingStream<Data, any Error> {
        switch self {
        case .none: return AsyncThrowingStream { nil }
        case .data(let data):
            let rest = Locked<Data?>(data.isEmpty ? nil : data)
            return AsyncThrowingStream {
                rest.withLock { rest in
                    defer { rest = nil }
                    return rest
                }
            }
        case .file(let url):
            let reader = FileReader(url)
            return AsyncThrowingStream { try await reader.next() }
        case .stream(_, let make): return make()
        }
    }
}

extension AsyncThrowingStream where Element: Sendable, Failure == any Error {
    /// Returns the next element. All iterators of such a stream share its state, so a new iterator per
    /// element works, and none has to be stored where it would have to be `Sendable`.
    ///
    /// A stream ends silently if the waiting task is canceled; this method throws instead, so that a
    /// partial body is not mistaken for a complete one.
    package func next() async throws -> Element? {
        var iterator = makeAsyncIterator()
        if let element = try await iterator.next() { return element }
        try Task.checkCancellation()
        return nil
    }
}

/// Reads a file in pieces with constant memory. Uses its own queue, so that a stalled disk blocks nothing
/// else.
package actor FileReader {
    package static let pieceSize = 256 * 1024

    private let url: URL
    private let disk = DiskQueue("FileReader")
    private var handle: FileHandle?

    init(_ url: URL) { self.url = url }

    /// Returns the next piece; `nil` at the end.
    /// - Throws: ``TransferFailure/unreadable(reason:)``.
    func next() async throws -> Data? {
        do {
            let (open, piece) = try await disk.run { [url, handle] in
                let open = try handle ?? FileHandle(forReadingFrom: url)
                return (open, try open.read(upToCount: Self.pieceSize))
            }
            handle = open
            return piece.flatMap { $0.isEmpty ? nil : $0 }
        } catch {
            // The error's text is omitted: it may contain the whole path.
            throw TransferFailure.unreadable(reason: "The file \(url.lastPathComponent) cannot be read.")
        }
    }

    /// Returns the size of a file.
    /// - Throws: ``InvalidRequestError`` unless it is a readable regular file.
    static func length(of url: URL) throws(InvalidRequestError) -> Int64 {
        let name = url.lastPathComponent
        guard url.isFileURL else {
            throw InvalidRequestError("The body \(name) is not a file URL.")
        }
        guard let status = FileStatus(path: url.path) else {
            throw InvalidRequestError("The file \(name) to send does not exist.")
        }
        guard status.isRegular else {
            throw InvalidRequestError("\(name) is not a regular file; send its content as a stream.")
        }
        guard FileManager.default.isReadableFile(atPath: url.path) else {
            throw InvalidRequestError("The file \(name) is not readable; check its permissions.")
        }
        return status.size
    }
}

extension RequestBody {
    /// Whether the body is read while it is sent.
    package var isTransfer: Bool {
        switch self {
        case .none, .data: false
        case .file, .stream: true
        }
    }
}
