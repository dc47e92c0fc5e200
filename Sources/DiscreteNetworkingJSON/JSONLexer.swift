/// Reads the tokens of JSON (RFC 8259).
///
/// Shared by the parser, the locator and ``JSONNumber``, so that there is one grammar. All reads are
/// bounds-checked.
struct JSONLexer {
    /// A scanned string: the range between its quotes, and how to decode it.
    struct StringToken {
        let content: Range<Int>
        let isEscaped: Bool
        let isASCII: Bool
    }

    let bytes: [UInt8]
    var position: Int

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // RFC 8259 section 8.1 forbids sending a byte order mark and allows ignoring one; some servers send
        // it.
        position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    var isAtEnd: Bool { position >= bytes.count }

    /// The next byte; `nil` at the end.
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    func error(_ expected: String, at offset: Int? = nil) -> JSONError {
        JSONError(in: bytes, at: offset ?? position, expected: expected)
    }

    mutating func skipWhitespace() {
        var index = position
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x0A, 0x0D, 0x09: index += 1
            default:
                position = index
                return
            }
        }
        position = index
    }

    /// Consumes a byte if it is the next one.
    mutating func consume(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    /// Consumes `true`, `false` or `null`.
    mutating func scanWord(_ word: String) throws(JSONError) {
        for letter in word.utf8 where !consume(letter) { throw error("'\(word)'") }
    }

    // MARK: Numbers (section 6)

    /// Consumes a number and returns its range.
    mutating func scanNumber() throws(JSONError) -> Range<Int> {
        let start = position
        _ = consume(UInt8(ascii: "-"))
        if !consume(UInt8(ascii: "0")) { try scanDigits() }
        if consume(UInt8(ascii: ".")) { try scanDigits() }
        if let byte = next, byte | 0x20 == UInt8(ascii: "e") {
            position += 1
            if !consume(UInt8(ascii: "+")) { _ = consume(UInt8(ascii: "-")) }
            try scanDigits()
        }
        return start..<position
    }

    private mutating func scanDigits() throws(JSONError) {
        var index = position
        while index < bytes.count, bytes[index] &- 0x30 < 10 { index += 1 }
        guard index > position else { throw error("a digit") }
        position = index
    }

    // MARK: Strings (section 7)

    /// Consumes a string, and validates its escapes and its UTF-8.
    mutating func scanString() throws(JSONError) -> StringToken {
        position += 1
        let start = position
        var isEscaped = false
        var isASCII = true
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                position = index + 1
                return StringToken(content: start..<index, isEscaped: isEscaped, isASCII: isASCII)
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
                index = try endOfEscape(at: index)
            } else if byte >= 0x80 {
                isASCII = false
                index = try endOfScalar(at: index)
            } else if byte < 0x20 {
                throw error("an escape instead of a bare control character", at: index)
            } else {
                index += 1
            }
        }
        throw error("the closing '\"' of the string", at: index)
    }

    /// Returns the decoded text of a string.
    func text(of token: StringToken) -> String {
        guard token.isEscaped else { return String(decoding: bytes[token.content], as: UTF8.self) }
        var text: [UInt8] = []
        text.reserveCapacity(token.content.count)
        var index = token.content.lowerBound
        while index < token.content.upperBound {
            guard bytes[index] == UInt8(ascii: "\\") else {
                text.append(bytes[index])
                index += 1
                continue
            }
            index += 2
            switch bytes[index - 1] {
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0C)
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "u"):
                var code = codeUnit(at: index) ?? 0xFFFD
                index += 4
                if code & 0xFC00 == 0xD800 {
                    let low = codeUnit(at: index + 2) ?? 0xDC00
                    code = 0x10000 + (code & 0x3FF) << 10 + (low & 0x3FF)
                    index += 6
                }
                // The scan rejects all other surrogates.
                text.append(contentsOf: String(Unicode.Scalar(code) ?? "\u{FFFD}").utf8)
            case let literal: text.append(literal)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private func endOfEscape(at start: Int) throws(JSONError) -> Int {
        guard start + 1 < bytes.count else { throw error("an escaped character", at: start + 1) }
        switch bytes[start + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return start + 2
        case UInt8(ascii: "u"):
            guard let unit = codeUnit(at: start + 2) else {
                throw error("four hexadecimal digits", at: start + 2)
            }
            guard unit & 0xF800 == 0xD800 else { return start + 6 }
            // A lone surrogate is not a character. RFC 8259 section 8.2 leaves it undefined; Swift strings
            // cannot contain one, so it is an error, as in Foundation.
            guard unit < 0xDC00, start + 7 < bytes.count, bytes[start + 6] == UInt8(ascii: "\\"),
                bytes[start + 7] == UInt8(ascii: "u"), let low = codeUnit(at: start + 8),
                low & 0xFC00 == 0xDC00
            else { throw error("a whole surrogate pair", at: start) }
            return start + 12
        default: throw error("one of \" \\ / b f n r t u after '\\'", at: start + 1)
        }
    }

    private func codeUnit(at start: Int) -> UInt32? {
        guard start + 4 <= bytes.count else { return nil }
        var unit: UInt32 = 0
        for index in start..<start + 4 {
            let byte = bytes[index]
            switch byte {
            case 0x30...0x39: unit = unit << 4 | UInt32(byte - 0x30)
            case 0x41...0x46, 0x61...0x66: unit = unit << 4 | UInt32(byte & 0x0F + 9)
            default: return nil
            }
        }
        return unit
    }

    /// Validates a multi-byte scalar (Unicode Standard, table 3-7): no overlong forms, no surrogates, at
    /// most U+10FFFF.
    private func endOfScalar(at start: Int) throws(JSONError) -> Int {
        let second: ClosedRange<UInt8>
        let length: Int
        switch bytes[start] {
        case 0xC2...0xDF: (second, length) = (0x80...0xBF, 2)
        case 0xE0: (second, length) = (0xA0...0xBF, 3)
        case 0xED: (second, length) = (0x80...0x9F, 3)
        case 0xE1...0xEF: (second, length) = (0x80...0xBF, 3)
        case 0xF0: (second, length) = (0x90...0xBF, 4)
        case 0xF1...0xF3: (second, length) = (0x80...0xBF, 4)
        case 0xF4: (second, length) = (0x80...0x8F, 4)
        default: throw error("UTF-8", at: start)
        }
        guard start + length <= bytes.count, second.contains(bytes[start + 1]) else {
            throw error("UTF-8", at: start)
        }
        for index in start + 2..<start + max(length, 2) where bytes[index] & 0xC0 != 0x80 {
            throw error("UTF-8", at: start)
        }
        return start + length
    }
}
