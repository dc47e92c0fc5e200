/// A local failure of a transfer: of files, checksums and streams.
#if hasAttribute(nonexhaustive)
    @nonexhaustive(warn)
#endif
public enum TransferFailure: Error, Sendable, Hashable {
    /// The request body could not be read completely or does not have its declared length.
    case unreadable(reason: String)
    /// Another download, possibly of another process, writes to the same file.
    case destinationInUse
    /// The file could not be written: no permission, no space, or no such directory.
    case unwritable(reason: String)
    /// The checksum of the downloaded file does not match. Both in hexadecimal digits.
    case checksumMismatch(expected: String, actual: String)
    /// The server repeatedly sent ranges of less than 64 KiB. The received data is kept; the next call
    /// resumes the download.
    case partsTooSmall(limit: Int)
    /// A line of a stream exceeds ``ByteStream/lineLimit``.
    case lineTooLong(limit: Int)
    /// The data of a server-sent event exceeds ``ByteStream/eventLimit``.
    case eventTooLong(limit: Int)
    /// Another loop is reading the ``ByteStream``.
    case streamInUse
    /// The response to ``TypedAPIManager/events(with:reconnectingAfter:)`` is not `text/event-stream`.
    case notAnEventStream(contentType: String?)
}

extension TransferFailure: CustomStringConvertible {
    /// What happened and what to do about it, for developers.
    public var description: String {
        switch self {
        case .unreadable(let reason): "The request body could not be sent completely: \(reason)"
        case .destinationInUse:
            "Another download writes to the same file; wait for it, cancel it, or use another file."
        case .unwritable(let reason): "The downloaded file could not be written: \(reason)"
        case .checksumMismatch(let expected, let actual):
            "The downloaded file has the checksum \(actual) instead of \(expected) and was removed; load it again."
        case .partsTooSmall(let limit):
            "The server sent \(limit) ranges of less than 64 KiB each; configure it to send larger ranges, or load the file again to resume."
        case .lineTooLong(let limit):
            "A line of the stream has more than \(limit) bytes; see ByteStream.lineLimit."
        case .eventTooLong(let limit):
            "A server-sent event has more than \(limit) bytes of data; see ByteStream.eventLimit and EventSource.eventLimit."
        case .streamInUse:
            "Another loop is reading the stream; a ByteStream supports one loop. Load it again for a second one."
        case .notAnEventStream(let type):
            "The server sent \(type ?? "no media type") instead of text/event-stream."
        }
    }
}
