extension Redaction {
    /// Returns a redaction that also hides given values wherever they occur, under any name: verbatim,
    /// percent-encoded (RFC 3986) or JSON-escaped. Values shorter than 8 bytes are hidden only as whole
    /// words.
    package func hiding(_ values: some Sequence<String>) -> Redaction {
        guard self != .none else { return self }
        var more = self
        // Longest first, because a value may be part of another.
        more.values = Set(values.flatMap(Self.forms)).sorted { $0.count > $1.count }
        return more
    }

    /// Returns the encodings of a value that a server may use.
    private static func forms(of value: String) -> [[UInt8]] {
        guard !value.isEmpty else { return [] }
        let encoded = Array(PercentEncoding.unreserved.encode(value).utf8)
        let escaped = Array(JSONValue.string(value).canonicalText.utf8.dropFirst().dropLast())
        let slash = UInt8(ascii: "/")
        return [
            Array(value.utf8), encoded, lowercasingEscapes(in: encoded), escaped,
            escaped.flatMap { $0 == slash ? [UInt8(ascii: "\\"), slash] : [$0] },
        ]
    }

    private static func lowercasingEscapes(in encoded: [UInt8]) -> [UInt8] {
        encoded.indices.map { index in
            let isDigit = encoded[max(0, index - 2)..<index].contains(UInt8(ascii: "%"))
            return isDigit && UInt8(ascii: "A")...UInt8(ascii: "F") ~= encoded[index]
                ? encoded[index] + 0x20 : encoded[index]
        }
    }

    func hidingValues(in text: [UInt8]) -> [UInt8] { values.reduce(text) { Self.hiding($1, in: $0) } }

    /// The number of bytes at the end of a text that may be the beginning of a value.
    func lengthOfHalfValue(endingIn text: [UInt8]) -> Int {
        values.compactMap { value in
            (1..<max(1, min(value.count, text.count + 1))).last { text.suffix($0) == value.prefix($0) }
        }.max() ?? 0
    }

    private static func hiding(_ value: [UInt8], in text: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        var rest = text[...]
        while let start = rest.firstIndex(of: value[0]) {
            let end = start + value.count
            output += rest[..<start]
            if rest[start...].starts(with: value),
                value.count >= 8 || !(isWord(at: start - 1, in: text) || isWord(at: end, in: text))
            {
                output += mark.utf8
                rest = text[end...]
            } else {
                output.append(text[start])
                rest = text[(start + 1)...]
            }
        }
        return output + rest
    }

    private static func isWord(at index: Int, in text: [UInt8]) -> Bool {
        guard text.indices.contains(index) else { return false }
        switch text[index] {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
            return true
        default: return false
        }
    }
}

extension Redaction: SecretBearing {
    /// The number of words and names; never the hidden values.
    public var description: String { "Redaction(\(words.count) words, \(names.count) names)" }
}
