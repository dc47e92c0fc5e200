/// The elements of an array.
struct JSONUnkeyedContainer: UnkeyedDecodingContainer {
    private let node: JSONDecodingNode
    private let index: Int32
    private var next: Int32
    private var number: Int32 = 0

    init(_ node: JSONDecodingNode, _ index: Int) {
        self.node = node
        self.index = Int32(index)
        next = Int32(index) + 1
    }

    var codingPath: [any CodingKey] { node.path }

    // Where the result is not certain, it is thrown away, and every array is at its end: an `init(from:)` that goes on to the
    // next element until one succeeds would never end.
    var currentIndex: Int { node.source.isUnsure ? Int(Int32.max) : Int(number) }
    var isAtEnd: Bool { node.source.isUnsure || Int(next) >= node.word(Int(index)).payload }

    /// Counts the elements, which few ask for, and once: a loop may ask for it before each element.
    var count: Int? {
        if let known = node.source.elementCounts[index] { return known }
        var count = 0
        var next = Int(index) + 1
        while next < node.word(Int(index)).payload {
            next = node.after(next)
            count += 1
        }
        node.source.elementCounts[index] = count
        return count
    }

    private var key: JSONCodingKey { .index(Int(number)) }
    private var place: JSONPlaceKey { JSONPlaceKey(element: Int(number)) }

    // MARK: Elements

    /// Reads the next element, and goes on to the one after it unless that fails.
    @inline(__always)
    private mutating func take<T>(_ type: any Any.Type, _ read: (Self, Int) throws -> T) throws -> T {
        guard !isAtEnd else { throw atEnd(type) }
        let value = try read(self, Int(next))
        advance()
        return value
    }

    /// Reads the next element unless there is none or it is `null`, and goes on.
    @inline(__always)
    private mutating func takeIfPresent<T>(_ read: (Self, Int) throws -> T) throws -> T? {
        guard !isAtEnd, !node.isNull(Int(next)) else {
            advance()
            return nil
        }
        let value = try read(self, Int(next))
        advance()
        return value
    }

    @inline(__always)
    private mutating func advance() {
        // `JSONDecoder` counts behind the end, too.
        number &+= 1
        if !isAtEnd { next = Int32(truncatingIfNeeded: node.after(Int(next))) }
    }

    @inline(never)
    private func atEnd(
        _ type: any Any.Type, _ text: String = "Unkeyed container is at end."
    ) -> any Error {
        DecodingError.valueNotFound(type, .init(codingPath: node.path(key), debugDescription: text))
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd else { throw atEnd(Never.self) }
        guard node.isNull(Int(next)) else { return false }
        advance()
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool {
        try take(type) { try $0.node.bool($1, $0.key) }
    }
    mutating func decode(_ type: String.Type) throws -> String {
        try take(type) { try $0.node.string($1, $0.key) }
    }
    mutating func decode(_ type: Double.Type) throws -> Double {
        try take(type) { try $0.node.float(type, $1, $0.key) }
    }
    mutating func decode(_ type: Float.Type) throws -> Float {
        try take(type) { try $0.node.float(type, $1, $0.key) }
    }
    mutating func decode(_ type: Int.Type) throws -> Int {
        try take(type) { try $0.node.integer(type, $1, $0.key) }
    }
    mutating func decode(_ type: Int8.Type) throws -> Int8 {
        try take(type) { try $0.node.integer(type, $1, $0.key) }
    }
    mutating func decode(_ type: Int16.Type) throws -> Int16 {
        try take(type) { try $0.node.integer(type, $1, $0.key) }
    }
    mutating func decode(_ type: Int32.Type) throws -> Int32 {
        try take(type) { try $0.node.integer(type, $1, $0.key) }
    }
    mutating func decode(_ type: Int64.Type) throws -> Int64 {
        try take(type) { try $0.node.integer(type, $1, $0.key) }
    }
    mutating func decode(_ type: UInt.Type) throws -> UInt {
        try take(type) { try $0.node.integer(type, $1, $0.key) }
    }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 {
        try take(type) { try $0.node.integer(type, $1, $0.key) }
    }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 {
        try take(type) { try $0.node.integer(type, $1, $0.key) }
    }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 {
        try take(type) { try $0.node.integer(type, $1, $0.key) }
    }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 {
        try take(type) { try $0.node.integer(type, $1, $0.key) }
    }
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func decode(_ type: Int128.Type) throws -> Int128 { throw node.source.unsure() }
    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { throw node.source.unsure() }
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try take(type) { try $0.node.value(type, at: $1, $0.place) }
    }

