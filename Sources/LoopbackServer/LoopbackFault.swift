import Foundation

/// A way for a response to go wrong on the wire.
///
/// ```swift
/// .get("/flaky") { _ in .fault(.reset) }
/// .get("/half") { _ in .text("all of it").failing(with: .cut(atByte: 40)) }
/// ```
///
/// Byte positions count from the first byte of the response, heads included. A position past the end means
/// that the whole response is sent before the fault strikes.
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
}

extension LoopbackFault {
    /// How many bytes of the response may leave; nil for faults that replace it altogether.
    var allowance: Int? {
        switch self {
        case .close, .reset: 0
        case .stall(let count), .cut(let count), .abort(let count): max(0, count)
        case .malformedHead, .raw: nil
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
