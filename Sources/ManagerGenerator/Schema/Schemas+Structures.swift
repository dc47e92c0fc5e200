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
        try countProperties(properties.count, at: schema.place)
        let index = declare(schema, name)
        let scope = models[index].path
        var names = NameRegistry()
        var structure = Structure()
        structure.schema = schema
        for (wireName, node) in properties {
            let resolved = try description.schema(node)
            let isRequired = required.contains(wireName)
            structure.properties.append(
                Structure.Property(
                    wireName: wireName, name: names.unique(SwiftName.member(wireName)),
                    type: try type(of: node, Name(words: Words.split(wireName), scope: scope)),
                    isRequired: isRequired, isReadOnly: try description.flag("readOnly", node),
                    isWriteOnly: try description.flag("writeOnly", node),
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
        if let limits = limits(resolved) { sentences.append(limits) }
        if node.flag("deprecated") || resolved.flag("deprecated") { sentences.append("Deprecated.") }
        return sentences.isEmpty ? nil : sentences.joined(separator: "\n")
    }

    /// What a schema says of its values, as a sentence.
    private static func limits(_ schema: Node) -> String? {
        func text(_ keyword: String) -> String? { schema[keyword]?.value.number?.literal }
        func range(_ least: String, _ most: String, _ unit: String) -> String? {
            switch (text(least), text(most)) {
            case (let least?, let most?):
                least == most ? "\(least)\(unit)" : "\(least) to \(most)\(unit)"
            case (let least?, nil): "at least \(least)\(unit)"
            case (nil, let most?): "at most \(most)\(unit)"
            case (nil, nil): nil
            }
        }
        var limits = [
            range("minLength", "maxLength", " characters"), range("minItems", "maxItems", " elements"),
            range("minimum", "maximum", ""),
        ].compactMap(\.self)
        // A number in OpenAPI 3.1; true beside `minimum` before that.
        if let least = text("exclusiveMinimum") { limits.append("more than \(least)") }
        if let most = text("exclusiveMaximum") { limits.append("less than \(most)") }
        if schema.flag("exclusiveMinimum"), let least = text("minimum") { limits.append("not \(least)") }
        if schema.flag("exclusiveMaximum"), let most = text("maximum") { limits.append("not \(most)") }
        if let step = text("multipleOf") { limits.append("a multiple of \(step)") }
        if let pattern = schema.string("pattern"), pattern.count <= 200 {
            limits.append("the pattern `\(pattern)`")
        }
        return limits.isEmpty ? nil : "Valid: \(limits.joined(separator: ", "))."
    }

    // MARK: Forms

    /// The fields of a form, without those that only the backend sets.
    func fields(of node: Node) throws(GeneratorError) -> [(name: String, node: Node, isRequired: Bool)] {
        let schema = try description.schema(node)
        let required = Set(try schema.array("required").compactMap(\.string))
        var sent: [(name: String, node: Node, isRequired: Bool)] = []
        for (name, node) in try description.properties(of: schema) {
            guard try !description.flag("readOnly", node) else { continue }
            sent.append((name, node, required.contains(name)))
        }
        return sent
    }
}
