/// Walks a JSON text, validates it (RFC 8259 sections 2 to 5), and makes its ``JSONTape``.
///
/// Open containers are kept in the tape instead of the call stack, so that deep nesting is an error and not a crash.
package struct JSONWalker: ~Copyable {
    /// The maximum nesting depth, as in Foundation.
    package static let depthLimit = 512

    private enum Expectation { case value, firstElement, firstKey, key, afterValue }

    private static let none = 0x0FFF_FFFF

    private var lexer: JSONLexer
    private var tape: JSONTape
    private var expectation = Expectation.value
    /// The tape index of the innermost open container. Until it is closed, its payload is the index of the next outer
    /// one.
    private var container = Self.none
    private var isObject = false
    private var depth = 0

    /// Returns the tokens of a text, and a `null` after them.
    static func tape(of bytes: JSONBytes) throws(JSONError) -> JSONTape {
        guard bytes.count <= JSONTape.sizeLimit else {
            throw JSONError(in: bytes, at: 0, expected: "at most \(JSONTape.sizeLimit) bytes")
        }
        var walker = JSONWalker(bytes)
        try walker.walk()
        walker.tape.append(.null, 0)
        return walker.end()
    }

    private init(_ bytes: JSONBytes) {
        lexer = JSONLexer(bytes)
        tape = JSONTape(textSize: bytes.count)
    }

    private consuming func end() -> JSONTape { tape }

    private mutating func walk() throws(JSONError) {
        while true {
            lexer.skipWhitespace()
            switch expectation {
            case .value: try value("a value")
            case .afterValue:
                if container == Self.none {
                    guard lexer.position >= lexer.bytes.count else { throw lexer.error("end of input") }
                    return
                }
                if lexer.consume(UInt8(ascii: ",")) {
                    expectation = isObject ? .key : .value
                } else if !close() {
                    throw lexer.error(isObject ? "',' or '}'" : "',' or ']'")
                }
            case .key: try key("a string as key")
            case .firstKey: if !close() { try key("a string as key or '}'") }
            case .firstElement: if !close() { try value("a value or ']'") }
            }
        }
    }

    @inline(__always)
    private mutating func key(_ expected: @autoclosure () -> String) throws(JSONError) {
        guard lexer.bytes[lexer.position] == UInt8(ascii: "\"") else { throw lexer.error(expected()) }
        let start = lexer.position + 1
        let kind = try lexer.scanString()
        if kind != .plain { try limitMarks(of: start, kind) }
        tape.append(kind, start)
        lexer.skipWhitespace()
        guard lexer.consume(UInt8(ascii: ":")) else { throw lexer.error("':'") }
        expectation = .value
    }

    @inline(__always)
    private mutating func value(_ expected: @autoclosure () -> String) throws(JSONError) {
        let start = lexer.position
        expectation = .afterValue
        switch lexer.bytes[start] {
        case UInt8(ascii: "\""): tape.append(try lexer.scanString(), start + 1)
        case UInt8(ascii: "-"), 0x30...0x39:
            tape.append(try lexer.scanNumber() ? .integer : .number, start)
        case UInt8(ascii: "{"): try open(isObject: true)
        case UInt8(ascii: "["): try open(isObject: false)
        case UInt8(ascii: "t"):
            try lexer.scanWord("true")
            tape.append(.yes, start)
        case UInt8(ascii: "f"):
            try lexer.scanWord("false")
            tape.append(.no, start)
        case UInt8(ascii: "n"):
            try lexer.scanWord("null")
            tape.append(.null, start)
        default: throw lexer.error(expected())
        }
    }

    private mutating func open(isObject: Bool) throws(JSONError) {
        guard depth < Self.depthLimit else {
            throw lexer.error("at most \(Self.depthLimit) levels of nesting")
        }
        depth += 1
        lexer.position += 1
        tape.append(isObject ? .object : .array, container)
        container = tape.count - 1
        self.isObject = isObject
        expectation = isObject ? .firstKey : .firstElement
    }

    /// Closes the innermost container if its closing bracket is next.
    private mutating func close() -> Bool {
        guard lexer.consume(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { return false }
        let outer = tape[container].payload
        tape.replace(container, isObject ? .object : .array, tape.count)
        container = outer
        isObject = outer != Self.none && tape[outer].isKind(.object)
        depth -= 1
        expectation = .afterValue
        return true
    }

    // MARK: Keys

    /// The limit of UAX #15 section 13 (Stream-Safe Text Format).
    private static let markLimit = 30

    /// Checks that a key is safe to compare and to hash: both normalize it, which takes quadratic time for consecutive
    /// combining marks.
    @inline(never)
    private func limitMarks(of start: Int, _ kind: JSONTape.Kind) throws(JSONError) {
        guard lexer.position - start > Self.markLimit else { return }
        var marks = 0
        for scalar in lexer.bytes.string(at: start, kind).unicodeScalars {
            marks = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : marks + 1
            guard marks <= Self.markLimit else {
                throw lexer.error(
                    "a key with at most \(Self.markLimit) consecutive combining marks", at: start)
            }
        }
    }
}
