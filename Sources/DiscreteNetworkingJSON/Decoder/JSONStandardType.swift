/// A generic type of the standard library. Nobody can replace its `init(from:)`. Read directly, it needs no container.
protocol JSONStandardType {
    /// Decodes what `init(from:)` would decode.
    /// - Parameter type: The type itself.
    static func read<T>(_ node: JSONDecodingNode, _ index: Int, _ key: JSONPlaceKey, as type: T.Type) throws
        -> T
}

/// The key of a value below a place, if it is not the place itself.
struct JSONPlaceKey {
    /// The index of an element; -1 for the place itself.
    let element: Int

    static let none = JSONPlaceKey(element: -1)

    var codingKey: (any CodingKey)? { element < 0 ? nil : JSONCodingKey.index(element) }
}

extension Optional: JSONStandardType where Wrapped: Decodable {
    static func read<T>(_ node: JSONDecodingNode, _ index: Int, _ key: JSONPlaceKey, as type: T.Type) throws
        -> T
    {
        precondition(type == Self.self)
        // The same type, checked in the line above.
        if node.isNull(index) { return unsafeBitCast(Self.none, to: type) }
        return unsafeBitCast(Self.some(try node.value(Wrapped.self, at: index, key)), to: type)
    }
}

extension Array: JSONStandardType where Element: Decodable {
    static func read<T>(_ node: JSONDecodingNode, _ index: Int, _ key: JSONPlaceKey, as type: T.Type) throws
        -> T
    {
        precondition(type == Self.self)
        let node = key.codingKey.map { JSONDecodingNode(node, $0) } ?? node
        let end = try node.endOfArray(index)
        var count = 0
        var next = index + 1
        while next < end {
            next = node.after(next)
            count += 1
        }
        next = index + 1
        let array = try Self(unsafeUninitializedCapacity: count) { buffer, used in
            while used < count {
                let element = try node.value(Element.self, at: next, JSONPlaceKey(element: used))
                // In bounds: `used` is less than `count`, the capacity.
                (buffer.baseAddress.unsafelyUnwrapped + used).initialize(to: element)
                next = node.after(next)
                used += 1
            }
        }
        // The same type, checked above.
        return unsafeBitCast(array, to: type)
    }
}
