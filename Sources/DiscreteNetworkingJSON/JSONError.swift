/// Why a text is not JSON, and where.
///
/// The error holds at most one character of the text, so it can be logged without giving away a body.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The offset of the offending byte, counted from the first byte given to the parser.
    public let byteOffset: Int
    /// The line of the offending byte, from 1. Lines end at a line feed.
    public let line: Int
    /// The column in the line, from 1, counted in Unicode scalars.
    public let column: Int
    /// What the grammar of RFC 8259 allows there, such as `"a value"`.
    public let expected: String
    /// What is there instead: one character, a byte, or `"end of input"`.
    public let found: String

    /// For example `Invalid JSON at line 1, column 5 (byte 4): expected a value, found '}'.`
    public var description: String {
        "Invalid JSON at line \(line), column \(column) (byte \(byteOffset)): "
            + "expected \(expected), found \(found)."
    }

    // Line and column are worked out here, once per failure, so that scanning itself counts nothing.
    init(in bytes: [UInt8], at offset: Int, expected: String) {
        var line = 1
        var column = 1
        for byte in bytes.prefix(offset) {
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
