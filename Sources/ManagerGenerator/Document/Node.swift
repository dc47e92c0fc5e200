import DiscreteNetworkingJSON

/// A value of a description, with the place where it stands.
struct Node: Sendable {
    let value: JSONValue
    let place: Place
    /// The members or elements that stand elsewhere, by name or index: those of a schema that is merged from several.
    private(set) var origins: [String: Node] = [:]

    /// A member of an object; `nil` where there is none.
    subscript(name: String) -> Node? {
        origins[name] ?? value[name].map { Node(value: $0, place: place.appending(name)) }
    }

    /// An element of an array; `nil` where there is none.
    subscript(index: Int) -> Node? {
        guard let elements = value.array, elements.indices.contains(index) else { return nil }
        return origins[String(index)] ?? Node(value: elements[index], place: place.appending(String(index)))
    }

    /// The elements of an array; none where this is something else.
    var elements: [Node] { (value.array ?? []).indices.compactMap { self[$0] } }

    /// The members of an object by name; none where this is something else.
    var members: [(name: String, node: Node)] {
        (value.object ?? [:]).sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            .map { ($0.key, origins[$0.key] ?? Node(value: $0.value, place: place.appending($0.key))) }
    }

    /// The same object with other members, at this place or at another one.
    func with(_ others: [String: JSONValue], at other: Place? = nil) -> Node {
        let members = (value.object ?? [:]).merging(others) { $1 }
        let origins = origins.filter { others[$0.key] == nil }
        return Node(value: .object(members), place: other ?? place, origins: origins)
    }

    /// The same object with another member, which stands elsewhere.
    func replacing(_ name: String, by node: Node) -> Node {
        var origins = origins
        origins[name] = node
        let members = (value.object ?? [:]).merging([name: node.value]) { $1 }
        return Node(value: .object(members), place: place, origins: origins)
    }

    /// The same object without some members.
    func without(_ names: String...) -> Node {
        let members = (value.object ?? [:]).filter { !names.contains($0.key) }
        return Node(
            value: .object(members), place: place, origins: origins.filter { !names.contains($0.key) })
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

extension Node {
    /// An object of members that stand elsewhere.
    init(_ members: [String: Node], at place: Place) {
        self.init(value: .object(members.mapValues(\.value)), place: place, origins: members)
    }

    /// An array of elements that stand elsewhere.
    init(_ elements: [Node], at place: Place) {
        let origins = elements.enumerated().map { (String($0), $1) }
        self.init(
            value: .array(elements.map(\.value)), place: place,
            origins: Dictionary(uniqueKeysWithValues: origins))
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
