import Foundation

// The conversions of `JSONDecoder`. Errors have its texts, for those who look at them in their own `init(from:)`.
//
// What is rare is not inlined, in the whole module: with all of it inlined, 10 KB take 1.07 times as long to decode.
extension JSONDecodingNode {
    @inline(__always)
    func word(_ index: Int) -> JSONTape.Word { source.document.tape[index] }

    /// The index after a value.
    @inline(__always)
    func after(_ index: Int) -> Int { source.document.tape.after(index) }

    @inline(__always)
    func isNull(_ index: Int) -> Bool { word(index).isKind(.null) }

    @inline(__always)
    func string(_ index: Int, _ key: @autoclosure () -> (any CodingKey)?) throws -> String {
        let word = word(index)
        guard word.isString else { throw mismatch(String.self, index, key()) }
        return source.bytes.string(at: word.payload, word.kind)
    }

    @inline(__always)
    func bool(_ index: Int, _ key: @autoclosure () -> (any CodingKey)?) throws -> Bool {
        let word = word(index)
        if word.isKind(.yes) { return true }
        if word.isKind(.no) { return false }
        throw typeMismatch(Bool.self, index, key())
    }

    @inline(__always)
    func integer<T: FixedWidthInteger>(
        _ type: T.Type, _ index: Int, _ key: @autoclosure () -> (any CodingKey)?
    ) throws -> T {
        let word = word(index)
        guard word.isKind(.integer), let value = source.bytes.integer(type, at: word.payload) else {
            guard word.isKind(.integer) || word.isKind(.number) else { throw mismatch(type, index, key()) }
            return try writtenInteger(type, word, key())
        }
        return value
    }

    /// Returns an integer that is written with a fraction or an exponent, such as `3.0`, or says that it does not fit.
    @inline(never)
    private func writtenInteger<T: FixedWidthInteger>(
        _ type: T.Type, _ word: JSONTape.Word, _ key: (any CodingKey)?
    ) throws -> T {
        let text = source.bytes.text(word.payload..<source.bytes.endOfNumber(at: word.payload))
        guard let double = Double(text) else { throw source.unsure() }
        guard let value = T(exactly: double) else { throw source.misfit(text, type, path(key)) }
        // Beyond 2^53, where `Double` skips integers, `JSONDecoder` reads a `Decimal`, and of zeros it rejects some, such as 0e9.
        guard double != 0, double.magnitude < 0x1p53 else { throw source.unsure() }
        return value
    }

    @inline(__always)
    func float<T: BinaryFloatingPoint & LosslessStringConvertible>(
        _ type: T.Type, _ index: Int, _ key: @autoclosure () -> (any CodingKey)?
    ) throws -> T {
        let word = word(index)
        guard word.isKind(.integer) || word.isKind(.number) else {
            if let value = named(type, word) { return value }
            throw mismatch(type, index, key())
        }
        guard let value = source.bytes.float(type, at: word.payload) else { throw source.unsure() }
        return value
    }

    /// Returns the number that a string names.
    @inline(never)
    private func named<T: BinaryFloatingPoint>(_ type: T.Type, _ word: JSONTape.Word) -> T? {
        guard word.isString, !word.isKind(.escaped), let names = source.options.floatNames else { return nil }
        let text = source.bytes.buffer(
            word.payload..<source.bytes.endOfString(at: word.payload, word.kind))
        // By their bytes, as `JSONDecoder` compares them.
        if text.elementsEqual(names.positiveInfinity.utf8) { return .infinity }
        if text.elementsEqual(names.negativeInfinity.utf8) { return -.infinity }
        return text.elementsEqual(names.nan.utf8) ? .nan : nil
    }

    // MARK: Any type

    // No `T?` is returned, because to look that type up takes longer than to decode a number.

    /// Decodes the value of the place itself, or of an element.
    @inline(__always)
    func value<T: Decodable>(_ type: T.Type, at index: Int, _ key: JSONPlaceKey = .none) throws -> T {
        try value(type, at: index, key) { try make(at: index, key) { try T(from: $0) } }
    }

    /// Decodes the outermost value. A small text has no others, so that nothing is noted of its type.
    func topValue<T: Decodable>(_ type: T.Type, _ index: Int) throws -> T {
        if Self.isSpecial(type) || isConverted(type) {
            return try special(type, index, nil) { try make(at: index, .none) { try T(from: $0) } }
        }
        return try make(at: index, .none) { try T(from: $0) }
    }

