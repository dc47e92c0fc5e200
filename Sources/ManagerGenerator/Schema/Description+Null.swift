import DiscreteNetworkingJSON

extension Description {
    /// Whether a value may be `null`, in whichever way the versions of the specification say so.
    func isNullable(_ node: Node) throws(GeneratorError) -> Bool { try isNullable(node, depth: 0) }

    private func isNullable(_ node: Node, depth: Int) throws(GeneratorError) -> Bool {
        if node.flag("nullable") || node.flag("x-nullable") { return true }
        let schema = try target(of: node)
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
                    let resolved = try target(of: alternative)
                    if seen.insert(resolved.place).inserted { next.append(resolved) }
                }
            }
            level = next
        }
        return false
    }

    /// Whether the parts of an `allOf` allow `null`: one says so, and neither another one nor the schema itself has other
    /// values only. In OpenAPI 3.0, a reference with a text beside it is such a part.
    private func partsAllowNull(_ schema: Node, _ depth: Int) throws(GeneratorError) -> Bool {
        let parts = try schema.array("allOf")
        guard !parts.isEmpty, depth < 100, Self.isSilent(schema) else { return false }
        if parts.contains(where: { Schemas.isAnnotation($0) && Self.saysNull($0) }) { return true }
        var isAllowed = false
        for part in parts {
            if try isNullable(part, depth: depth + 1) {
                isAllowed = true
            } else if try !isSilent(part, depth: depth + 1) {
                return false
            }
        }
        return isAllowed
    }

    /// Whether a schema and its parts say nothing about `null`.
    private func isSilent(_ node: Node, depth: Int) throws(GeneratorError) -> Bool {
        let schema = try target(of: node)
        guard depth < 100, Self.isSilent(schema) else { return false }
        for part in try schema.array("allOf") {
            guard try isSilent(part, depth: depth + 1) else { return false }
        }
        return true
    }

    private static func isSilent(_ schema: Node) -> Bool {
        ["type", "enum", "const", "oneOf", "anyOf", "nullable"].allSatisfy { schema[$0] == nil }
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
