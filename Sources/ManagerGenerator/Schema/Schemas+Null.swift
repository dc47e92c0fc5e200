import DiscreteNetworkingJSON

extension Schemas {
    /// Whether a value may be `null`, in whichever way the versions of the specification say so.
    func isNullable(_ node: Node) throws(GeneratorError) -> Bool { try isNullable(node, depth: 0) }

    private func isNullable(_ node: Node, depth: Int) throws(GeneratorError) -> Bool {
        if node.flag("nullable") || node.flag("x-nullable") { return true }
        let schema = try description.resolve(node)
        if let known = nullable[schema.place] { return known }
        // A part that leads back here says nothing more.
        nullable[schema.place] = false
        let allows = try allowsNull(schema, depth)
        nullable[schema.place] = allows
        return allows
    }

    /// Level by level, each alternative once: there may be more ways to one than can be gone.
    private func allowsNull(_ schema: Node, _ depth: Int) throws(GeneratorError) -> Bool {
        var seen: Set<Place> = [schema.place]
        var level = [schema]
        for _ in 0...8 {
            var next: [Node] = []
            for schema in level {
                if Self.saysNull(schema) { return true }
                if try partsAllowNull(schema, depth) { return true }
                for alternative in ["oneOf", "anyOf"].flatMap({ schema[$0]?.elements ?? [] }) {
                    if alternative.flag("nullable") || alternative.flag("x-nullable") { return true }
                    let resolved = try description.resolve(alternative)
                    if seen.insert(resolved.place).inserted { next.append(resolved) }
                }
            }
            level = next
        }
        return false
    }

    /// Whether all parts of an `allOf` allow `null`, and nothing beside them says otherwise: in OpenAPI 3.0, a reference with
    /// a text beside it is one.
    private func partsAllowNull(_ schema: Node, _ depth: Int) throws(GeneratorError) -> Bool {
        let parts = try schema.array("allOf").filter { !Self.isAnnotation($0) }
        let others = ["type", "enum", "const", "properties", "oneOf", "anyOf", "nullable"]
        guard !parts.isEmpty, depth < 100, others.allSatisfy({ schema[$0] == nil }) else { return false }
        for part in parts {
            guard try isNullable(part, depth: depth + 1) else { return false }
        }
        return true
    }

    private static func saysNull(_ schema: Node) -> Bool {
        if schema.flag("nullable") || schema.flag("x-nullable") { return true }
        if let type = schema["type"],
            type.string == "null" || type.elements.contains(where: { $0.string == "null" })
        {
            return true
        }
        if let const = schema["const"], const.value.isNull { return true }
        return schema["enum"]?.elements.contains(where: \.value.isNull) == true
    }
}
