public import DiscreteNetworkingCore

/// A server-sent event of a `text/event-stream` (WHATWG HTML section 9.2).
public struct ServerSentEvent: Sendable, Hashable {
    /// The last event ID: the ID of this event, or of the last event before it that has one; empty if there was none.
    /// An ID with a control character, which `Last-Event-ID` cannot carry, is ignored.
    public var id: String
    /// The event type. Default: `message`.
    public var type: String
    /// The data lines, joined by LF.
    public var data: String

    /// Creates an event; for tests.
    public init(id: String = "", type: String = "message", data: String) {
        self.id = id
        self.type = type
        self.data = data
    }
}

/// Parses lines into events.
struct EventParser {
    /// An event exceeds the data limit.
    struct TooLong: Error {}

    /// The maximum data of one event, in bytes.
    let limit: Int
    /// The ID to send when reconnecting.
    private(set) var lastEventID: String
    /// The reconnection time of the server, in milliseconds.
    private(set) var retry: Int?

    private var isFirst = true
    private var id: String
    private var type = ""
    /// The data lines, each followed by LF; empty if there are none.
    private var data = ""

    init(lastEventID: String = "", limit: Int) {
        self.lastEventID = lastEventID
        self.limit = limit
        id = lastEventID
    }

    /// - Parameter line: A line without its terminator.
    /// - Returns: The event that the line completes.
    mutating func take(_ line: [UInt8]) throws(TooLong) -> ServerSentEvent? {
        var line = line[...]
        if isFirst, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
        isFirst = false
        guard !line.isEmpty else { return dispatch() }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            try take(field: String(decoding: line, as: UTF8.self), value: "")
            return nil
        }
        var value = line[(colon + 1)...]
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        try take(
            field: String(decoding: line[..<colon], as: UTF8.self),
            value: String(decoding: value, as: UTF8.self))
        return nil
    }

    /// A comment is a field with an empty name.
    private mutating func take(field: String, value: String) throws(TooLong) {
        switch field {
        case "event": type = value
        case "data":
            guard value.utf8.count <= limit - data.utf8.count else { throw TooLong() }
            data += value
            data += "\n"
        case "id": if Self.isFieldValue(value) { id = value }
        case "retry":
            if !value.isEmpty, value.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) {
                retry = Int(value) ?? retry
            }
        default: break
        }
    }

    /// Whether a header field can carry the value (RFC 9110 section 5.5): no control character except tab.
    /// HTML excludes only NUL; other control characters would make later requests invalid.
    private static func isFieldValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }

    private mutating func dispatch() -> ServerSentEvent? {
        lastEventID = id
        defer {
            data = ""
            type = ""
        }
        guard !data.isEmpty else { return nil }
        return ServerSentEvent(
            id: id, type: type.isEmpty ? "message" : type, data: String(data.dropLast()))
    }
}

extension ServerSentEvent: SecretBearing {
    /// The type, ID and data, with secrets redacted; see ``Redaction/standard``.
    public var description: String {
        "\(type) \(id): " + Redaction.standard.redacted(text: data)
    }
}