    /// - Parameter other: Decodes a type that is none of those known.
    @inline(__always)
    func value<T: Decodable>(
        _ type: T.Type, at index: Int, _ key: JSONPlaceKey, other: () throws -> T
    ) throws -> T {
        if type == String.self { return same(try string(index, key.codingKey), as: type) }
        if type == Int.self { return same(try integer(Int.self, index, key.codingKey), as: type) }
        if type == Double.self { return same(try float(Double.self, index, key.codingKey), as: type) }
        if type == [String].self, let array = strings(index) { return same(array, as: type) }
        switch kind(of: type) {
        case .standard(let standard): return try standard.read(self, index, key, as: type)
        case .special: return try special(type, index, key.codingKey, other: other)
        case .other: return try other()
        }
    }

    /// Decodes the value of a key below the place.
    @inline(__always)
    func value<T: Decodable, Key: CodingKey>(_ type: T.Type, at index: Int, _ key: Key) throws -> T {
        if type == String.self { return same(try string(index, key), as: type) }
        if type == Int.self { return same(try integer(Int.self, index, key), as: type) }
        if type == Double.self { return same(try float(Double.self, index, key), as: type) }
        if type == [String].self, let array = strings(index) { return same(array, as: type) }
        switch kind(of: type) {
        case .standard(let standard):
            return try standard.read(JSONDecodingNode(self, key), index, .none, as: type)
        case .special:
            return try special(type, index, key) {
                try JSONDecodingNode(self, key).make(at: index, .none) { try T(from: $0) }
            }
        case .other: return try JSONDecodingNode(self, key).make(at: index, .none) { try T(from: $0) }
        }
    }

    @inline(__always)
    private func kind<T>(of type: T.Type) -> JSONTypeCache.Kind {
        source.types.kind(of: type) {
            if Self.isSpecial(type) || isConverted(type) { return .special }
            return (T.self as? any JSONStandardType.Type).map(JSONTypeCache.Kind.standard) ?? .other
        }
    }

    private static func isSpecial<T>(_ type: T.Type) -> Bool {
        type == Date.self || type == URL.self || type == Data.self || type == Decimal.self
            || type == JSONValue.self || type == JSONNumber.self
    }

    /// Whether a type has keys that no strategy converts.
    private func isConverted<T>(_ type: T.Type) -> Bool {
        source.options.convertsSnakeCase && T.self is any StringKeyedDictionary.Type
    }

    /// Returns an array of strings, the most frequent one, without the nodes and the generic types of others.
    /// - Returns: `nil` for other values, and for arrays with others.
    @inline(never)
    private func strings(_ index: Int) -> [String]? {
        let word = word(index)
        guard word.isKind(.array) else { return nil }
        // Checked first: no memory is taken for an array of others.
        let elements = index + 1..<word.payload
        guard elements.allSatisfy({ self.word($0).isString }) else { return nil }
        var strings: [String] = []
        strings.reserveCapacity(elements.count)
        for element in elements {
            let word = self.word(element)
            strings.append(source.bytes.string(at: word.payload, word.kind))
        }
        return strings
    }

    /// Returns the index after an array.
    func endOfArray(_ index: Int) throws -> Int {
        let word = word(index)
        guard word.isKind(.array) else { throw containerMismatch([Any].self, "unkeyed", index) }
        return word.payload
    }

    @inline(never)
    private func special<T: Decodable>(
        _ type: T.Type, _ index: Int, _ key: (any CodingKey)?, other: () throws -> T
    ) throws -> T {
        if type == Date.self { return same(try date(index, key), as: type) }
        if type == URL.self { return same(try url(index, key), as: type) }
        if type == Data.self { return same(try data(index, key), as: type) }
        if type == Decimal.self { return same(try decimal(index, key), as: type) }
        if type == JSONValue.self {
            guard let value = JSONValueReader(source: source).value(index) else { throw source.unsure() }
            return same(value, as: type)
        }
        if type == JSONNumber.self, let number = JSONValueReader(source: source).number(word(index)) {
            return same(number, as: type)
        }
        if source.options.convertsSnakeCase, let dictionary = T.self as? any StringKeyedDictionary.Type {
            return try dictionary.decoded(at: index, node(key)) as! T
        }
        return try other()
    }

    /// Returns a value as the type that it has.
    @inline(__always)
    private func same<A, T>(_ value: A, as type: T.Type) -> T {
        precondition(A.self == type)
        // `unsafeBitCast` between a type and itself, checked in the line above, is free; a cast looks both up.
        return unsafeBitCast(value, to: type)
    }

