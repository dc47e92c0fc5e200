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
    /// - Throws: ``JSONError`` for invalid JSON, for more than 512 levels of nesting, for a key with more than
    ///   30 consecutive combining marks, and for a text of 256 MiB or more.
    public init(parsing data: Data) throws(JSONError) {
        let document = try JSONDocument(data)
        self = document.parsed(document.top)
    }

    /// Parses a JSON text; see ``init(parsing:)-(Data)``.
    /// - Throws: ``JSONError``; its offset counts UTF-8 bytes.
    public init(parsing text: String) throws(JSONError) {
        self = try JSONValue(parsing: Data(text.utf8))
    }
}

/// Builds values from the tokens of a document.
struct JSONParser {
    let bytes: JSONBytes
    let document: JSONDocument

    static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
        let document = try JSONDocument(Data(bytes))
        return document.parsed(document.top)
    }

    // As deep as the text is nested, which the walker limits.
    func value(at index: Int) -> JSONValue {
        let word = document.tape[index]
        switch word.kind {
        case .null: return .null
        case .yes: return .bool(true)
        case .no: return .bool(false)
        case .plain, .unicode, .escaped: return .string(bytes.string(at: word.payload, word.kind))
        case .integer, .number:
            return .number(
                JSONNumber(unchecked: bytes.text(word.payload..<bytes.endOfNumber(at: word.payload))))
        case .array: return .array(elements(from: index + 1, to: word.payload))
        case .object: return .object(members(from: index + 1, to: word.payload))
        }
    }

    private func elements(from start: Int, to end: Int) -> [JSONValue] {
        var count = 0
        var index = start
        while index < end {
            index = document.tape.after(index)
            count += 1
        }
        index = start
        return [JSONValue](unsafeUninitializedCapacity: count) { elements, used in
            while index < end {
                (elements.baseAddress.unsafelyUnwrapped + used).initialize(to: value(at: index))
                index = document.tape.after(index)
                used += 1
            }
        }
    }

    private func members(from start: Int, to end: Int) -> [String: JSONValue] {
        var count = 0
        var index = start
        while index < end {
            index = document.tape.after(index + 1)
            count += 1
        }
        index = start
        var members = [String: JSONValue](minimumCapacity: count)
        while index < end {
            let key = document.tape[index]
            members[bytes.string(at: key.payload, key.kind)] = value(at: index + 1)
            index = document.tape.after(index + 1)
        }
        return members
    }
}

extension JSONDocument {
    /// Returns a parsed value; see ``JSONValue/init(parsing:)-(Data)``.
    package func parsed(_ value: Value) -> JSONValue {
        data.withUnsafeBytes { JSONParser(bytes: JSONBytes($0), document: self).value(at: value.index) }
    }
}
