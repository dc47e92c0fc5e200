import Foundation

// Syntax that the scanner recognizes in addition to names and values.

/// A part of a form (RFC 7578), starting at its boundary.
struct FormPart {
    let name: String
    /// The start of the body: after the empty line that ends the head.
    let start: Int
    private let boundary: ArraySlice<UInt8>
    private let bytes: [UInt8]

    /// The maximum number of lines in a head.
    private static let lineLimit = 16

    /// Parses a part; returns `nil` if there is no boundary followed by a head.
    /// - Parameter start: The start of a line.
    init?(at start: Int, in bytes: [UInt8]) {
        guard bytes[start...].starts(with: "--".utf8) else { return nil }
        let boundary = Self.line(at: start, in: bytes)
        var next = boundary.next
        var name: String?
        var field = bytes[next..<next]
        for _ in 0..<Self.lineLimit {
            let line = Self.line(at: next, in: bytes)
            next = line.next
            if line.content.isEmpty {
                guard let name, line.next > line.content.startIndex else { return nil }
                self.name = name
                self.start = next
                self.boundary = boundary.content
                self.bytes = bytes
                return
            }
            // A line that begins with a blank continues the field before it (RFC 5322 section 2.2.3).
            if Self.isBlank(line.content[line.content.startIndex]) {
                field = bytes[field.startIndex..<line.content.endIndex]
                name = Self.name(in: field) ?? name
            } else {
                field = line.content
                guard field.contains(UInt8(ascii: ":")) else { return nil }
                name = name ?? Self.name(in: field)
            }
        }
        return nil
    }

    /// The end of the body: before the next boundary, or the end of the text.
    var end: Int {
        var next = start
        while next < bytes.count {
            if bytes[next...].starts(with: boundary) {
                let isCut = next - start > 1 && bytes[next - 2] == UInt8(ascii: "\r")
                return max(start, next - (isCut ? 2 : 1))
            }
            next = Self.line(at: next, in: bytes).next
        }
        return bytes.count
    }

    /// Returns a line without its terminator, and the start of the next line.
    private static func line(at start: Int, in bytes: [UInt8]) -> (content: ArraySlice<UInt8>, next: Int) {
        let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        let isCut = end > start && end < bytes.count && bytes[end - 1] == UInt8(ascii: "\r")
        return (bytes[start..<(isCut ? end - 1 : end)], min(end + 1, bytes.count))
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Returns the `name` parameter of a `Content-Disposition` field.
    private static func name(in field: ArraySlice<UInt8>) -> String? {
        let title = "content-disposition:"
        guard HTTPToken.isSame(String(decoding: field.prefix(title.utf8.count), as: UTF8.self), title) else {
            return nil
        }
        var isQuoted = false
        let parameters = field.split { byte in
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            return byte == UInt8(ascii: ";") && !isQuoted
        }
        for parameter in parameters.dropFirst() {
            let trimmed = parameter.drop { isBlank($0) || $0 == 0x0D || $0 == 0x0A }
            guard HTTPToken.isSame(String(decoding: trimmed.prefix(5), as: UTF8.self), "name=") else {
                continue
            }
            let value = trimmed.dropFirst(5).filter { $0 != UInt8(ascii: "\"") }
            return String(decoding: PercentEncoding.decoded(value), as: UTF8.self)
        }
        return nil
    }
}

/// Distinguishes sentences from values after a colon.
enum Prose {
    /// Words that may form a sentence alone.
    private static let states: Set = [
        "denied", "empty", "expired", "incorrect", "invalid", "malformed", "missing", "rejected", "required",
        "revoked", "unknown", "wrong",
    ]
    /// Authentication schemes, which precede a secret (RFC 9110 section 11.1).
    private static let schemes: Set = ["basic", "bearer", "digest", "negotiate", "ntlm", "token"]

    /// The maximum number of bytes to inspect, so that long lines are not scanned repeatedly.
    private static let lookAhead = 128

    /// Whether a sentence starts here: a word followed by others, a known single word, or a word without
    /// ASCII characters.
    static func begins(at start: Int, in bytes: [UInt8]) -> Bool {
        let line = bytes[start...].prefix(lookAhead).prefix {
            $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r")
        }
        let words = line.split(maxSplits: 1) { $0 == 0x20 || $0 == 0x09 }
        guard let first = words.first, first.count <= 32 else { return false }
        let word = Array(first.reversed().drop { ".,;:!?".utf8.contains($0) }.reversed())
        guard let initial = word.first, word.dropFirst().allSatisfy(isSmall), isLetter(initial) else {
            return false
        }
        let text = String(decoding: word, as: UTF8.self).lowercased()
        if word.allSatisfy({ $0 >= 0x80 }) || states.contains(text) { return true }
        return words.count > 1 && words[1].contains(where: isLetter) && !schemes.contains(text)
    }

    private static func isSmall(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || byte == UInt8(ascii: "'") || byte >= 0x80
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte || isSmall(byte)
    }
}

/// Decodes the escapes of a JSON string; malformed ones are left unchanged.
enum Unescaping {
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
            case UInt8(ascii: "n"): units.append(0x0A)
            case UInt8(ascii: "r"): units.append(0x0D)
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
}
