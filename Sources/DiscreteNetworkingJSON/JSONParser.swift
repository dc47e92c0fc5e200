public import Foundation

extension JSONValue {
    /// Parses a JSON text (RFC 8259) strictly, preserving the literals of numbers.
    ///
    /// The text must be UTF-8; a leading byte order mark is ignored. Any value is allowed at the top level.
    /// The last of equal keys counts; keys are compared as Swift strings, so composed and decomposed forms
    /// are equal. A lone surrogate (`"\ud800"`) is an error.
    ///
    /// ```swift
    /// let body = try JSONValue(parsing: Data(#"{"code":0,"price":1.10}"#.utf8))
    /// body["price"]?.number?.literal  // "1.10"
    /// ```
    ///
    /// - Throws: ``JSONError`` for invalid JSON, for more than 512 levels of nesting, and for a key with
    ///   more than 30 consecutive combining marks.
    public init(parsing data: Data) throws(JSONError) {
        self = try JSONParser.parse([UInt8](data))
    }

    /// Parses a JSON text; see ``init(parsing:)-(Data)``.
    /// - Throws: ``JSONError``; its offset counts UTF-8 bytes.
    public init(parsing text: String) throws(JSONError) {
        self = try JSONParser.parse([UInt8](text.utf8))
    }
}

/// Builds values from the events of a ``JSONWalker``.
enum JSONParser {
    /// An open container: the start of its keys and values in the two stacks.
    private struct Frame {
        let firstKey: Int
        let firstValue: Int
    }

    // Values are collected on one stack and moved when their container closes, so that a dictionary is
    // allocated once with its final size.
    static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
        var walker = JSONWalker(bytes)
        var keys: [String] = []
        var values: [JSONValue] = []
        var frames: [Frame] = []
        while true {
            switch try walker.next() {
            case .beginObject, .beginArray:
                frames.append(Frame(firstKey: keys.count, firstValue: values.count))
            case .key(let token): keys.append(try walker.lexer.key(of: token))
            case .string(let token): values.append(.string(walker.lexer.text(of: token)))
            case .number(let range):
                let literal = String(decoding: bytes[range], as: UTF8.self)
                values.append(.number(JSONNumber(unchecked: literal)))
            case .bool(let bool): values.append(.bool(bool))
            case .null: values.append(.null)
            case .endArray:
                let frame = frames.removeLast()
                let elements = Array(values[frame.firstValue...])
                values.removeLast(elements.count)
                values.append(.array(elements))
            case .endObject:
                let frame = frames.removeLast()
                let count = keys.count - frame.firstKey
                var object = [String: JSONValue](minimumCapacity: count)
                for index in 0..<count {
                    object[keys[frame.firstKey + index]] = values[frame.firstValue + index]
                }
                keys.removeLast(count)
                values.removeLast(count)
                values.append(.object(object))
            case .end: return values.removeLast()
            }
        }
    }
}

extension JSONLexer {
    /// The limit of UAX #15 section 13 (Stream-Safe Text Format).
    private static let markLimit = 30

    /// Returns the text of a key that is safe to hash: dictionaries normalize their keys, which takes
    /// quadratic time for consecutive combining marks.
    fileprivate func key(of token: StringToken) throws(JSONError) -> String {
        let text = text(of: token)
        guard !token.isASCII || token.isEscaped, text.utf8.count > Self.markLimit else { return text }
        var marks = 0
        for scalar in text.unicodeScalars {
            marks = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : marks + 1
            guard marks <= Self.markLimit else {
                throw error(
                    "a key with at most \(Self.markLimit) consecutive combining marks",
                    at: token.content.lowerBound)
            }
        }
        return text
    }
}

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
