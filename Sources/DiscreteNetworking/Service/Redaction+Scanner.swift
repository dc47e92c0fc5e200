import Foundation

/// Goes over text byte by byte, so that even JSON that does not parse loses its secrets. In doubt it hides
/// too much.
struct SecretScanner {
    private let bytes: [UInt8]
    private let redaction: Redaction
    /// How many more layers of quoting or percent-encoding are opened.
    private let layers: Int
    private var position = 0
    private var output: [UInt8] = []

    init(text: String, redaction: Redaction, layers: Int = 4) {
        bytes = Array(text.utf8)
        self.redaction = redaction
        self.layers = layers
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

    /// A JSON string; where a colon follows it is a name, otherwise there may be secrets inside.
    private mutating func quoted() {
        let start = position
        let end = endOfString(from: start)
        let isClosed = end - start > 1 && bytes[end - 1] == UInt8(ascii: "\"")
        let text = Unescaping.json(bytes[(start + 1)..<(isClosed ? end - 1 : end)])
        let separator = skippingSpace(from: end)
        guard !isSeparator(at: separator) else {
            copy(to: skippingSpace(from: separator + 1))
            if isSecret(text) { hideValue() }
            return
        }
        if let inside = redactedInside(text) {
            let literal = JSONValue.string(inside).canonicalText
            hide(to: end, with: isClosed ? literal : String(literal.dropLast()))
        } else {
            copy(to: end)
        }
    }

    /// A bare word; where `=` follows it is a name, and where `:` follows it is a header's. Where a quote
    /// comes between, the name's opening quote was lost or taken for a closing one.
    private mutating func word() {
        let start = position
        var end = start
        while end < bytes.count, Self.isWord(bytes[end]) { end += 1 }
        var text = String(decoding: bytes[start..<end], as: UTF8.self)
        if bytes[start..<end].contains(UInt8(ascii: "%")) {
            text = Unescaping.percent(bytes[start..<end])
            if let inside = redactedInside(text) {
                hide(to: end, with: PercentEncoding.unreserved.encode(inside))
            }
        }
        copy(to: end)
        var next = end
        while next < bytes.count, "\"'\\".utf8.contains(bytes[next]) { next += 1 }
        let separator = skippingSpace(from: next)
        guard isSeparator(at: separator), isSecret(text.replacingOccurrences(of: "+", with: " ")) else {
            return
        }
        let isPair = bytes[separator] == UInt8(ascii: "=")
        copy(to: separator + 1)
        while position < bytes.count, " \t".utf8.contains(bytes[position]) { copy(to: position + 1) }
        if next > end {
            copy(to: skippingSpace(from: position))
            hideValue()
        } else {
            hideRest(upTo: isPair ? "& \t\r\n\"" : "\r\n")
        }
    }

    /// The value of a JSON member.
    private mutating func hideValue() {
        guard position < bytes.count else { return }
        hide(to: endOfValue(from: position), with: "\"\(Redaction.mark)\"")
    }

    /// The value of a pair or of a header line; a quoted string or a JSON container in front goes whole.
    private mutating func hideRest(upTo stops: String) {
        var stop = position
        if stop < bytes.count, "\"'{[".utf8.contains(bytes[stop]) { stop = endOfValue(from: stop) }
        while stop < bytes.count, !stops.utf8.contains(bytes[stop]) { stop += 1 }
        if stop > position { hide(to: stop, with: Redaction.mark) }
    }

    /// The text with its secrets hidden; `nil` where it has none.
    private func redactedInside(_ text: String) -> String? {
        guard layers > 0, text.utf8.contains(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ":") })
        else { return nil }
        var scanner = SecretScanner(text: text, redaction: redaction, layers: layers - 1)
        let inside = scanner.redacted()
        return inside == text ? nil : inside
    }

    /// Whether a name is secret, or a part of one such as `user[password]`.
    private func isSecret(_ name: String) -> Bool {
        redaction.isSecret(param: name)
            || name.split { !$0.isLetter && !$0.isNumber && !"-_ ".contains($0) }.contains {
                redaction.isSecret(param: String($0))
            }
    }

    private func isSeparator(at index: Int) -> Bool {
        index < bytes.count && (bytes[index] == UInt8(ascii: ":") || bytes[index] == UInt8(ascii: "="))
    }

    private mutating func copy(to end: Int) {
        let end = min(end, bytes.count)
        guard end > position else { return }
        output += bytes[position..<end]
        position = end
    }

    private mutating func hide(to end: Int, with mark: String) {
        output += Array(mark.utf8)
        position = end
    }

    private func skippingSpace(from start: Int) -> Int {
        var index = start
        while index < bytes.count, " \t\r\n".utf8.contains(bytes[index]) { index += 1 }
        return index
    }

    private func endOfString(from start: Int) -> Int {
        var index = start + 1
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\\") {
                index += 2
            } else if bytes[index] == bytes[start] {
                return index + 1
            } else {
                index += 1
            }
        }
        return bytes.count
    }

    /// The end of a JSON value, or of the text where the value has none.
    private func endOfValue(from start: Int) -> Int {
        guard bytes[start] != UInt8(ascii: "'") else { return endOfString(from: start) }
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

    private static func isWord(_ byte: UInt8) -> Bool { words[Int(byte)] }

    private static let words: [Bool] = (0...255).map { byte in
        byte >= 0x80 || 0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte
            || "_-.%+[]~!*$()@".utf8.contains(UInt8(byte))
    }
}

/// Takes escapes away, and leaves what is malformed or cut off as it is.
private enum Unescaping {
    static func json(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.contains(UInt8(ascii: "\\")) else { return String(decoding: bytes, as: UTF8.self) }
        var units: [UInt16] = []
        var rest = Substring(decoding: bytes, as: UTF8.self).utf16
        while let unit = rest.popFirst() {
            guard unit == 0x5C, let code = rest.popFirst() else {
                units.append(unit)
                continue
            }
            switch UInt8(truncatingIfNeeded: code) {
            case UInt8(ascii: "n"), UInt8(ascii: "r"): units.append(0x0A)
            case UInt8(ascii: "t"): units.append(0x09)
            case UInt8(ascii: "b"), UInt8(ascii: "f"): units.append(0x20)
            case UInt8(ascii: "u"):
                if let digits = String(rest.prefix(4)), digits.utf8.count == 4,
                    let unit = UInt16(digits, radix: 16)
                {
                    units.append(unit)
                    rest = rest.dropFirst(4)
                } else {
                    units += [0x5C, code]
                }
            default: units.append(code)
            }
        }
        return String(decoding: units, as: UTF16.self)
    }

    static func percent(_ bytes: ArraySlice<UInt8>) -> String {
        var output: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2,
                let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                output.append(code)
                rest = rest.dropFirst(2)
            } else {
                output.append(byte)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
