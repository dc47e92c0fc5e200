import Foundation

/// The body of a response.
public enum ResponseBody: Sendable {
    /// In memory, decompressed.
    case data(Data)
    /// In a file that now belongs to the receiver.
    case file(URL)
    /// Piece by piece, as it arrives; what is not read is not fetched.
    case stream(AsyncThrowingStream<Data, any Error>)
}

/// Where the body of a response shall go. A file is written by ``ApiProxy``, out of a stream; no transport
/// is ever asked for one.
public enum ResponseDestination: Sendable, Hashable {
    /// Into memory, up to a number of bytes.
    case memory(limit: Int)
    /// Into a file, whole or not at all.
    case file(URL)
    /// To a reader, piece by piece.
    case stream
}

extension ResponseBody: SecretBearing {
    /// The kind and the size; never the content.
    public var description: String {
        switch self {
        case .data(let data): "\(data.count) bytes"
        case .file(let url): "the file \(url.lastPathComponent)"
        case .stream: "a stream"
        }
    }
}

extension ResponseBody {
    /// The body piece by piece, whatever shape it came in: a transport of an app's own may know memory only.
    package var pieces: AsyncThrowingStream<Data, any Error> {
        switch self {
        case .data(let data): RequestBody.data(data).pieces
        case .file(let url): RequestBody.file(url).pieces
        case .stream(let stream): stream
        }
    }

    /// The whole body in memory; `nil` where it has more bytes than allowed.
    package func collect(limit: Int) async throws -> Data? {
        if case .data(let data) = self { return data.count <= limit ? data : nil }
        let pieces = pieces
        var data = Data()
        while let piece = try await pieces.next() {
            guard piece.count <= limit - data.count else { return nil }
            data += piece
        }
        return data
    }
}
