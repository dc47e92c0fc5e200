import Foundation

/// The body of a request.
public enum RequestBody: Sendable {
    /// No body.
    case none
    /// Bytes in memory.
    case data(Data)
    /// The bytes of a file, read while they are sent.
    case file(URL)
    /// Bytes made while they are sent. The closure is asked anew where the body has to go out again
    /// (a redirect, a repeated call). Without a length the transfer is chunked.
    case stream(length: Int64?, @Sendable () -> AsyncThrowingStream<Data, any Error>)
}

extension RequestBody: SecretBearing {
    /// The kind and the size; never the content.
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
    /// How many bytes there are; `nil` where that shows only at the end.
    /// - Throws: ``InvalidRequest`` for a file that cannot be sent.
    package var length: Int64? {
        get throws(InvalidRequest) {
            switch self {
            case .none: 0
            case .data(let data): Int64(data.count)
            case .file(let url): try FileReader.length(of: url)
            case .stream(let length, _): length
            }
        }
    }

    /// The bytes from the beginning, piece by piece, made as they are asked for.
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
    /// The next element. All iterators of such a stream share one place in it, so one can be made for
    /// each step, and none has to be kept where it cannot be `Sendable`.
    ///
    /// A stream ends silently when the task that waits for it is cancelled; here that is an error, so that
    /// nobody takes half a body for a whole one.
    package func next() async throws -> Element? {
        var iterator = makeAsyncIterator()
        if let element = try await iterator.next() { return element }
        try Task.checkCancellation()
        return nil
    }
}

/// Reads a file in pieces, as they are asked for, so that a file of any size takes the same memory. A disk that
/// stalls holds up nobody else.
package actor FileReader {
    package static let pieceSize = 256 * 1024

    private let url: URL
    private let disk = DiskQueue("FileReader")
    private var handle: FileHandle?

    init(_ url: URL) { self.url = url }

    /// The next piece; `nil` at the end.
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
            // Its own text may hold the whole path.
            throw TransferFailure.unreadable(reason: "The file \(url.lastPathComponent) cannot be read.")
        }
    }

    /// The size of a file that can be sent: a regular one that may be read.
    static func length(of url: URL) throws(InvalidRequest) -> Int64 {
        let name = url.lastPathComponent
        guard url.isFileURL else {
            throw InvalidRequest("The body is to come from \(name), which is no file URL.")
        }
        guard let status = FileStatus(path: url.path) else {
            throw InvalidRequest("There is no file \(name) to send.")
        }
        guard status.isRegular else {
            throw InvalidRequest("\(name) is not a regular file; send what it holds as a stream.")
        }
        guard FileManager.default.isReadableFile(atPath: url.path) else {
            throw InvalidRequest("The file \(name) may not be read.")
        }
        return status.size
    }
}
