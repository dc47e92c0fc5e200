package import Foundation

/// Percent-encoding of UTF-8 (RFC 3986 section 2.1).
package struct PercentEncoding: Sendable {
    /// Leaves only unreserved characters: `ALPHA DIGIT - . _ ~`. Safe for values in any part of a URL.
    package static let unreserved = PercentEncoding(keeping: "-._~")
    /// Leaves unreserved characters and the slash: the path in signatures.
    package static let unreservedPath = PercentEncoding(keeping: "-._~/")
    /// Leaves the characters of path segments (`pchar`, RFC 3986 section 3.3) and the slash.
    package static let path = PercentEncoding(keeping: "-._~!$&'()*+,;=:@/")

    private let kept: [Bool]

    private init(keeping punctuation: String) {
        var kept = [Bool](repeating: false, count: 256)
        for byte in punctuation.utf8 { kept[Int(byte)] = true }
        for byte in UInt8(ascii: "0")...UInt8(ascii: "9") { kept[Int(byte)] = true }
        for byte in UInt8(ascii: "A")...UInt8(ascii: "Z") { kept[Int(byte)] = true }
        for byte in UInt8(ascii: "a")...UInt8(ascii: "z") { kept[Int(byte)] = true }
        self.kept = kept
    }

    package func encode(_ text: String) -> String {
        var bytes: [UInt8] = []
        append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    package func encode(_ text: some Collection<UInt8>) -> String {
        var bytes: [UInt8] = []
        append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    package func append(_ text: String, to bytes: inout [UInt8], spacesAsPlus: Bool = false) {
        append(text.utf8, to: &bytes, spacesAsPlus: spacesAsPlus)
    }

    private func append(
        _ text: some Collection<UInt8>, to bytes: inout [UInt8], spacesAsPlus: Bool = false
    ) {
        let hex = Self.hex
        for byte in text {
            if kept[Int(byte)] {
                bytes.append(byte)
            } else if spacesAsPlus && byte == UInt8(ascii: " ") {
                bytes.append(UInt8(ascii: "+"))
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(hex[Int(byte >> 4)])
                bytes.append(hex[Int(byte & 15)])
            }
        }
    }

    /// Returns the decoded bytes. Malformed escapes are left unchanged.
    package static func decoded(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        var rest = Array(bytes)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let code = UInt8(hexadecimal: rest.prefix(2)) {
                output.append(code)
                rest = rest.dropFirst(2)
            } else {
                output.append(byte)
            }
        }
        return output
    }

    /// Returns the decoded text, with a byte order mark where there is one. A text that is not UTF-8 then is left unchanged.
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        let bytes = Array(bytes)
        let decoded = decoded(bytes)
        let text = String(decoding: decoded, as: UTF8.self)
        return text.utf8.elementsEqual(decoded) ? text : String(decoding: bytes, as: UTF8.self)
    }

    private static let hex = Array("0123456789ABCDEF".utf8)
}

extension UInt8 {
    /// Creates a byte from two hexadecimal digits; returns `nil` for anything else.
    fileprivate init?(hexadecimal digits: ArraySlice<UInt8>) {
        let values = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard values.count == 2 else { return nil }
        self = UInt8(values[0] << 4 | values[1])
    }
}

/// The request target of a URL (RFC 9112 section 3.2), unmodified.
package struct RequestTarget {
    /// The path; `/` if it is empty.
    package let path: String
    /// The query without the question mark; empty if there is none.
    package let query: String

    package init(_ url: URL) {
        var text = url.absoluteString[...]
        if let scheme = text.range(of: "://") { text = text[scheme.upperBound...] }
        text = text.drop { !"/?#".contains($0) }.prefix { $0 != "#" }
        let path = text.prefix { $0 != "?" }
        self.path = path.isEmpty ? "/" : String(path)
        query = String(text.dropFirst(path.count + 1))
    }

    /// Returns the decoded pairs of a query or a form, in order. `+` is a space (WHATWG URL section 5).
    package static func pairs(of query: String) -> [(name: String, value: String)] {
        // Splits by bytes: a separator followed by a combining mark is one `Character`.
        func decoded(_ bytes: Substring.UTF8View?) -> String {
            PercentEncoding.text(
                (bytes ?? Substring().utf8).map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 })
        }
        return query.utf8.split(separator: UInt8(ascii: "&")).map { pair in
            let parts = pair.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return (decoded(parts.first), decoded(parts.dropFirst().first))
        }
    }
}
