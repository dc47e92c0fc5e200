import DiscreteNetworkingJSON

extension Schemas {
    /// The alternatives of `oneOf` or `anyOf` that are values: without `null`, and without those that only say which
    /// properties have to be there.
    func alternatives(of schema: Node) throws(GeneratorError) -> [Node] {
        let all = try schema.array("oneOf") + schema.array("anyOf")
        let constraints: Set<String> = ["required", "not", "title", "description"]
        var alternatives: [Node] = []
        for node in all where try !isNull(node) {
            let isConstraint = node.value.object?.keys.allSatisfy(constraints.contains) == true
            if schema["properties"] == nil || !isConstraint { alternatives.append(node) }
        }
        return alternatives
    }

    /// Whether a schema allows `null` only.
    private func isNull(_ node: Node) throws(GeneratorError) -> Bool {
        let schema = try description.schema(node)
        let values = try schema.array("enum")
        return schema.string("type") == "null" || schema["const"]?.value.isNull == true
            || (!values.isEmpty && values.allSatisfy(\.value.isNull))
    }

    /// `oneOf` and `anyOf`; `nil` where a schema has none.
    func union(_ schema: Node, _ name: Name) throws(GeneratorError) -> SwiftType? {
        let alternatives = try alternatives(of: schema)
        guard !alternatives.isEmpty else { return nil }
        let properties = try description.properties(of: schema)
        if !properties.isEmpty {
            report.add(
                "has alternatives beside its properties; what they have is in additionalProperties.",
                at: schema.place)
            return try structure(
                schema, name, properties: properties,
                required: Set(try schema.array("required").compactMap(\.string)),
                additional: nil, isOpen: true)
        }
        if alternatives.count == 1 { return try nonNull(alternatives[0], name) }
        let described = schema["discriminator"]
        // In Swagger 2.0 it is only the property's name.
        if let property = described?.string("propertyName") ?? described?.string {
            let discriminator = try self.described(
                property, mapping: described?["mapping"], alternatives, at: schema.place)
            return try union(of: alternatives, schema, name, discriminator)
        }
        return try union(of: alternatives, schema, name, implied(alternatives))
    }

    /// An enum with a case for each type, or the one type that all are.
    func union(
        of alternatives: [Node], _ schema: Node, _ name: Name, _ discriminator: Discriminator? = nil
    ) throws(GeneratorError) -> SwiftType {
        // Alternatives may refer to what they are alternatives of.
        let index = declare(schema, name)
        let scope = models[index].path
        var types: [Alternative] = []
        var positions: [SwiftType: Int] = [:]
        for (number, node) in alternatives.enumerated() {
            let words = node.string("title").map(Words.split) ?? ["option", String(number + 1)]
            let type = try self.type(of: node, Name(words: words, scope: scope)).wrapped
            let tags = discriminator?.tags[number] ?? []
            let isRequired = discriminator?.isRequired[number] ?? true
            if let same = positions[type] {
                types[same].tags += tags
                types[same].isTagRequired = types[same].isTagRequired && isRequired
            } else {
                positions[type] = types.count
                types.append(Alternative(type: type, node: node, tags: tags, isTagRequired: isRequired))
            }
        }
        if types.contains(where: { $0.type == .string }) { types.removeAll { $0.type == .data } }
        let simple: SwiftType? =
            types.contains { $0.type == .json } ? .json : types.count == 1 ? types[0].type : nil
        if let simple, !simple.models.contains(index) {
            models[index].kind = .alias(simple)
            return simple
        }
        types.removeAll { $0.type == .model(index) }
        if let strings = strings(types.map(\.type), inside: scope) {
            models[index].kind = strings
            if case .alias(let type) = strings { return type }
            return .model(index)
        }
        for position in types.indices where !isObject(types[position].type) { types[position].tags = [] }
        let areAlike = Self.areAlike(types.flatMap(\.tags))
        if !areAlike {
            report.add(
                "has constants of several types; its alternatives are read by their properties.",
                at: schema.place)
            for position in types.indices { types[position].tags = [] }
        }
        types = types.filter { !$0.tags.isEmpty } + sorted(types.filter(\.tags.isEmpty))
        var names = NameRegistry(reserved: ["other"])
        let cases = types.map { one in
            Union.Case(
                name: names.unique(caseName(one.type)), type: one.type, tags: one.tags,
                isTagRequired: one.isTagRequired, rank: rank(one.type), schema: one.node)
        }
        let isTagged = cases.contains { !$0.tags.isEmpty }
        var union = Union(
            cases: cases, discriminator: isTagged ? discriminator?.property : nil, schema: schema)
        try addSecond(to: &union)
        models[index].kind = .union(union)
        return .model(index)
    }

