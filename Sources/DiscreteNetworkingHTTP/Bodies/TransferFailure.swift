/// What goes wrong on this side of a transfer: with files, checksums and the reading of streams.
public enum TransferFailure: Error, Sendable, Hashable {
    /// The request's body could not be read to its end, or is not as long as it was said to be.
    case unreadable(reason: String)
    /// Another download writes to the same place, in this process or another one.
    case destinationInUse
    /// The file could not be written: no permission, no space, no such folder.
    case unwritable(reason: String)
    /// What arrived is not what the checksum says. Both in hexadecimal.
    case checksumMismatch(expected: String, actual: String)
    /// The server sends the rest of a download in parts of less than 64 KiB, and so many of them came. What came is
    /// kept: the next call goes on from there.
    case partsTooSmall(limit: Int)
    /// A line of a stream has more bytes than ``ByteStream/lineLimit``.
    case lineTooLong(limit: Int)
    /// The data of a server-sent event has more bytes than ``ByteStream/eventLimit``.
    case eventTooLong(limit: Int)
    /// Another loop reads the same ``ByteStream`` at this moment.
    case streamInUse
    /// The answer to ``TypedAPIManager/events(with:reconnectingAfter:)`` is not `text/event-stream`.
    case notAnEventStream(contentType: String?)
}

extension TransferFailure: CustomStringConvertible {
    /// What happened and what to do, in one or two sentences for a developer.
    public var description: String {
        switch self {
        case .unreadable(let reason): "The request's body could not be sent whole: \(reason)"
        case .destinationInUse:
            "Another download writes to the same file; wait for it, cancel it, or name another file."
        case .unwritable(let reason): "The downloaded file could not be written: \(reason)"
        case .checksumMismatch(let expected, let actual):
            "The downloaded file has the checksum \(actual) instead of \(expected), and was removed."
        case .partsTooSmall(let limit):
            "The server answered \(limit) times with less than 64 KiB of the rest of the file; ask it for the rest in larger parts, or load the file again to go on."
        case .lineTooLong(let limit):
            "A line of the stream has more than \(limit) bytes; see ByteStream.lineLimit."
        case .eventTooLong(let limit):
            "A server-sent event has more than \(limit) bytes of data; see ByteStream.eventLimit and EventSource.eventLimit."
        case .streamInUse:
            "The stream is being read by another loop; a ByteStream is for one loop. Load it again for a second one."
        case .notAnEventStream(let type):
            "The server sends \(type ?? "something without a type") instead of text/event-stream."
        }
    }
}
