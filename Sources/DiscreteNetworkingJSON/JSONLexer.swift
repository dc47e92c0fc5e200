/// Reads the tokens of JSON (RFC 8259).
///
/// Shared by the index, ``JSONNumber`` and the readers of values, so that there is one grammar. All reads are
/// bounds-checked.
struct JSONLexer {
    let bytes: JSONBytes
    var position: Int

    init(_ bytes: JSONBytes) {
        self.bytes = bytes
        // RFC 8259 section 8.1 forbids sending a byte order mark and allows ignoring one; some servers send
        // it.
        position = bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF ? 3 : 0
    }

    @inline(never)
    func error(_ expected: String, at offset: Int? = nil) -> JSONError {
        JSONError(in: bytes, at: offset ?? position, expected: expected)
    }

    @inline(__always)
    mutating func skipWhitespace() { position = bytes.endOfWhitespace(from: position) }

    /// Consumes a byte, other than 0, if it is the next one.
    @inline(__always)
    mutating func consume(_ byte: UInt8) -> Bool {
        guard bytes[position] == byte else { return false }
        position += 1
        return true
    }

    /// Consumes `true`, `false` or `null`.
    mutating func scanWord(_ word: StaticString) throws(JSONError) {
        for index in 0..<word.utf8CodeUnitCount where !consume(word.utf8Start[index]) {
            throw error("'\(word)'")
        }
    }

    // MARK: Numbers (section 6)

    /// Consumes a number.
    /// - Returns: Whether it has neither fraction nor exponent.
    @inline(__always)
    mutating func scanNumber() throws(JSONError) -> Bool {
        var isInteger = true
        _ = consume(UInt8(ascii: "-"))
        if !consume(UInt8(ascii: "0")) { try scanDigits() }
        if consume(UInt8(ascii: ".")) {
            isInteger = false
            try scanDigits()
        }
        if bytes[position] | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            position += 1
            if !consume(UInt8(ascii: "+")) { _ = consume(UInt8(ascii: "-")) }
            try scanDigits()
        }
        return isInteger
    }

    @inline(__always)
    private mutating func scanDigits() throws(JSONError) {
        let start = position
        while bytes[position] &- 0x30 < 10 { position += 1 }
        guard position > start else { throw error("a digit") }
    }

    // MARK: Strings (section 7)

    /// Consumes a string, from its opening quote, and validates its escapes and its UTF-8.
    @inline(__always)
    mutating func scanString() throws(JSONError) -> JSONTape.Kind {
        let end = bytes.endOfASCII(from: position + 1)
        guard bytes[end] == UInt8(ascii: "\"") else { return try scanSpecialString(from: end) }
        position = end + 1
        return .plain
    }

    /// Goes on where a string is more than ASCII without escapes.
    private mutating func scanSpecialString(from start: Int) throws(JSONError) -> JSONTape.Kind {
        var kind = JSONTape.Kind.plain
        var index = start
        while true {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                position = index + 1
                return kind
            } else if byte == UInt8(ascii: "\\") {
                kind = .escaped
                index = try endOfEscape(at: index)
            } else if let (first, second) = bytes.twoScalarsOfThreeBytes(at: index) {
                if kind == .plain, !(0xE4...0xE9 ~= first && 0xE4...0xE9 ~= second) { kind = .unicode }
                index += 6
            } else if byte >= 0x80 {
                if kind == .plain, !(0xE4...0xE9 ~= byte) { kind = .unicode }
                index = try endOfScalar(at: index)
            } else if byte >= 0x20 {
                index = bytes.endOfASCII(from: index)
            } else if index < bytes.count {
                throw error("an escape instead of a bare control character", at: index)
            } else {
                throw error("the closing '\"' of the string", at: bytes.count)
            }
        }
    }

    private func endOfEscape(at start: Int) throws(JSONError) -> Int {
        guard start + 1 < bytes.count else { throw error("an escaped character", at: start + 1) }
        switch bytes[start + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return start + 2
        case UInt8(ascii: "u"):
            guard let unit = bytes.codeUnit(at: start + 2) else {
                throw error("four hexadecimal digits", at: start + 2)
            }
            guard unit & 0xF800 == 0xD800 else { return start + 6 }
            // A lone surrogate is not a character. RFC 8259 section 8.2 leaves it undefined; Swift strings
            // cannot contain one, so it is an error, as in Foundation.
            guard unit < 0xDC00, bytes[start + 6] == UInt8(ascii: "\\"),
                bytes[start + 7] == UInt8(ascii: "u"), let low = bytes.codeUnit(at: start + 8),
                low & 0xFC00 == 0xDC00
            else { throw error("a whole surrogate pair", at: start) }
            return start + 12
        default: throw error("one of \" \\ / b f n r t u after '\\'", at: start + 1)
        }
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
        guard second.contains(bytes[start + 1]) else {
            throw error("UTF-8", at: start)
        }
        for index in start + 2..<start + max(length, 2) where bytes[index] & 0xC0 != 0x80 {
            throw error("UTF-8", at: start)
        }
        return start + length
    }
}
