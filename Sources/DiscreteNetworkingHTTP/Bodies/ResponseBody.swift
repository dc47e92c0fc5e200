public import Foundation

/// The body of a response.
#if hasAttribute(nonexhaustive)
    @nonexhaustive(warn)
#endif
public enum ResponseBody: Sendable {
    /// Data in memory, after decompression.
    case data(Data)
    /// A file that the receiver owns.
    case file(URL)
    /// A stream; data is received only as it is read.
    case stream(AsyncThrowingStream<Data, any Error>)
}

/// The destination of a response body. ``ApiProxy`` writes files from a stream; transports are not asked
/// for files.
#if hasAttribute(nonexhaustive)
    @nonexhaustive(warn)
#endif
public enum ResponseDestination: Sendable, Hashable {
    /// Memory, with a size limit in bytes.
    case memory(limit: Int)
    /// A file, written atomically.
    case file(URL)
    /// A stream.
    case stream
}

extension ResponseBody: SecretBearing {
    /// The kind and size of the body; never the content.
    public var description: String {
        switch self {
        case .data(let data): "\(data.count) bytes"
        case .file(let url): "the file \(url.lastPathComponent)"
        case .stream: "a stream"
        }
    }
}

extension ResponseBody {
    /// The body as a stream, regardless of its kind: custom transports may support memory only.
    package var pieces: AsyncThrowingStream<Data, any Error> {
        switch self {
        case .data(let data): RequestBody.data(data).pieces
        case .file(let url): RequestBody.file(url).pieces
        case .stream(let stream): stream
        }
    }

    /// Returns the whole body; `nil` if it exceeds a limit in bytes.
    package func collect(limit: Int) async throws -> Data? {
        if case .data(let data) = self { return data.count <= limit ? data : nil }
        let pieces = pieces
        var data = Data()
        while let piece = try await pieces.next() {
            guard piece.count <= limit - data.count else { return nil }
            data += piece
        }
        // For a canceled reader, an `AsyncThrowingStream` ends as if the body were complete.
        try Task.checkCancellation()
        return data
    }
}
