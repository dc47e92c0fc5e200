/// A place in a decoding: the keys from the top, as the user's types named them.
final class JSONDecodingNode {
    let source: JSONDecodingSource
    private let parent: JSONDecodingNode?
    private let key: (any CodingKey)?
    /// The node of the outermost value, or of the `superDecoder()` around this place; `nil` if it is this node.
    ///
    /// Unowned, because it is among the parents.
    private unowned(unsafe) let anchor: JSONDecodingNode?
    /// For an anchor, the number of the value that is being decoded. A decoder is valid only for that time:
    /// `JSONDecoder` uses one object as the decoder of all values.
    @exclusivity(unchecked) private var serial: Int32 = 0

    /// Creates the outermost place.
    init(_ source: JSONDecodingSource) {
        self.source = source
        parent = nil
        key = nil
        anchor = nil
    }

    init(_ parent: JSONDecodingNode, _ key: any CodingKey) {
        source = parent.source
        self.parent = parent
        self.key = key
        anchor = parent.anchor ?? parent
    }

    /// Creates the place of a `superDecoder()`.
    init(superOf parent: JSONDecodingNode, _ key: any CodingKey) {
        source = parent.source
        self.parent = parent
        self.key = key
        anchor = nil
    }

    @inline(__always)
    var currentSerial: Int32 { anchor?.serial ?? serial }

    var path: [any CodingKey] {
        var path: [any CodingKey] = []
        var node = self
        while let key = node.key {
            path.append(key)
            guard let parent = node.parent else { break }
            node = parent
        }
        path.reverse()
        return path
    }

    func path(_ key: (any CodingKey)?) -> [any CodingKey] { key.map { path + [$0] } ?? path }

    /// Begins to decode a value with its own `init(from:)`.
    /// - Returns: The numbers of the value and of the value before it, for ``end(_:)``.
    @inline(__always)
    func begin() -> (serial: Int32, outer: Int32) {
        let anchor = anchor ?? self
        let outer = anchor.serial
        source.lastSerial &+= 1
        anchor.serial = source.lastSerial
        return (source.lastSerial, outer)
    }

    @inline(__always)
    func end(_ outer: Int32) { (anchor ?? self).serial = outer }
}

/// A key that no type of the user's has named.
enum JSONCodingKey: CodingKey {
    case name(String)
    case index(Int)

    init(stringValue: String) { self = .name(stringValue) }
    init(intValue: Int) { self = .index(intValue) }

    var stringValue: String {
        switch self {
        case .name(let name): name
        case .index(let index): "Index \(index)"
        }
    }

    var intValue: Int? {
        if case .index(let index) = self { index } else { nil }
    }

    /// As the keys of `JSONDecoder` describe themselves, for the texts of errors.
    var description: String {
        "_CodingKey(stringValue: \"\(stringValue)\", intValue: \(intValue.map(String.init) ?? "nil"))"
    }

    var debugDescription: String { description }
}
