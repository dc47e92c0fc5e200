import DiscreteNetworkingJSON

/// A value of a description, with the place where it stands.
struct Node: Sendable {
    let value: JSONValue
    let place: Place

    /// A member of an object; `nil` where there is none.
    subscript(name: String) -> Node? {
        value[name].map { Node(value: $0, place: place.appending(name)) }
    }

    /// An element of an array; `nil` where there is none.
    subscript(index: Int) -> Node? {
        guard let elements = value.array, elements.indices.contains(index) else { return nil }
        return Node(value: elements[index], place: place.appending(String(index)))
    }

    /// The elements of an array; none where this is something else.
    var elements: [Node] {
        (value.array ?? []).enumerated().map { Node(value: $1, place: place.appending(String($0))) }
    }

    /// The members of an object by name; none where this is something else.
    var members: [(name: String, node: Node)] {
        (value.object ?? [:]).sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            .map { ($0.key, Node(value: $0.value, place: place.appending($0.key))) }
    }

    var string: String? { value.string }
    var bool: Bool? { value.bool }

    func string(_ name: String) -> String? { value[name]?.string }
    func flag(_ name: String) -> Bool { value[name]?.bool ?? false }

    /// A member that has to be an object.
    func object(_ name: String) throws(GeneratorError) -> Node? {
        guard let node = self[name] else { return nil }
        guard node.value.object != nil else {
            throw GeneratorError("has to be an object, and is \(node.value.kindText).", at: node.place)
        }
        return node
    }

    /// A member that has to be an array.
    func array(_ name: String) throws(GeneratorError) -> [Node] {
        guard let node = self[name] else { return [] }
        guard node.value.array != nil else {
            throw GeneratorError("has to be an array, and is \(node.value.kindText).", at: node.place)
        }
        return node.elements
    }
}

extension JSONValue {
    /// The JSON type, for error messages.
    var kindText: String {
        switch self {
        case .null: "null"
        case .bool: "a Boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
