import DiscreteNetworkingJSON

/// What an object has to hold in its properties: their constants, and the properties that are required.
struct Constants {
    /// The values of a property, and whether each alternative has exactly one.
    struct Values {
        var values: [JSONValue]
        var isExact: Bool
    }

    var properties: [String: Values] = [:]
    var required: Set<String> = []
}

/// How the alternatives of a union are told apart.
struct Discriminator {
    let property: String
    /// The values that mean each alternative; none where nothing does.
    let tags: [[JSONValue]]
    /// Whether an alternative always has the property.
    let isRequired: [Bool]
}

extension Schemas {
    // MARK: A described discriminator

    /// The values of a described discriminator: those of its mapping, else the constant of the property in the alternative,
    /// else the name of the alternative's schema (OpenAPI 3.1, section 4.8.25).
    func described(
        _ property: String, mapping: Node?, _ alternatives: [Node], at place: Place
    ) throws(GeneratorError) -> Discriminator {
        var names: [String: [String]] = [:]
        for (name, node) in mapping?.members ?? [] { names[node.string ?? "", default: []].append(name) }
        var constants: [Constants] = []
        for node in alternatives { constants.append(try self.constants(of: node)) }
        let values = constants.map { $0.properties[property] }
        let isNumber = values.contains { $0?.values.first?.int != nil }
        func mapped(_ reference: String) -> [JSONValue] {
            let last = Self.lastName(reference)
            let tags = (names[reference] ?? []) + (last == reference ? [] : names[last] ?? [])
            return tags.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
                .map { tag in (isNumber ? Int(tag).map { .number(JSONNumber($0)) } : nil) ?? .string(tag) }
        }
        let mappings = alternatives.map { $0.string("$ref").map(mapped) ?? [] }
        let claimed = Set(mappings.joined())
        let counts = Self.counts(values.map { $0?.values ?? [] })
        var tags: [[JSONValue]] = []
        for (index, node) in alternatives.enumerated() {
            let own = values[index]
            let exact = (own?.isExact == true ? own?.values ?? [] : []).filter { !claimed.contains($0) }
            var found = mappings[index] + exact
            let names = found.isEmpty ? try schemaNames(of: node, property, mapped) : []
            if found.isEmpty, let own {
                let fitting = names.filter(own.values.contains)
                let isOwn = own.values.allSatisfy { counts[$0] == 1 && !claimed.contains($0) }
                found = !fitting.isEmpty ? fitting : isOwn ? own.values : []
            } else if found.isEmpty {
                found = names
            }
            if found.isEmpty {
                report.add(
                    "has no value of the discriminator \(property.debugDescription) and no fitting name; it is read by its properties.",
                    at: node.place)
            }
            tags.append(found)
        }
        return discriminator(property, tags, constants)
    }

    private static func lastName(_ reference: String) -> String {
        reference.split(separator: "/").last.map(String.init) ?? reference
    }

    /// The names of the schemas that an alternative may be, those of its own alternatives too.
    private func schemaNames(
        of node: Node, _ property: String, _ mapped: (String) -> [JSONValue]
    ) throws(GeneratorError) -> [JSONValue] {
        var names: [JSONValue] = []
        var seen: Set<Place> = []
        var rest = [node]
        while let node = rest.popLast() {
            let schema = try description.schema(node)
            guard seen.insert(schema.place).inserted else { continue }
            if let reference = node.string("$ref") {
                let tags = mapped(reference)
                names += tags.isEmpty ? [.string(Self.lastName(reference))] : tags
            }
            if schema["properties"] == nil { rest += try alternatives(of: schema).reversed() }
        }
        return names
    }

    // MARK: A discriminator that is not described

