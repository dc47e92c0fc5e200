/// An event while walking a JSON text.
enum JSONEvent {
    case beginObject
    case endObject
    case beginArray
    case endArray
    case key(JSONLexer.StringToken)
    case string(JSONLexer.StringToken)
    case number(Range<Int>)
    case bool(Bool)
    case null
    case end
}

/// Walks a JSON text and validates its structure (RFC 8259 sections 2 to 5).
///
/// Open containers are kept in an array instead of the call stack, so that deep nesting is an error and not
/// a crash.
package struct JSONWalker {
    /// The maximum nesting depth, as in Foundation.
    package static let depthLimit = 512

    private enum Expectation { case value, firstElement, firstKey, key, afterValue }

    private(set) var lexer: JSONLexer
    /// The start of the last event.
    private(set) var start = 0
    private var areObjects: [Bool] = []
    private var expectation = Expectation.value

    init(_ bytes: [UInt8]) { lexer = JSONLexer(bytes) }

    /// Returns the next event; ``JSONEvent/end`` repeatedly at the end.
    mutating func next() throws(JSONError) -> JSONEvent {
        lexer.skipWhitespace()
        if expectation == .afterValue {
            guard let isObject = areObjects.last else {
                guard lexer.isAtEnd else { throw lexer.error("end of input") }
                return .end
            }
            if !lexer.consume(UInt8(ascii: ",")) {
                if let event = closing() { return event }
                throw lexer.error(isObject ? "',' or '}'" : "',' or ']'")
            }
            lexer.skipWhitespace()
            expectation = isObject ? .key : .value
        }
        start = lexer.position
        switch expectation {
        case .firstKey:
            if let event = closing() { return event }
            return try key("a string as key or '}'")
        case .key: return try key("a string as key")
        case .firstElement:
            if let event = closing() { return event }
            return try value("a value or ']'")
        case .value, .afterValue: return try value("a value")
        }
    }

    private mutating func key(_ expected: String) throws(JSONError) -> JSONEvent {
        guard lexer.next == UInt8(ascii: "\"") else { throw lexer.error(expected) }
        let token = try lexer.scanString()
        lexer.skipWhitespace()
        guard lexer.consume(UInt8(ascii: ":")) else { throw lexer.error("':'") }
        expectation = .value
        return .key(token)
    }

    private mutating func value(_ expected: String) throws(JSONError) -> JSONEvent {
        guard let byte = lexer.next else { throw lexer.error(expected) }
        expectation = .afterValue
        switch byte {
        case UInt8(ascii: "\""): return .string(try lexer.scanString())
        case UInt8(ascii: "-"), 0x30...0x39: return .number(try lexer.scanNumber())
        case UInt8(ascii: "{"):
            try open(isObject: true)
            return .beginObject
        case UInt8(ascii: "["):
            try open(isObject: false)
            return .beginArray
        case UInt8(ascii: "t"):
            try lexer.scanWord("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try lexer.scanWord("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try lexer.scanWord("null")
            return .null
        default: throw lexer.error(expected)
        }
    }

    private mutating func open(isObject: Bool) throws(JSONError) {
        guard areObjects.count < Self.depthLimit else {
            throw lexer.error("at most \(Self.depthLimit) levels of nesting")
        }
        _ = lexer.consume(isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
        areObjects.append(isObject)
        expectation = isObject ? .firstKey : .firstElement
    }

    /// Closes the innermost container if its closing bracket is next.
    private mutating func closing() -> JSONEvent? {
        guard let isObject = areObjects.last,
            lexer.consume(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        else { return nil }
        areObjects.removeLast()
        expectation = .afterValue
        return isObject ? .endObject : .endArray
    }
}
