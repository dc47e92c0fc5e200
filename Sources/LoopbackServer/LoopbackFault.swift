public import Foundation

/// A fault of a response on the wire.
///
/// ```swift
/// let routes: [LoopbackRoute] = [
///     .get("/flaky") { _ in .fault(.reset) },
///     .get("/half") { _ in
///         .text("all of it").failing(with: .cut(atByte: 40))
///     },
/// ]
/// ```
///
/// Byte positions count from the first byte of the response, including its head. If a position is past the
/// end, the fault occurs after the whole response.
public enum LoopbackFault: Sendable, Hashable {
    /// Reads the request and closes the connection without a byte.
    case close
    /// Reads the request and resets the connection (TCP RST).
    case reset
    /// Sends so many bytes, then nothing more until the client leaves or the server stops.
    case stall(atByte: Int)
    /// Sends so many bytes, then closes the connection in an orderly way.
    case cut(atByte: Int)
    /// Sends so many bytes, then resets the connection (TCP RST).
    case abort(atByte: Int)
    /// Sends garbage where the status line should be, then closes.
    case malformedHead
    /// Sends exactly these bytes, then closes.
    case raw(Data)
    /// Sends more and more of one part of a response, up to so many bytes, then the rest of it.
    case flood(Part, bytes: Int)

    /// A part of a response that has no length, so that a hostile server can go on with it.
    public enum Part: Sendable, Hashable, CaseIterable {
        /// Interim responses (RFC 9110 section 15.2).
        case interimResponses
        /// Header fields.
        case headers
        /// Trailer fields of a body in chunked coding (RFC 9112 section 7.1.2).
        case trailers
        /// The extension of a chunk (RFC 9112 section 7.1.1).
        case chunkExtension
    }
}

extension LoopbackFault {
    /// How many bytes of the response may leave; nil for faults that replace it altogether.
    var allowance: Int? {
        switch self {
        case .close, .reset: 0
        case .stall(let count), .cut(let count), .abort(let count): max(0, count)
        case .malformedHead, .raw, .flood: nil
        }
    }

    /// The bytes sent in place of the response.
    var replacement: Data? {
        switch self {
        case .malformedHead: Data("~~ this is no status line ~~\r\n\r\n".utf8)
        case .raw(let data): data
        default: nil
        }
    }
}

extension LoopbackFault.Part {
    /// What comes before the flood, what it repeats, and what ends the response properly.
    var flood: (start: String, drop: String, end: String) {
        let status = "HTTP/1.1 200 OK\r\n"
        let field = "X-Fill: \(String(repeating: "x", count: 990))\r\n"
        return switch self {
        case .interimResponses:
            ("", "HTTP/1.1 103 Early Hints\r\n\(field)\r\n", status + "Content-Length: 2\r\n\r\nok")
        case .headers: (status, field, "Content-Length: 2\r\n\r\nok")
        case .trailers: (status + "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n", field, "\r\n")
        case .chunkExtension:
            (status + "Transfer-Encoding: chunked\r\n\r\n2", ";\(field.dropLast(2))", "\r\nok\r\n0\r\n\r\n")
        }
    }
}