    /// The property by whose constants the objects among the alternatives differ; `nil` where there is none.
    /// - Parameter other: A property that is known not to be enough.
    func implied(_ alternatives: [Node], besides other: String? = nil) throws(GeneratorError)
        -> Discriminator?
    {
        guard alternatives.count > 1 else { return nil }
        var constants: [Constants] = []
        for node in alternatives { constants.append(try self.constants(of: node)) }
        var best: (score: [Int], property: String, discriminator: Discriminator)?
        for property in Set(constants.flatMap(\.properties.keys)).sorted() where property != other {
            let values = constants.map { $0.properties[property] }
            let tags = values.map { $0?.values ?? [] }
            let counts = Self.counts(tags)
            let distinct = tags.count { !$0.isEmpty && $0.allSatisfy { counts[$0] == 1 } }
            let tagged = tags.count { !$0.isEmpty }
            let isSure = zip(values, constants).contains {
                $0?.isExact == true && $1.required.contains(property)
            }
            guard distinct > 1 || (distinct == 1 && (tagged > 1 || isSure)), Self.areAlike(tags.joined())
            else { continue }
            let usual = ["type", "kind", "object"].firstIndex(of: property) ?? 3
            let different = Set(tags.filter { !$0.isEmpty }).count
            let score = [different, distinct, values.count { $0?.isExact == true }, tagged, -usual]
            if best.map({ $0.score.lexicographicallyPrecedes(score) }) ?? true {
                best = (score, property, discriminator(property, tags, constants))
            }
        }
        return best?.discriminator
    }

    private func discriminator(
        _ property: String, _ tags: [[JSONValue]], _ constants: [Constants]
    ) -> Discriminator {
        Discriminator(
            property: property, tags: tags, isRequired: constants.map { $0.required.contains(property) })
    }

    /// How many alternatives have a value.
    private static func counts(_ tags: [[JSONValue]]) -> [JSONValue: Int] {
        Dictionary(tags.flatMap(Set.init).map { ($0, 1) }, uniquingKeysWith: +)
    }

    /// Whether values have one JSON type, so that one constant of the discriminator can be decoded.
    static func areAlike(_ values: some Sequence<JSONValue>) -> Bool {
        values.allSatisfy { $0.string != nil } || values.allSatisfy { $0.int != nil }
            || values.allSatisfy { $0.bool != nil }
    }

    // MARK: Constants

    /// The constants of an object's properties, with the parts of its `allOf`; of alternatives, those that all have.
    private func constants(of node: Node) throws(GeneratorError) -> Constants {
        let schema = try description.schema(node)
        if let known = constants[schema.place] {
            try description.work.add(known.properties.count, at: node.place)
            return known
        }
        // An alternative that leads back here says nothing more.
        constants[schema.place] = Constants()
        let properties = try description.properties(of: schema)
        try description.work.add(properties.count, at: node.place)
        var found = Constants(required: Set(try schema.array("required").compactMap(\.string)))
        for (name, property) in properties {
            if let values = try values(of: property) { found.properties[name] = values }
        }
        var all: [Constants] = []
        var areObjects = true
        for node in try alternatives(of: schema) where node.place != schema.place {
            // A value with the property is an object.
            let types = try SchemaType.all(of: description.schema(node), Report())
            if types.isEmpty || types.contains(.object) {
                all.append(try constants(of: node))
            } else {
                areObjects = false
            }
        }
        if let first = all.first {
            for name in first.properties.keys where found.properties[name] == nil {
                let values = all.compactMap { $0.properties[name] }
                guard values.count == all.count else { continue }
                var seen: Set<JSONValue> = []
                found.properties[name] = Constants.Values(
                    values: values.flatMap(\.values).filter { seen.insert($0).inserted },
                    isExact: values.allSatisfy(\.isExact))
            }
            if areObjects {
                found.required.formUnion(
                    all.dropFirst().reduce(first.required) { $0.intersection($1.required) })
            }
        }
        constants[schema.place] = found
        return found
    }

    /// The values that a property is limited to; `nil` where it may have others.
    private func values(of property: Node) throws(GeneratorError) -> Constants.Values? {
        let schema = try description.schema(property)
        let listed = schema["const"].map { [$0.value] } ?? schema["enum"]?.value.array ?? []
        let values = listed.filter { !$0.isNull }
        guard !values.isEmpty, Self.areAlike(values) else { return nil }
        return Constants.Values(values: values, isExact: values.count == 1)
    }
}
