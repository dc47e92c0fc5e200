/// Reads a ``JSONValue`` as its own `init(from:)` reads it from a `JSONDecoder`: the first of equal keys counts, and numbers have
/// the notation of their value.
struct JSONValueReader {
    let source: JSONDecodingSource

    /// Returns `nil` if it is not certain.
    func value(_ index: Int) -> JSONValue? {
        let word = source.document.tape[index]
        switch word.kind {
        case .null: return .null
        case .yes: return .bool(true)
        case .no: return .bool(false)
        case .plain, .unicode, .escaped:
            return .string(source.bytes.string(at: word.payload, word.kind))
        case .integer, .number: return number(word).map(JSONValue.number)
        case .array:
            var elements: [JSONValue] = []
            var next = index + 1
            while next < word.payload {
                guard let element = value(next) else { return nil }
                elements.append(element)
                next = source.document.tape.after(next)
            }
            return .array(elements)
        case .object:
            var members: [String: JSONValue] = [:]
            var next = index + 1
            while next < word.payload {
                let key = source.document.tape[next]
                guard let member = value(next + 1) else { return nil }
                let name = source.bytes.string(at: key.payload, key.kind)
                if members[name] == nil { members[name] = member }
                next = source.document.tape.after(next + 1)
            }
            return .object(members)
        }
    }

    /// Returns a number; `nil` for another kind, and if it is not certain.
    func number(_ word: JSONTape.Word) -> JSONNumber? {
        if word.isKind(.integer) {
            if let integer = source.bytes.integer(Int64.self, at: word.payload) { return JSONNumber(integer) }
            return source.bytes.integer(UInt64.self, at: word.payload).map { JSONNumber($0) }
        }
        guard word.isKind(.number) else { return nil }
        // Up to 15 digits, a `Double` is the number that is written, and a `Decimal` writes it without trailing zeros.
        let text = source.bytes.text(word.payload..<source.bytes.endOfNumber(at: word.payload))
        guard text.utf8.count <= 16, !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) else {
            return nil
        }
        var literal = text[...]
        while literal.utf8.last == UInt8(ascii: "0") { literal.removeLast() }
        if literal.utf8.last == UInt8(ascii: ".") { literal.removeLast() }
        return JSONNumber(unchecked: literal == "-0" ? "0" : String(literal))
    }
}
