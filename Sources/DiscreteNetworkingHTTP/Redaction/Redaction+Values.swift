import Foundation

extension Redaction {
    /// Returns a redaction that also hides given values wherever they occur, under any name: verbatim,
    /// percent-encoded (RFC 3986), also twice, JSON-escaped or, from 8 bytes on, in Base64, also as a part of what was
    /// encoded. Values shorter than 8 bytes are hidden only as whole words.
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
        var forms = [
            Array(value.utf8), encoded, lowercasingEscapes(in: encoded), escaped,
            escaped.flatMap { $0 == slash ? [UInt8(ascii: "\\"), slash] : [$0] },
        ]
        if encoded != forms[0] {
            let twice = String(decoding: encoded, as: UTF8.self)
            forms.append(Array(PercentEncoding.unreserved.encode(twice).utf8))
            var plus: [UInt8] = []
            PercentEncoding.unreserved.append(value, to: &plus, spacesAsPlus: true)
            forms.append(plus)
            forms.append(Array(PercentEncoding.path.encode(value).utf8))
        }
        return forms + base64(Array(value.utf8))
    }

    /// Returns what a value contributes to Base64 (RFC 4648 sections 4 and 5), at each of the three places at which it may
    /// begin in what is encoded.
    private static func base64(_ value: [UInt8]) -> [[UInt8]] {
        guard value.count >= 8 else { return [] }
        return (0..<3).flatMap { shift in
            let encoded = Data(repeating: 0, count: shift) + value
            let digits = encoded.base64EncodedData()[(shift * 8 + 5) / 6..<encoded.count * 8 / 6]
            return [
                Array(digits),
                digits.map { byte in
                    switch byte {
                    case UInt8(ascii: "+"): UInt8(ascii: "-")
                    case UInt8(ascii: "/"): UInt8(ascii: "_")
                    default: byte
                    }
                },
            ]
        }
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
        values.map { ByteSearch($0).lengthOfBeginning(endingIn: text) }.max() ?? 0
    }

    private static func hiding(_ value: [UInt8], in text: [UInt8]) -> [UInt8] {
        let search = ByteSearch(value)
        guard var end = search.end(in: text, from: 0) else { return text }
        var output: [UInt8] = []
        var done = 0
        while true {
            let start = end - value.count
            let isWhole = value.count >= 8 || !(isWord(at: start - 1, in: text) || isWord(at: end, in: text))
            if isWhole {
                output += text[done..<start]
                output += mark.utf8
                done = end
            }
            guard let next = search.end(in: text, from: isWhole ? end : start + 1) else { break }
            end = next
        }
        return output + text[done...]
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
