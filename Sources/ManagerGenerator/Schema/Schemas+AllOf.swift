import DiscreteNetworkingJSON

/// What a schema and the parts of its `allOf` say together.
struct MergedSchema {
    private(set) var properties: [String: Node] = [:]
    private(set) var required: Set<String> = []
    private(set) var additional: Node?
    private(set) var alternatives: [Node] = []
    private(set) var others: [Node] = []
    private var listed: Set<Place> = []

    /// The number of steps that adding it takes.
    var count: Int { properties.count + required.count + alternatives.count + others.count }

    /// Adds what another part says; what comes later wins.
    mutating func add(_ part: MergedSchema) {
        if properties.isEmpty {
            properties = part.properties
        } else {
            properties.merge(part.properties) { $1 }
        }
        required.formUnion(part.required)
        additional = part.additional ?? additional
        for node in part.alternatives { add(alternative: node) }
        for node in part.others { add(other: node) }
    }

    mutating func add(properties members: [(name: String, node: Node)], required names: [String]) {
        for (name, node) in members { properties[name] = node }
        required.formUnion(names)
    }

    mutating func add(additional node: Node) { additional = node }

    mutating func add(alternative node: Node) {
        if listed.insert(node.place).inserted { alternatives.append(node) }
    }

    mutating func add(other node: Node) {
        if listed.insert(node.place).inserted { others.append(node) }
    }
}

extension Schemas {
    private static let annotations: Set<String> = [
        "description", "title", "default", "example", "examples", "nullable", "readOnly", "writeOnly",
        "deprecated", "xml",
        "externalDocs", "$comment",
    ]

    static func isAnnotation(_ node: Node) -> Bool {
        (node.value.object ?? [:]).keys.allSatisfy { annotations.contains($0) || $0.hasPrefix("x-") }
    }

    /// `allOf`: the one part that says anything, or one struct with the properties of all.
    func merged(_ schema: Node, _ parts: [Node], _ name: Name) throws(GeneratorError) -> SwiftType {
        let telling = parts.filter { !Self.isAnnotation($0) }
        var own = schema.value.object ?? [:]
        own["allOf"] = nil
        let rest = Node(value: .object(own), place: schema.place)
        var around: Set<Place> = [schema.place]
        if telling.count == 1, Self.isAnnotation(rest) || rest.value == ["type": "object"] {
            // A part that leads back here says nothing more.
            _ = try part(telling[0], &around)
            return try nonNull(telling[0], name)
        }
        var merged = MergedSchema()
        for node in parts { try add(part(node, &around), of: node, to: &merged) }
        try add(contents(of: rest, &around), of: rest, to: &merged)
        if merged.properties.isEmpty {
            if merged.alternatives.isEmpty, let other = merged.others.first {
                return try nonNull(other, name)
            }
            if merged.others.isEmpty, merged.alternatives.count == 1 {
                return try nonNull(merged.alternatives[0], name)
            }
        }
        if !merged.alternatives.isEmpty {
            report.add(
                "has alternatives beside its properties; what they have is in additionalProperties.",
                at: schema.place)
        }
        guard !merged.properties.isEmpty || !merged.alternatives.isEmpty else { return .dictionary(.json) }
        let properties = merged.properties.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        return try structure(
            schema, name, properties: properties.map { ($0.key, $0.value) }, required: merged.required,
            additional: merged.additional, isOpen: !merged.alternatives.isEmpty)
    }

    /// What a schema says, with the parts of its `allOf`.
    func part(_ node: Node) throws(GeneratorError) -> MergedSchema {
        var around: Set<Place> = []
        return try part(node, &around)
    }

    /// - Parameter around: The schemas of which this one is a part.
    private func part(_ node: Node, _ around: inout Set<Place>) throws(GeneratorError) -> MergedSchema {
        let schema = try description.resolve(node)
        if let known = parts[schema.place] { return known }
        guard around.insert(schema.place).inserted else {
            throw GeneratorError("allOf leads in a circle: the schema is a part of itself.", at: node.place)
        }
        guard around.count <= Self.depthLimit else {
            throw GeneratorError(
                "is reached through \(Self.depthLimit) schemas, each a part of the one before.",
                at: schema.place)
        }
        let merged = try contents(of: schema, &around)
        around.remove(schema.place)
        parts[schema.place] = merged
        return merged
    }

    private func add(
        _ part: MergedSchema, of node: Node, to merged: inout MergedSchema
    ) throws(GeneratorError) {
        try description.work.add(part.count, at: node.place)
        merged.add(part)
    }

    private func contents(of schema: Node, _ around: inout Set<Place>) throws(GeneratorError) -> MergedSchema
    {
        var merged = MergedSchema()
        for node in try schema.array("allOf") { try add(part(node, &around), of: node, to: &merged) }
        let properties = try properties(of: schema)
        try description.work.add(properties.count, at: schema.place)
        merged.add(properties: properties, required: try schema.array("required").compactMap(\.string))
        if let additional = schema["additionalProperties"] { merged.add(additional: additional) }
        if !(try alternatives(of: schema)).isEmpty {
            merged.add(alternative: schema)
        } else if schema["properties"] == nil, schema["allOf"] == nil,
            schema["enum"] != nil || schema["const"] != nil || schema["items"] != nil
                || !["object", nil].contains(schema.string("type"))
        {
            merged.add(other: schema)
        }
        return merged
    }
}
