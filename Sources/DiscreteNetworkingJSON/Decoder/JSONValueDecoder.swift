/// The decoder that an `init(from:)` is given: one value, and its place.
struct JSONValueDecoder {
    /// The place of the value. For an element of an array, the place of the array, so that an element without keys
    /// needs no place of its own.
    private let outer: JSONDecodingNode
    private let element: Int32
    private let position: Int32
    private let serial: Int32

    init(_ node: JSONDecodingNode, _ key: JSONPlaceKey, _ index: Int, _ serial: Int32) {
        outer = node
        element = Int32(key.element)
        position = Int32(index)
        self.serial = serial
    }

    private var key: JSONPlaceKey { JSONPlaceKey(element: Int(element)) }
    private var codingKey: (any CodingKey)? { key.codingKey }
    private var node: JSONDecodingNode { codingKey.map { JSONDecodingNode(outer, $0) } ?? outer }

    /// Returns the index of the value in the tape.
    /// - Throws: If the decoder was kept, and another value is decoded now.
    @inline(__always)
    private func index() throws -> Int {
        guard serial == outer.currentSerial else { throw outer.source.unsure() }
        return Int(position)
    }
}

extension JSONValueDecoder: Decoder {
    var codingPath: [any CodingKey] {
        _ = try? index()
        return outer.path(codingKey)
    }

    var userInfo: [CodingUserInfoKey: Any] { outer.source.options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try node.keyedContainer(type, try index()))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try node.unkeyedContainer(try index())
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        _ = try index()
        return self
    }
}

extension JSONValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { (try? index()).map(outer.isNull) ?? false }

    func decode(_ type: Bool.Type) throws -> Bool { try outer.bool(index(), codingKey) }
    func decode(_ type: String.Type) throws -> String { try outer.string(index(), codingKey) }
    func decode(_ type: Double.Type) throws -> Double { try outer.float(type, index(), codingKey) }
    func decode(_ type: Float.Type) throws -> Float { try outer.float(type, index(), codingKey) }
    func decode(_ type: Int.Type) throws -> Int { try outer.integer(type, index(), codingKey) }
    func decode(_ type: Int8.Type) throws -> Int8 { try outer.integer(type, index(), codingKey) }
    func decode(_ type: Int16.Type) throws -> Int16 { try outer.integer(type, index(), codingKey) }
    func decode(_ type: Int32.Type) throws -> Int32 { try outer.integer(type, index(), codingKey) }
    func decode(_ type: Int64.Type) throws -> Int64 { try outer.integer(type, index(), codingKey) }
    func decode(_ type: UInt.Type) throws -> UInt { try outer.integer(type, index(), codingKey) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try outer.integer(type, index(), codingKey) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try outer.integer(type, index(), codingKey) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try outer.integer(type, index(), codingKey) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try outer.integer(type, index(), codingKey) }

    // Versions of `JSONDecoder` differ.
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type) throws -> Int128 { throw outer.source.unsure() }
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type) throws -> UInt128 { throw outer.source.unsure() }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try outer.value(type, at: index(), key) { try T(from: self) }
    }
}

extension JSONDecodingNode {
    /// The decoder of a `superDecoder()`.
    func decoder(at index: Int) -> JSONValueDecoder { JSONValueDecoder(self, .none, index, currentSerial) }

    /// Decodes a value with its own `init(from:)`.
    @inline(__always)
    func make<T>(
        at index: Int, _ key: JSONPlaceKey, _ make: (JSONValueDecoder) throws -> T
    ) rethrows -> T {
        let (serial, outer) = begin()
        defer { end(outer) }
        return try make(JSONValueDecoder(self, key, index, serial))
    }

    func keyedContainer<Key: CodingKey>(_ type: Key.Type, _ index: Int) throws -> JSONKeyedContainer<Key> {
        guard word(index).isKind(.object) else {
            throw containerMismatch([String: Any].self, "keyed", index)
        }
        return JSONKeyedContainer(self, index)
    }

    func unkeyedContainer(_ index: Int) throws -> JSONUnkeyedContainer {
        _ = try endOfArray(index)
        return JSONUnkeyedContainer(self, index)
    }

    @inline(never)
    func containerMismatch(_ type: any Any.Type, _ container: String, _ index: Int) -> any Error {
        guard isNull(index) else { return typeMismatch(type, index, nil) }
        return DecodingError.valueNotFound(
            type,
            .init(
                codingPath: path,
                debugDescription: "Cannot get \(container) decoding container -- found null value instead"))
    }
}
