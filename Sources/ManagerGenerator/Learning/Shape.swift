/// What a schema says about a value, with all parts of its `allOf`.
struct Shape {
    /// The allowed types; empty for any.
    private(set) var kinds: Set<JSONKind> = []
    private(set) var properties: [String: Node] = [:]
    /// Each required property, and the schema that requires it.
    private(set) var required: [String: Place] = [:]
    private(set) var items: Node?
    /// The schema of the other members.
    private(set) var additional: Node?
    /// Whether there may be members that are not described.
    private(set) var isOpen = false

    private static let partLimit = 1_000

    init(of schema: Node, _ description: Description) throws(GeneratorError) {
        var rest = [schema]
        var seen: Set<Place> = []
        while let next = rest.popLast(), seen.count < Self.partLimit {
            let part = try description.resolve(next)
            guard seen.insert(part.place).inserted else { continue }
            try add(part, description)
            rest += try part.array("allOf").reversed()
        }
    }

    private mutating func add(_ part: Node, _ description: Description) throws(GeneratorError) {
        let types = try SchemaType.all(of: part, Report())
        if types.contains(.file) { isOpen = true }
        let own = Set(types.compactMap(JSONKind.init))
        if !own.isEmpty { kinds = kinds.isEmpty ? own : kinds.intersection(own) }
        if let node = try part.object("properties") {
            let whole = node.string("$ref") == nil ? node : try description.resolve(node)
            for (name, property) in whole.members where properties[name] == nil {
                properties[name] = property
            }
        }
        for name in try part.array("required").compactMap(\.string) { required[name] = part.place }
        if items == nil, let node = part["items"], node.value.object != nil { items = node }
        let additional = part["additionalProperties"] ?? part["unevaluatedProperties"]
        if let additional, additional.bool != false {
            isOpen = true
            if additional.value.object?.isEmpty == false { self.additional = self.additional ?? additional }
        }
        let conditions = ["patternProperties", "then", "else", "dependentSchemas", "oneOf", "anyOf"]
        if conditions.contains(where: { part[$0] != nil }) { isOpen = true }
    }
}

/// The shapes of a description's schemas, each read once.
final class Shapes {
    private let description: Description
    private var known: [Place: Shape] = [:]

    init(_ description: Description) { self.description = description }

    func shape(of schema: Node) throws(GeneratorError) -> Shape {
        if let shape = known[schema.place] { return shape }
        let shape = try Shape(of: schema, description)
        known[schema.place] = shape
        return shape
    }
}