    /// A second property, where alternatives have the same value of the discriminator and differ in another constant.
    private func addSecond(to union: inout Union) throws(GeneratorError) {
        for group in union.groups where group.cases.count > 1 {
            guard let second = try implied(group.cases.map(\.schema), besides: union.discriminator),
                union.second == nil || union.second == second.property
            else { continue }
            union.second = second.property
            for (one, tags) in zip(group.cases, second.tags) {
                guard let position = union.cases.firstIndex(where: { $0.name == one.name }) else { continue }
                union.cases[position].secondTags = tags
            }
        }
    }

    /// One of the types of a union while it is read.
    private struct Alternative {
        let type: SwiftType
        let node: Node
        var tags: [JSONValue]
        var isTagRequired: Bool
    }

    /// Enumerations of strings, and strings, as one enumeration, which any string fits; `nil` where there is something else.
    /// - Parameter scope: The union, which is not written where it is only another name.
    private func strings(_ types: [SwiftType], inside scope: [String]) -> Model.Kind? {
        let others = types.filter { $0 != .string }
        guard !others.isEmpty else { return nil }
        var all: [OpenEnum] = []
        for type in others {
            guard case .model(let index) = type, case .openEnum(let open) = models[index].kind, open.isString
            else { return nil }
            if others.count == 1, models[index].scope != scope { return .alias(type) }
            all.append(open)
        }
        var names = NameRegistry()
        var seen: Set<JSONValue> = []
        let cases = all.flatMap(\.cases).filter { seen.insert($0.value).inserted }
        return .openEnum(
            OpenEnum(isString: true, cases: cases.map { (names.unique($0.name), $0.value) }))
    }

    private func isObject(_ type: SwiftType) -> Bool {
        switch type {
        case .dictionary: return true
        case .model(let index):
            switch models[index].kind {
            case .structure, .pending, .union: return true
            case .alias(let type): return isObject(type)
            case .openEnum: return false
            }
        default: return false
        }
    }

    /// The more particular types first: what comes last would fit almost anything.
    private func sorted(_ types: [Alternative]) -> [Alternative] {
        types.enumerated().sorted { left, right in
            (rank(left.element.type), left.offset) < (rank(right.element.type), right.offset)
        }
        .map(\.element)
    }

    private func rank(_ type: SwiftType) -> Int {
        switch type {
        case .bool: 0
        case .int: 1
        case .int64: 2
        case .uint64: 3
        case .decimal: 4
        case .double: 5
        case .date: 6
        case .fullDate: 7
        case .uuid: 8
        case .data: 9
        case .string: 11
        case .array: 12
        case .dictionary: 1_000_000
        case .file, .json, .optional, .nullable: 1_000_001
        case .model(let index):
            switch models[index].kind {
            case .openEnum(let open): open.isString ? 10 : 1
            case .structure(let structure): 10_000 - structure.properties.filter(\.isRequired).count
            case .alias(let type): rank(type)
            case .union, .pending: 20_000
            }
        }
    }

    private func caseName(_ type: SwiftType) -> String {
        switch type {
        case .bool: "bool"
        case .int, .int64, .uint64: "integer"
        case .double, .decimal: "number"
        case .string: "string"
        case .date, .fullDate: "date"
        case .uuid: "uuid"
        case .data, .file: "data"
        case .json: "json"
        case .optional(let wrapped), .nullable(let wrapped): caseName(wrapped)
        case .array(let element): caseName(element) + "List"
        case .dictionary(let value): caseName(value) + "Dictionary"
        case .model(let index): SwiftName.caseName(ofType: models[index].name)
        }
    }

    // MARK: Enumerations

    /// An enumeration of strings or integers; `nil` where its values are others.
    func enumeration(_ schema: Node, _ name: Name) throws(GeneratorError) -> SwiftType? {
        let values = (try schema.array("enum").map(\.value) + (schema["const"].map { [$0.value] } ?? []))
            .filter { !$0.isNull }
        let types = try SchemaType.all(of: schema, report)
        guard !values.isEmpty else { return nil }
        let areStrings = values.allSatisfy { $0.string != nil } && types.allSatisfy { $0 == .string }
        let areIntegers = values.allSatisfy { $0.int != nil } && types.allSatisfy { $0 == .integer }
        guard areStrings || areIntegers else {
            if types.isEmpty, values.allSatisfy({ $0.bool != nil }) { return .bool }
            return types.isEmpty ? .json : nil
        }
        let labels =
            (schema["x-enum-varnames"] ?? schema["x-enumNames"])?.elements.compactMap(\.string) ?? []
        let index = declare(schema, name)
        var names = NameRegistry()
        var seen: Set<JSONValue> = []
        let cases = values.enumerated().compactMap { position, value -> (name: String, value: JSONValue)? in
            guard seen.insert(value).inserted else { return nil }
            let label =
                labels.count == values.count
                ? labels[position] : value.string ?? value.canonicalText
            return (names.unique(label.isEmpty ? "empty" : SwiftName.member(label)), value)
        }
        models[index].kind = .openEnum(OpenEnum(isString: areStrings, cases: cases))
        return .model(index)
    }
}
