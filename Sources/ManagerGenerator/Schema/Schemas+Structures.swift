import DiscreteNetworkingJSON

extension Schemas {
    /// An object with known properties as a struct; required ones first, each by name.
    ///
    /// The members of a JSON object have no order, and neither has a description's: a generated initializer stays the
    /// same however the backend's tools shuffle them.
    func structure(
        _ schema: Node, _ name: Name, properties: [(name: String, node: Node)], required: Set<String>,
        additional: Node?, isOpen: Bool
    ) throws(GeneratorError) -> SwiftType {
        let index = declare(schema, name)
        let scope = models[index].path
        var names = NameRegistry()
        var structure = Structure()
        for (wireName, node) in properties {
            let resolved = try description.resolve(node)
            let isRequired = required.contains(wireName)
            structure.properties.append(
                Structure.Property(
                    wireName: wireName, name: names.unique(SwiftName.member(wireName)),
                    type: try type(of: node, Name(words: Words.split(wireName), scope: scope)),
                    isRequired: isRequired, isReadOnly: resolved.flag("readOnly"),
                    isWriteOnly: resolved.flag("writeOnly"),
                    documentation: Self.documentation(node, resolved),
                    schema: resolved))
        }
        structure.properties =
            structure.properties.filter(\.isRequired) + structure.properties.filter { !$0.isRequired }
        if let additional, additional.bool != false {
            structure.additional =
                additional.bool == true
                ? .json : try type(of: additional, Name(words: ["additional", "value"], scope: scope))
        } else if isOpen {
            structure.additional = .json
        }
        models[index].kind = .structure(structure)
        return .model(index)
    }

    static func documentation(_ node: Node, _ resolved: Node) -> String? {
        var sentences: [String] = []
        if let text = node.string("description") ?? resolved.string("description") { sentences.append(text) }
        if let value = node["default"] ?? resolved["default"], !value.value.isNull {
            sentences.append("Default: `\(value.value.canonicalText)`.")
        }
        if node.flag("deprecated") || resolved.flag("deprecated") { sentences.append("Deprecated.") }
        return sentences.isEmpty ? nil : sentences.joined(separator: "\n")
    }

    // MARK: allOf

    private static let annotations: Set<String> = [
        "description", "title", "default", "example", "examples", "nullable", "readOnly", "writeOnly",
        "deprecated", "xml",
        "externalDocs", "$comment",
    ]

    private static func isAnnotation(_ node: Node) -> Bool {
        (node.value.object ?? [:]).keys.allSatisfy { annotations.contains($0) || $0.hasPrefix("x-") }
    }

    /// What all parts together say.
    private struct Merged {
        var properties: [String: Node] = [:]
        var required: Set<String> = []
        var additional: Node?
        var alternatives: [Node] = []
        var others: [Node] = []
    }

    /// `allOf`: the one part that says anything, or one struct with the properties of all.
    func merged(_ schema: Node, _ parts: [Node], _ name: Name) throws(GeneratorError) -> SwiftType {
        let telling = parts.filter { !Self.isAnnotation($0) }
        var own = schema.value.object ?? [:]
        own["allOf"] = nil
        let rest = Node(value: .object(own), place: schema.place)
        if telling.count == 1, Self.isAnnotation(rest) || rest.value == ["type": "object"] {
            // A part that leads back here says nothing more.
            _ = try collected([telling[0]], around: [schema.place])
            return try nonNull(telling[0], name)
        }
        var merged = try collected(parts, around: [schema.place])
        try collect(rest, into: &merged, around: [])
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

    private func collected(_ parts: [Node], around: Set<Place>) throws(GeneratorError) -> Merged {
        var merged = Merged()
        for part in parts { try collect(part, into: &merged, around: around) }
        return merged
    }

    private func collect(_ node: Node, into merged: inout Merged, around: Set<Place>) throws(GeneratorError) {
        let schema = try description.resolve(node)
        guard !around.contains(schema.place) else {
            throw GeneratorError("allOf leads in a circle: the schema is a part of itself.", at: node.place)
        }
        for part in try schema.array("allOf") {
            try collect(part, into: &merged, around: around.union([schema.place]))
        }
        for (name, property) in try schema.object("properties")?.members ?? [] {
            merged.properties[name] = property
        }
        merged.required.formUnion(try schema.array("required").compactMap(\.string))
        if let additional = schema["additionalProperties"] { merged.additional = additional }
        if !(try alternatives(of: schema)).isEmpty {
            merged.alternatives.append(schema)
        } else if schema["properties"] == nil, schema["allOf"] == nil,
            schema["enum"] != nil || schema["const"] != nil || schema["items"] != nil
                || !["object", nil].contains(schema.string("type"))
        {
            merged.others.append(schema)
        }
    }

    // MARK: Forms

    /// The fields of a form.
    func fields(of node: Node) throws(GeneratorError) -> [(name: String, node: Node, isRequired: Bool)] {
        let merged = try collected([node], around: [])
        let fields = merged.properties.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        return fields.map { ($0.key, $0.value, merged.required.contains($0.key)) }
    }
}
