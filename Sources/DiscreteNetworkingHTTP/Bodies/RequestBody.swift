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
