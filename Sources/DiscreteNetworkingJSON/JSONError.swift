/// A syntax error in a JSON text.
///
/// It contains at most one character of the text, so it can be logged without exposing a body.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The offset of the invalid byte from the start of the text.
    public let byteOffset: Int
    /// The line of the invalid byte, starting with 1. Lines end with a line feed.
    public let line: Int
    /// The column in the line, starting with 1, in Unicode scalars.
    public let column: Int
    /// What RFC 8259 allows at this position, such as `"a value"`.
    public let expected: String
    /// What was found: a character, a byte, or `"end of input"`.
    public let found: String

    /// For example `Invalid JSON at line 1, column 5 (byte 4): expected a value, found '}'.`
    public var description: String {
        "Invalid JSON at line \(line), column \(column) (byte \(byteOffset)): "
            + "expected \(expected), found \(found)."
    }

    // Computes line and column once per error, so that scanning does not have to count.
    init(in bytes: JSONBytes, at offset: Int, expected: String) {
        var line = 1
        var column = 1
        for byte in bytes.buffer(0..<min(offset, bytes.count)) {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        self.byteOffset = offset
        self.line = line
        self.column = column
        self.expected = expected
        if offset >= bytes.count {
            found = "end of input"
        } else if (0x20..<0x7F).contains(bytes[offset]) {
            found = "'\(Character(Unicode.Scalar(bytes[offset])))'"
        } else {
            let hex = String(bytes[offset], radix: 16, uppercase: true)
            found = "byte 0x" + (hex.count < 2 ? "0" : "") + hex
        }
    }
}