    mutating func decodeIfPresent(_ type: Bool.Type) throws -> Bool? {
        try takeIfPresent { try $0.node.bool($1, $0.key) }
    }
    mutating func decodeIfPresent(_ type: String.Type) throws -> String? {
        try takeIfPresent { try $0.node.string($1, $0.key) }
    }
    mutating func decodeIfPresent(_ type: Double.Type) throws -> Double? {
        try takeIfPresent { try $0.node.float(type, $1, $0.key) }
    }
    mutating func decodeIfPresent(_ type: Float.Type) throws -> Float? {
        try takeIfPresent { try $0.node.float(type, $1, $0.key) }
    }
    mutating func decodeIfPresent(_ type: Int.Type) throws -> Int? {
        try takeIfPresent { try $0.node.integer(type, $1, $0.key) }
    }
    mutating func decodeIfPresent(_ type: Int8.Type) throws -> Int8? {
        try takeIfPresent { try $0.node.integer(type, $1, $0.key) }
    }
    mutating func decodeIfPresent(_ type: Int16.Type) throws -> Int16? {
        try takeIfPresent { try $0.node.integer(type, $1, $0.key) }
    }
    mutating func decodeIfPresent(_ type: Int32.Type) throws -> Int32? {
        try takeIfPresent { try $0.node.integer(type, $1, $0.key) }
    }
    mutating func decodeIfPresent(_ type: Int64.Type) throws -> Int64? {
        try takeIfPresent { try $0.node.integer(type, $1, $0.key) }
    }
    mutating func decodeIfPresent(_ type: UInt.Type) throws -> UInt? {
        try takeIfPresent { try $0.node.integer(type, $1, $0.key) }
    }
    mutating func decodeIfPresent(_ type: UInt8.Type) throws -> UInt8? {
        try takeIfPresent { try $0.node.integer(type, $1, $0.key) }
    }
    mutating func decodeIfPresent(_ type: UInt16.Type) throws -> UInt16? {
        try takeIfPresent { try $0.node.integer(type, $1, $0.key) }
    }
    mutating func decodeIfPresent(_ type: UInt32.Type) throws -> UInt32? {
        try takeIfPresent { try $0.node.integer(type, $1, $0.key) }
    }
    mutating func decodeIfPresent(_ type: UInt64.Type) throws -> UInt64? {
        try takeIfPresent { try $0.node.integer(type, $1, $0.key) }
    }
    mutating func decodeIfPresent<T: Decodable>(_ type: T.Type) throws -> T? {
        try takeIfPresent { try $0.node.value(type, at: $1, $0.place) }
    }

    // MARK: Containers

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try take(KeyedDecodingContainer<Nested>.self) {
            KeyedDecodingContainer(try JSONDecodingNode($0.node, $0.key).keyedContainer(type, $1))
        }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try take((any UnkeyedDecodingContainer).self) {
            try JSONDecodingNode($0.node, $0.key).unkeyedContainer($1)
        }
    }

    mutating func superDecoder() throws -> any Decoder {
        guard !isAtEnd else {
            throw atEnd(
                (any Decoder).self, "Cannot get superDecoder() -- unkeyed container is at end.")
        }
        return try take((any Decoder).self) { JSONDecodingNode(superOf: $0.node, $0.key).decoder(at: $1) }
    }
}
