import Foundation

extension JSONValue {
    /// Parses a JSON text by RFC 8259, strictly, keeping every number as written.
    ///
    /// The text must be UTF-8; a byte order mark at its start is skipped. Any value may stand at the top.
    /// Of equal keys in one object the last wins. Keys are equal as Swift strings are: composed and
    /// decomposed forms of one text are the same key. Half a surrogate pair (`"\ud800"`) is an error.
    ///
    /// ```swift
    /// let body = try JSONValue(parsing: Data(#"{"code":0,"price":1.10}"#.utf8))
    /// body["price"]?.number?.literal  // "1.10"
    /// ```
    ///
    /// - Throws: ``JSONError`` at the first byte that is not JSON, where more than 512 containers are open, or where
    ///   a key has more than 30 combining marks in a row.
    public init(parsing data: Data) throws(JSONError) {
        self = try JSONParser.parse([UInt8](data))
    }

    /// Parses a JSON text; see ``init(parsing:)-(Data)``.
    ///
    /// - Throws: ``JSONError``; its offset counts the bytes of the text in UTF-8.
    public init(parsing text: String) throws(JSONError) {
        self = try JSONParser.parse([UInt8](text.utf8))
    }
}

/// Builds values from the events of a ``JSONWalker``.
enum JSONParser {
    /// An open container: where its keys and values begin in the two stacks.
    private struct Frame {
        let firstKey: Int
        let firstValue: Int
    }

    // Values collect on one stack and move into their container when it closes: its size is known then,
    // so that a dictionary is allocated once rather than grown.
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
    /// No writing needs more marks on one letter (UAX #15 section 13, Stream-Safe Text Format).
    private static let markLimit = 30

    /// The text of a key that can be hashed: a dictionary normalizes its keys, and the time for marks in a row grows
    /// with the square of their number.
    fileprivate func key(of token: StringToken) throws(JSONError) -> String {
        let text = text(of: token)
        guard !token.isASCII || token.isEscaped, text.utf8.count > Self.markLimit else { return text }
        var marks = 0
        for scalar in text.unicodeScalars {
            marks = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : marks + 1
            guard marks <= Self.markLimit else {
                throw error(
                    "a key with at most \(Self.markLimit) combining marks in a row",
                    at: token.content.lowerBound)
            }
        }
        return text
    }
}
