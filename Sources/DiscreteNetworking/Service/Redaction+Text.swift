import Foundation

extension Redaction {
    /// Header fields with secret values hidden.
    public func redacted(_ headers: HTTPFields) -> HTTPFields {
        HTTPFields(
            headers.map { field in
                isSecret(header: field.name) ? HTTPFields.Field(name: field.name, value: Self.mark) : field
            })
    }

    /// A URL as text with secret query values, and any password, hidden.
    public func redacted(_ url: URL) -> String {
        var text = url.absoluteString
        if url.user != nil || url.password != nil, let scheme = text.range(of: "://"),
            let at = text[scheme.upperBound...].firstIndex(of: "@")
        {
            text.replaceSubrange(scheme.upperBound..<at, with: Self.mark)
        }
        guard let question = text.firstIndex(of: "?") else { return text }
        return text[...question] + redacted(text: String(text[text.index(after: question)...]))
    }

    /// Text of any kind, whole, cut off or malformed, with the values of secret names hidden: JSON
    /// members (`"token": …`) and pairs (`token=…`).
    public func redacted(text: String) -> String {
        guard self != .none else { return text }
        var scanner = SecretScanner(text: text, redaction: self)
        return scanner.redacted()
    }
}

/// Goes over text once, byte by byte, so that even JSON that does not parse loses its secrets.
private struct SecretScanner {
    let bytes: [UInt8]
    let redaction: Redaction
    var position = 0
    var output: [UInt8] = []

    init(text: String, redaction: Redaction) {
        bytes = Array(text.utf8)
        self.redaction = redaction
    }

    mutating func redacted() -> String {
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""): quoted()
            case let byte where Self.isWord(byte): word()
            default: copy(to: position + 1)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// A JSON string; where a colon follows it is a name.
    private mutating func quoted() {
        let start = position
        let end = endOfString(from: start)
        copy(to: end)
        let colon = skippingSpace(from: end)
        guard colon < bytes.count, bytes[colon] == UInt8(ascii: ":") else { return }
        let literal = String(decoding: bytes[start..<end], as: UTF8.self)
        let name = (try? JSONValue(parsing: Data(literal.utf8)))?.string ?? literal
        copy(to: skippingSpace(from: colon + 1))
        guard redaction.isSecret(param: name), position < bytes.count else { return }
        hide(to: endOfValue(from: position), with: "\"\(Redaction.mark)\"")
    }

    /// A bare word; where `=` follows it is a name, and where `:` follows it is a header's.
    private mutating func word() {
        let start = position
        var end = start
        while end < bytes.count, Self.isWord(bytes[end]) { end += 1 }
        copy(to: end)
        guard end < bytes.count, bytes[end] == UInt8(ascii: "=") || bytes[end] == UInt8(ascii: ":") else {
            return
        }
        let isPair = bytes[end] == UInt8(ascii: "=")
        let text = String(decoding: bytes[start..<end], as: UTF8.self)
        let decoded = (text.removingPercentEncoding ?? text).replacingOccurrences(of: "+", with: " ")
        let parts = decoded.split { $0 == "[" || $0 == "]" || $0 == "." }
        guard parts.contains(where: { redaction.isSecret(param: String($0)) }) else { return }
        copy(to: isPair ? end + 1 : skippingSpace(from: end + 1))
        let stops: [UInt8] = isPair ? Array("&; \t\r\n\"".utf8) : Array("\r\n\"".utf8)
        var stop = position
        while stop < bytes.count, !stops.contains(bytes[stop]) { stop += 1 }
        if stop > position { hide(to: stop, with: Redaction.mark) }
    }

    private mutating func copy(to end: Int) {
        output += bytes[position..<min(end, bytes.count)]
        position = min(end, bytes.count)
    }

    private mutating func hide(to end: Int, with mark: String) {
        output += Array(mark.utf8)
        position = end
    }

    private func skippingSpace(from start: Int) -> Int {
        var index = start
        while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
        return index
    }

    private func endOfString(from start: Int) -> Int {
        var index = start + 1
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\\") {
                index += 2
            } else if bytes[index] == UInt8(ascii: "\"") {
                return index + 1
            } else {
                index += 1
            }
        }
        return bytes.count
    }

    /// The end of a JSON value, or of the text where the value has none.
    private func endOfValue(from start: Int) -> Int {
        var depth = 0
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index = endOfString(from: index)
                if depth == 0 { return index }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return index }
                depth -= 1
                if depth == 0 { return index + 1 }
            case UInt8(ascii: ","): if depth == 0 { return index }
            default: break
            }
            index += 1
        }
        return bytes.count
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "%"), UInt8(ascii: "+"), UInt8(ascii: "["), UInt8(ascii: "]"), 0x80...0xFF:
            true
        default: false
        }
    }
}
