/// One event of a `text/event-stream` (WHATWG HTML, section 9.2 "Server-sent events").
public struct ServerSentEvent: Sendable, Hashable {
    /// The id of this event, or of the last one before it that had one; empty where none had. An id that no
    /// `Last-Event-ID` can carry, because it has a control character, is ignored.
    public var id: String
    /// What kind of event; `message` where the server does not say.
    public var type: String
    /// The lines of data, joined by LF.
    public var data: String

    public init(id: String = "", type: String = "message", data: String) {
        self.id = id
        self.type = type
        self.data = data
    }
}

/// Makes events of lines.
struct EventParser {
    /// An event has more data than it may have.
    struct TooLong: Error {}

    /// The most bytes of data in one event.
    let limit: Int
    /// The id to name when the stream is asked for again.
    private(set) var lastEventID: String
    /// Milliseconds the server wants a client to wait before that.
    private(set) var retry: Int?

    private var isFirst = true
    private var id: String
    private var type = ""
    /// The lines of data, each with LF behind it; empty where there was none.
    private var data = ""

    init(lastEventID: String = "", limit: Int) {
        self.lastEventID = lastEventID
        self.limit = limit
        id = lastEventID
    }

    /// - Parameter line: without its end.
    /// - Returns: the event that the line completes.
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

    /// A comment is a field without a name.
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

    /// Whether a header can carry it (RFC 9110 section 5.5): no control character but tab. The rule of HTML is
    /// the same for NUL alone; the others would make every later request one that cannot be sent.
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
    /// Type, id and data, with secrets hidden; see ``Redaction/standard``.
    public var description: String {
        "\(type) \(id): " + Redaction.standard.redacted(text: data)
    }
}
