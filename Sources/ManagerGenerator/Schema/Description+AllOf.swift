import DiscreteNetworkingJSON

/// Schemas without `allOf`: all parts hold together (JSON Schema 2020-12, section 10.2.1.1).
extension Description {
    /// The parts of a schema, and what they say together, so that each is read once however many ways lead to it.
    struct Merging {
        fileprivate(set) var parts: [Place: [Node]] = [:]
        fileprivate(set) var schemas: [Place: Node] = [:]
        /// The schema with a set of parts: a schema that refers to itself through two of them is one model.
        fileprivate(set) var places: [Set<Place>: Place] = [:]
        /// The schema of which a part says everything, by the place of the part.
        fileprivate(set) var owners: [Place: Place] = [:]
        /// The contradictions among parts.
        fileprivate(set) var notes: [Note] = []
    }

    /// How many schemas may be parts of one another.
    private static let depthLimit = 10_000

    /// What a schema says, through references, with all parts of its `allOf`.
    ///
    /// If one part says everything and the others only limit or describe it, the schema is this part.
    func schema(_ node: Node) throws(GeneratorError) -> Node {
        let raw = try target(of: node)
        if let known = merging.schemas[raw.place] { return known }
        guard raw["allOf"] != nil else { return raw }
        var around: Set<Place> = []
        let parts = try parts(of: raw, &around)
        let schema: Node
        if let composite = try composite(in: raw) {
            schema = composite
        } else {
            schema = try merged(parts, raw)
        }
        merging.schemas[raw.place] = schema
        let place = schema.place
        if place != raw.place, place.document == raw.place.document,
            place.pointer.starts(with: raw.place.pointer)
        {
            merging.owners[place] = raw.place
        }
        return schema
    }

    /// What the references of a schema lead to; schemas beside a reference and its target are parts of one `allOf`.
    func target(of node: Node) throws(GeneratorError) -> Node {
        var node = node
        var seen: Set<Place> = []
        try work.add(at: node.place)
        while let reference = node.string("$ref") ?? node.string("$dynamicRef") {
            try work.add(at: node.place)
            if version == .openAPI31, !Schemas.isAnnotation(node.without("$ref", "$dynamicRef")) {
                let place = node.place.appending("$ref")
                let target = Node(value: ["$ref": .string(reference)], place: place)
                let parts = try node.array("allOf") + [target]
                let all = Node(parts, at: node.place.appending("allOf"))
                let others = node.without("$ref", "$dynamicRef", "allOf")
                return others.replacing("allOf", by: all)
            }
            guard seen.insert(node.place).inserted else {
                throw GeneratorError(
                    "The reference \(VisibleText.url(reference)) leads in a circle.", at: node.place)
            }
            node = try target(of: reference, from: node.place)
        }
        return node
    }

    /// Whether a schema, what it refers to or a part of it has a flag, such as `readOnly`.
    func flag(_ name: String, _ node: Node) throws(GeneratorError) -> Bool {
        if node.flag(name) { return true }
        let raw = try target(of: node)
        if raw.flag(name) { return true }
        return try schema(raw).flag(name)
    }

    /// The schemas that hold together, without `allOf` of their own.
    /// - Parameter around: The schemas of which this one is a part.
    private func parts(of node: Node, _ around: inout Set<Place>) throws(GeneratorError) -> [Node] {
        let schema = try target(of: node)
        if let known = merging.parts[schema.place] { return known }
        guard around.insert(schema.place).inserted else {
            throw GeneratorError("allOf leads in a circle: the schema is a part of itself.", at: node.place)
        }
        guard around.count <= Self.depthLimit else {
            throw GeneratorError(
                "is reached through \(Self.depthLimit) schemas, each a part of the one before.",
                at: schema.place)
        }
        var parts: [Node] = []
        var seen: Set<Place> = []
        for part in try schema.array("allOf") {
            let inner = try self.parts(of: part, &around)
            try work.add(inner.count, at: part.place)
            for part in inner where seen.insert(part.place).inserted { parts.append(part) }
        }
        let own = schema.without("allOf")
        if own.value.object?.isEmpty == false { parts.append(own) }
        around.remove(schema.place)
        merging.parts[schema.place] = parts
        return parts
    }

    /// The one part that has parts of its own, where the others say nothing that its model would not have.
    private func composite(in raw: Node) throws(GeneratorError) -> Node? {
        var telling: [Node] = []
        for part in try raw.array("allOf") + [raw.without("allOf")] {
            let part = try target(of: part)
            if !Schemas.isAnnotation(part) { telling.append(part) }
        }
        let composites = telling.indices.filter { telling[$0]["allOf"] != nil }
        guard composites.count == 1, let index = composites.first else { return nil }
        telling[index] = try schema(telling[index])
        return telling.count == 1 ? telling[0] : try main(of: telling)
    }

    private func merged(_ parts: [Node], _ raw: Node) throws(GeneratorError) -> Node {
        let telling = parts.filter { !Schemas.isAnnotation($0) }
        if telling.count == 1 { return telling[0] }
        if let main = try main(of: telling) { return main }
        let isNamed =
            raw.place.pointer.dropLast() == ["components", "schemas"] || raw.place.pointer.count == 2
        let set = Set(telling.map(\.place))
        let place = isNamed ? raw.place : merging.places[set] ?? raw.place
        if merging.places[set] == nil || isNamed { merging.places[set] = place }
        if let known = merging.schemas[place] { return known }
        var merged = MergedSchema(place: place)
        for part in telling {
            try work.add(part.value.object?.count ?? 0, at: part.place)
            let properties = try properties(of: part)
            try work.add(properties.count, at: part.place)
            try merged.add(part, properties)
        }
        // The texts of a part do not describe the whole.
        if let own = parts.last, own.place == raw.place { merged.annotate(own) }
        merged.close()
        merging.notes += merged.notes
        return merged.node
    }

    /// The properties of an object; a reference in place of all of them is followed, as others do it.
    func properties(of schema: Node) throws(GeneratorError) -> [(name: String, node: Node)] {
        guard let node = try schema.object("properties") else { return [] }
        return node.string("$ref") == nil ? node.members : try resolve(node).members
    }

    /// The one part that needs a model, where the others say nothing that its model would not have.
    private func main(of parts: [Node]) throws(GeneratorError) -> Node? {
        var models: [Node] = []
        for part in parts {
            let isChoice = ["enum", "const", "oneOf", "anyOf"].contains { part[$0] != nil }
            let isObject = try !properties(of: part).isEmpty
            if isChoice || isObject { models.append(part) }
        }
        guard models.count == 1 else { return nil }
        let main = models[0]
        let required = Set(try main.array("required").compactMap(\.string))
        let names = Set(try properties(of: main).map(\.name))
        let types = MergedSchema.types(main) ?? (names.isEmpty ? [] : ["object"])
        let isChoice = main["oneOf"] != nil || main["anyOf"] != nil
        for part in parts where part.place != main.place {
            let others = try part.array("required").compactMap(\.string)
            let isNeutral = part.members.allSatisfy { keyword, node in
                switch keyword {
                case "type": return isChoice || MergedSchema.types(part)?.isSuperset(of: types) != false
                case "required":
                    return isChoice || others.allSatisfy { required.contains($0) || !names.contains($0) }
                case "additionalProperties": return node.bool == false || node.value == main[keyword]?.value
                case "format": return !names.isEmpty
                default: return Schemas.isAnnotation(keyword) || MergedSchema.bounds.contains(keyword)
                }
            }
            guard isNeutral else { return nil }
        }
        return main
    }
}
