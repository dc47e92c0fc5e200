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
