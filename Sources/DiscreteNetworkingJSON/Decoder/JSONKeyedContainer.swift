/// The members of an object.
struct JSONKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let node: JSONDecodingNode
    private let index: Int
    private let table: JSONKeyTable?

    init(_ node: JSONDecodingNode, _ index: Int) {
        self.node = node
        self.index = index
        table = JSONKeyTable.table(of: index, node.source)
    }

    var codingPath: [any CodingKey] { node.path }

    /// The keys in the order of the text, or in no order, as in `JSONDecoder`.
    var allKeys: [Key] {
        if let names = table?.names { return names.compactMap { Key(stringValue: $0) } }
        var keys: [Key] = []
        let end = node.word(index).payload
        var next = index + 1
        while next < end {
            let name = node.source.bytes.string(at: node.word(next).payload, .plain)
            if find(name) == next + 1, let key = Key(stringValue: name) { keys.append(key) }
            next = node.after(next + 1)
        }
        return keys
    }

    // MARK: Members

    /// Returns the index of a value in the tape; `nil` if there is none.
    @inline(__always)
    private func find(_ name: String) -> Int? {
        var name = name
        let found = name.withUTF8 { key in table.map { $0.find(key, node.source) } ?? search(key) }
        return found ?? findEquivalent(name)
    }

    /// Compares the few keys of an object without a table.
    @inline(__always)
    private func search(_ key: UnsafeBufferPointer<UInt8>) -> Int? {
        let bytes = node.source.bytes
        let end = node.word(index).payload
        var next = index + 1
        while next < end {
            if bytes.isKey(key, at: node.word(next).payload) { return next + 1 }
            next = node.after(next + 1)
        }
        return nil
    }

    /// Looks for a key with other bytes, which a name that is not ASCII may equal: U+212A equals "K".
    @inline(__always)
    private func findEquivalent(_ name: String) -> Int? {
        name.utf8.allSatisfy { $0 < 0x80 } ? nil : findEquivalentSlowly(name)
    }

    @inline(never)
    private func findEquivalentSlowly(_ name: String) -> Int? {
        if table?.names != nil { return nil }
        let end = node.word(index).payload
        var next = index + 1
        while next < end {
            if node.source.bytes.string(at: node.word(next).payload, .plain) == name { return next + 1 }
            next = node.after(next + 1)
        }
        return nil
    }

    @inline(__always)
    private func value(_ key: Key) throws -> Int {
        if let found = find(key.stringValue) { return found }
        throw missing(key)
    }

    /// Returns the index of a value in the tape; `nil` if there is none or it is `null`.
    @inline(__always)
    private func present(_ key: Key) -> Int? {
        guard let found = find(key.stringValue), !node.isNull(found) else { return nil }
        return found
    }

    @inline(never)
    private func missing(_ key: Key) -> any Error {
        DecodingError.keyNotFound(
            key,
            .init(
                codingPath: codingPath,
                debugDescription: "No value associated with key \(key) (\"\(key.stringValue)\")."))
    }

    func contains(_ key: Key) -> Bool { find(key.stringValue) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { node.isNull(try value(key)) }

    // MARK: Values

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        try node.bool(value(key), key)
    }
    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try node.string(value(key), key)
    }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try node.float(type, value(key), key)
    }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        try node.float(type, value(key), key)
    }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        try node.integer(type, value(key), key)
    }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
        try node.integer(type, value(key), key)
    }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
        try node.integer(type, value(key), key)
    }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
        try node.integer(type, value(key), key)
    }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
        try node.integer(type, value(key), key)
    }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
        try node.integer(type, value(key), key)
    }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
        try node.integer(type, value(key), key)
    }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
        try node.integer(type, value(key), key)
    }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
        try node.integer(type, value(key), key)
    }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
        try node.integer(type, value(key), key)
    }
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { throw node.source.unsure() }
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { throw node.source.unsure() }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try node.value(type, at: value(key), key)
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        guard let found = present(key) else { return nil }
        return try node.bool(found, key)
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        guard let found = present(key) else { return nil }
        return try node.string(found, key)
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        guard let found = present(key) else { return nil }
        return try node.float(type, found, key)
    }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        guard let found = present(key) else { return nil }
        return try node.float(type, found, key)
    }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        guard let found = present(key) else { return nil }
        return try node.integer(type, found, key)
    }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
        guard let found = present(key) else { return nil }
        return try node.integer(type, found, key)
    }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
        guard let found = present(key) else { return nil }
        return try node.integer(type, found, key)
    }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
        guard let found = present(key) else { return nil }
        return try node.integer(type, found, key)
    }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        guard let found = present(key) else { return nil }
        return try node.integer(type, found, key)
    }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
        guard let found = present(key) else { return nil }
        return try node.integer(type, found, key)
    }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
        guard let found = present(key) else { return nil }
        return try node.integer(type, found, key)
    }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
        guard let found = present(key) else { return nil }
        return try node.integer(type, found, key)
    }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
        guard let found = present(key) else { return nil }
        return try node.integer(type, found, key)
    }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
        guard let found = present(key) else { return nil }
        return try node.integer(type, found, key)
    }
    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        guard let found = present(key) else { return nil }
        return try node.value(type, at: found, key)
    }

    // MARK: Containers

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        let index = try value(key)
        return KeyedDecodingContainer(try JSONDecodingNode(node, key).keyedContainer(type, index))
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        let index = try value(key)
        return try JSONDecodingNode(node, key).unkeyedContainer(index)
    }

    func superDecoder() throws -> any Decoder { superDecoder(JSONCodingKey.name("super")) }
    func superDecoder(forKey key: Key) throws -> any Decoder { superDecoder(key) }

    private func superDecoder(_ key: any CodingKey) -> any Decoder {
        // The last word is a `null`, for a value that is missing.
        let index = find(key.stringValue) ?? node.source.document.tape.count - 1
        return JSONDecodingNode(superOf: node, key).decoder(at: index)
    }
}
