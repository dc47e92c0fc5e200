import DiscreteNetworkingJSON

/// Reads a query of JSONPath (RFC 9535).
struct JSONQueryParser {
    private let text: String
    private let scalars: [Unicode.Scalar]
    private var position = 0
    /// How many conditions are around the position.
    private var depth = 0

    private init(_ text: String) {
        self.text = text
        scalars = Array(text.unicodeScalars)
    }

    /// - Throws: ``GeneratorError`` with the query and the place of the fault.
    static func parse(_ text: String) throws(GeneratorError) -> JSONQuery {
        var parser = JSONQueryParser(text)
        guard parser.take("$") else { throw parser.fault("a JSONPath begins with $") }
        let segments = try parser.segments()
        guard parser.position == parser.scalars.count else { throw parser.fault("it should end here") }
        return JSONQuery(segments: segments)
    }

    private func fault(_ what: String) -> GeneratorError {
        GeneratorError(
            "The JSONPath \(text) of the overlay cannot be read at character \(position + 1): \(what).")
    }

    // MARK: Characters

    private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private mutating func take(_ word: String) -> Bool {
        let wanted = Array(word.unicodeScalars)
        guard scalars[position...].starts(with: wanted) else { return false }
        position += wanted.count
        return true
    }

    private mutating func skipBlanks() {
        while let next, " \t\n\r".unicodeScalars.contains(next) { position += 1 }
    }

    /// Takes a word after blanks.
    private mutating func takeAfterBlanks(_ word: String) -> Bool {
        skipBlanks()
        return take(word)
    }

    private static func isName(_ scalar: Unicode.Scalar, first: Bool) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "_": true
        case "0"..."9": !first
        default: scalar.value >= 0x80
        }
    }

    private mutating func name() -> String? {
        var name = String.UnicodeScalarView()
        while let next, Self.isName(next, first: name.isEmpty) {
            name.append(next)
            position += 1
        }
        return name.isEmpty ? nil : String(name)
    }

    private mutating func integer() throws(GeneratorError) -> Int? {
        let start = position
        _ = take("-")
        let digits = position
        while let next, ("0"..."9").contains(next) { position += 1 }
        guard position > digits else {
            position = start
            return nil
        }
        let text = String(String.UnicodeScalarView(scalars[start..<position]))
        guard let value = Int(text), String(value) == text, abs(value) < 1 << 53 else {
            throw fault("\(text) is no index")
        }
        return value
    }

    /// A text in single or double quotes.
    private mutating func quoted() throws(GeneratorError) -> String? {
        guard let quote = next, quote == "'" || quote == "\"" else { return nil }
        position += 1
        var json = "\""
        while let scalar = next, scalar != quote {
            position += 1
            if scalar == "\\" {
                guard let escaped = next else { throw fault("the text does not end") }
                position += 1
                json += escaped == "'" ? "'" : "\\" + String(Character(escaped))
            } else {
                json += scalar == "\"" ? "\\\"" : String(Character(scalar))
            }
        }
        guard take(String(Character(quote))) else { throw fault("the text does not end") }
        guard let text = (try? JSONValue(parsing: json + "\""))?.string else {
            throw fault("the text before has a wrong escape")
        }
        return text
    }

    // MARK: Segments

    private mutating func segments() throws(GeneratorError) -> [JSONQuery.Segment] {
        var segments: [JSONQuery.Segment] = []
        while true {
            let start = position
            skipBlanks()
            let isDescendant = take("..")
            if take("[") {
                segments.append(.init(selectors: try selectors(), isDescendant: isDescendant))
            } else if isDescendant || take(".") {
                segments.append(.init(selectors: [try member()], isDescendant: isDescendant))
            } else {
                position = start
                return segments
            }
        }
    }

    private mutating func member() throws(GeneratorError) -> JSONQuery.Selector {
        if take("*") { return .wildcard }
        guard let name = name() else { throw fault("a name or * is missing") }
        return .name(name)
    }

    private mutating func selectors() throws(GeneratorError) -> [JSONQuery.Selector] {
        var selectors: [JSONQuery.Selector] = []
        repeat {
            skipBlanks()
            selectors.append(try selector())
        } while takeAfterBlanks(",")
        guard take("]") else { throw fault("] is missing") }
        return selectors
    }

    private mutating func selector() throws(GeneratorError) -> JSONQuery.Selector {
        if take("*") { return .wildcard }
        if take("?") { return .filter(try condition()) }
        if let name = try quoted() { return .name(name) }
        let start = try integer()
        guard takeAfterBlanks(":") else {
            guard let start else { throw fault("a name in quotes, an index, a slice, * or ? is missing") }
            return .index(start)
        }
        skipBlanks()
        let end = try integer()
        var step: Int?
        if takeAfterBlanks(":") {
            skipBlanks()
            step = try integer()
        }
        return .slice(start: start, end: end, step: step ?? 1)
    }

    // MARK: Filters

    private mutating func condition() throws(GeneratorError) -> JSONQuery.Condition {
        depth += 1
        defer { depth -= 1 }
        guard depth < 50 else { throw fault("it is nested too deeply") }
        var parts = [try conjunction()]
        while takeAfterBlanks("||") { parts.append(try conjunction()) }
        return parts.count == 1 ? parts[0] : .any(parts)
    }

    private mutating func conjunction() throws(GeneratorError) -> JSONQuery.Condition {
        var parts = [try negation()]
        while takeAfterBlanks("&&") { parts.append(try negation()) }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    private mutating func negation() throws(GeneratorError) -> JSONQuery.Condition {
        skipBlanks()
        if next == "!", scalars.indices.contains(position + 1), scalars[position + 1] != "=" {
            position += 1
            depth += 1
            defer { depth -= 1 }
            guard depth < 50 else { throw fault("it is nested too deeply") }
            return .not(try negation())
        }
        if take("(") {
            let inner = try condition()
            guard takeAfterBlanks(")") else { throw fault(") is missing") }
            return inner
        }
        let left = try operand()
        skipBlanks()
        for sign in ["==", "!=", "<=", ">=", "<", ">"] where take(sign) {
            skipBlanks()
            let right = try operand()
            guard left.isSingular, right.isSingular else {
                throw fault("only queries of one value can be compared")
            }
            return .compare(left, sign, right)
        }
        guard case .query = left else { throw fault("a value alone is no condition") }
        return .exists(left)
    }

    private mutating func operand() throws(GeneratorError) -> JSONQuery.Operand {
        if take("@") { return .query(isRoot: false, try segments()) }
        if take("$") { return .query(isRoot: true, try segments()) }
        if let text = try quoted() { return .value(.string(text)) }
        let start = position
        while let next, Self.isName(next, first: false) || "+-.".unicodeScalars.contains(next) {
            position += 1
        }
        let word = String(String.UnicodeScalarView(scalars[start..<position]))
        guard !word.isEmpty, next != "(", let value = try? JSONValue(parsing: word) else {
            position = start
            throw fault("a value, @ or $ is missing; functions are not supported")
        }
        return .value(value)
    }
}

extension JSONQuery.Operand {
    /// Whether this is a value, or a query that selects one at most.
    fileprivate var isSingular: Bool {
        guard case .query(_, let segments) = self else { return true }
        return segments.allSatisfy { segment in
            guard !segment.isDescendant, segment.selectors.count == 1 else { return false }
            switch segment.selectors[0] {
            case .name, .index: return true
            case .slice, .wildcard, .filter: return false
            }
        }
    }
}