    private func date(_ index: Int, _ key: (any CodingKey)?) throws -> Date {
        guard !isNull(index) else { throw mismatch(Date.self, index, key) }
        switch source.options.dates {
        case .deferredToDate:
            return Date(timeIntervalSinceReferenceDate: try float(Double.self, index, key))
        case .secondsSince1970: return Date(timeIntervalSince1970: try float(Double.self, index, key))
        case .millisecondsSince1970:
            return Date(timeIntervalSince1970: try float(Double.self, index, key) / 1000)
        case .iso8601:
            // What all versions of the platforms read in the same way.
            let text = try string(index, key)
            guard RFC3339.isPlain(text), let date = RFC3339.date(from: text) else { throw source.unsure() }
            return date
        case .custom(let make): return try node(key).make(at: index, .none) { try make($0) }
        #if canImport(Darwin)
            case .formatted: throw source.unsure()
        #endif
        @unknown default: throw source.unsure()
        }
    }

    private func data(_ index: Int, _ key: (any CodingKey)?) throws -> Data {
        guard !isNull(index) else { throw mismatch(Data.self, index, key) }
        switch source.options.data {
        case .base64:
            guard let data = Data(base64Encoded: try string(index, key)) else { throw source.unsure() }
            return data
        case .deferredToData: return try node(key).make(at: index, .none) { try Data(from: $0) }
        case .custom(let make): return try node(key).make(at: index, .none) { try make($0) }
        @unknown default: throw source.unsure()
        }
    }

    private func url(_ index: Int, _ key: (any CodingKey)?) throws -> URL {
        guard !isNull(index) else { throw mismatch(URL.self, index, key) }
        guard let url = URL(string: try string(index, key)) else { throw source.unsure() }
        return url
    }

    private func decimal(_ index: Int, _ key: (any CodingKey)?) throws -> Decimal {
        let word = word(index)
        guard word.isKind(.integer) || word.isKind(.number) else {
            if word.isKind(.null) { throw mismatch(Decimal.self, index, key) }
            throw DecodingError.typeMismatch(
                Decimal.self, .init(codingPath: path(key), debugDescription: ""))
        }
        let text = source.bytes.text(word.payload..<source.bytes.endOfNumber(at: word.payload))
        // Without rounding and without an exponent, where the implementations agree.
        guard text.utf8.count <= 30, text.utf8.allSatisfy({ $0 | 0x20 != UInt8(ascii: "e") }),
            let decimal = Decimal(string: text)
        else { throw source.unsure() }
        return decimal
    }

    private func node(_ key: (any CodingKey)?) -> JSONDecodingNode {
        key.map { JSONDecodingNode(self, $0) } ?? self
    }

    // MARK: Errors

    /// Returns the error for a value of another type, or `null`.
    @inline(never)
    func mismatch(_ type: any Any.Type, _ index: Int, _ key: (any CodingKey)?) -> any Error {
        guard isNull(index) else { return typeMismatch(type, index, key) }
        return DecodingError.valueNotFound(
            type,
            .init(
                codingPath: path(key),
                debugDescription: "Cannot get value of type \(type) -- found null value instead"))
    }

    @inline(never)
    func typeMismatch(_ type: any Any.Type, _ index: Int, _ key: (any CodingKey)?) -> any Error {
        DecodingError.typeMismatch(
            type,
            .init(
                codingPath: path(key),
                debugDescription: "Expected to decode \(type) but found \(word(index).foundText) instead."))
    }
}

extension JSONTape.Word {
    /// The kind, as `JSONDecoder` calls it.
    fileprivate var foundText: String {
        switch kind {
        case .plain, .unicode, .escaped: "a string"
        case .integer, .number: "number"
        case .yes, .no: "bool"
        case .null: "null"
        case .object: "a dictionary"
        case .array: "an array"
        }
    }
}

/// A dictionary with keys that no strategy converts.
private protocol StringKeyedDictionary {
    static func decoded(at index: Int, _ node: JSONDecodingNode) throws -> Any
}

extension Dictionary: StringKeyedDictionary where Key == String, Value: Decodable {
    fileprivate static func decoded(at index: Int, _ node: JSONDecodingNode) throws -> Any {
        let word = node.word(index)
        guard word.isKind(.object) else { throw node.mismatch([String: Any].self, index, nil) }
        var result: [String: Value] = [:]
        var next = index + 1
        while next < word.payload {
            let name = try node.string(next, nil)
            let value = try node.value(Value.self, at: next + 1, JSONCodingKey.name(name))
            // The first of equal keys counts.
            if result[name] == nil { result[name] = value }
            next = node.after(next + 1)
        }
        return result
    }
}
