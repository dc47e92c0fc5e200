import DiscreteNetworkingJSON

/// Makes sample values from schemas as the description has them, with no regard to the Swift types that are made of them.
///
/// Generated tests decode these values, so that they notice a type that does not fit its schema.
struct SchemaSampler {
    let description: Description

    /// A value with the required properties and the constants only; `nil` where the schema has no small one.
    /// - Parameter isFull: Whether it has the other properties, too, but for those of the values in it.
    func value(_ node: Node, isFull: Bool = false) -> JSONValue? {
        var room = 300
        return value(node, depth: 0, isFull: isFull, &room)
    }

    /// A value of one alternative of a union, with the value of the discriminator that means it.
    func value(_ alternative: Node, in union: Node, isFull: Bool = false) -> JSONValue? {
        let value = value(alternative, isFull: isFull)
        guard case .object(var members) = value else { return value }
        let discriminator = union["discriminator"]
        guard let property = discriminator?.string("propertyName") ?? discriminator?.string,
            let (schema, reference) = leaf(of: alternative)
        else { return .object(members) }
        let listed = contents(of: schema)?.properties[property].flatMap(resolved).map(listed) ?? []
        guard listed.count != 1 else { return .object(members) }
        let name = reference?.split(separator: "/").last.map(String.init)
        let mapped = discriminator?["mapping"]?.members.first { entry in
            entry.node.string == reference || entry.node.string == name
        }
        guard let text = mapped?.name ?? name else { return .object(members) }
        let isNumber = members[property]?.int != nil
        let tag = (isNumber ? Int(text).map { JSONValue.number(JSONNumber($0)) } : nil) ?? .string(text)
        if listed.isEmpty || listed.contains(tag) { members[property] = tag }
        return .object(members)
    }

    /// The properties of an object that may be `null`, and those that are points in time, by their names.
    func nullsAndDates(of node: Node) -> (nulls: Set<String>, dates: Set<String>) {
        let properties = resolved(node).flatMap { contents(of: $0)?.properties } ?? [:]
        func says(_ node: Node, _ word: (Node) -> Bool) -> Bool {
            word(node) || resolved(node).map(word) ?? false
        }
        let nulls = properties.filter { (try? description.isNullable($1)) == true }
        let dates = properties.filter { _, node in
            says(node) { $0.string("format") == "date-time" && $0["enum"] == nil && $0["const"] == nil }
        }
        return (Set(nulls.keys), Set(dates.keys))
    }

    /// The properties of an object, and those of them that only the server sets; `nil` for other values.
    func propertyNames(of node: Node) -> (all: Set<String>, readOnly: Set<String>)? {
        guard let schema = leaf(of: node)?.schema, let properties = contents(of: schema)?.properties,
            contents(of: schema)?.choices.isEmpty == true
        else { return nil }
        let readOnly = properties.filter { _, node in
            node.flag("readOnly") || resolved(node)?.flag("readOnly") == true
        }
        return (Set(properties.keys), Set(readOnly.keys))
    }

    // MARK: Schemas

    private func resolved(_ node: Node) -> Node? { try? description.schema(node) }

    /// The values of `const` or `enum`, without `null`.
    private func listed(_ schema: Node) -> [JSONValue] {
        (schema["const"].map { [$0.value] } ?? schema["enum"]?.value.array ?? []).filter { !$0.isNull }
    }

    private func alternatives(_ schema: Node) -> [Node] {
        (schema["oneOf"]?.elements ?? []) + (schema["anyOf"]?.elements ?? [])
    }

    /// The schema that an alternative is, through unions inside of unions, and the last reference to it.
    private func leaf(of node: Node) -> (schema: Node, reference: String?)? {
        var node = node
        var reference: String?
        for _ in 0..<8 {
            reference = node.string("$ref") ?? reference
            guard let schema = resolved(node) else { return nil }
            guard schema["properties"] == nil, let first = alternatives(schema).first
            else { return (schema, reference) }
            node = first
        }
        return nil
    }

    private struct Contents {
        var properties: [String: Node] = [:]
        var required: Set<String> = []
        var choices: [Node] = []
    }

    private func contents(of schema: Node) -> Contents? {
        var contents = Contents()
        for (name, node) in (try? description.properties(of: schema)) ?? [] {
            contents.properties[name] = node
        }
        contents.required = Set((schema["required"]?.elements ?? []).compactMap(\.string))
        if let choice = alternatives(schema).first { contents.choices.append(choice) }
        return contents
    }

    // MARK: Values

    private func value(_ node: Node, depth: Int, isFull: Bool = false, _ room: inout Int) -> JSONValue? {
        room -= 1
        guard room > 0, depth < 24, let schema = resolved(node) else { return nil }
        if let value = listed(schema).first { return value }
        if schema["properties"] != nil {
            return object(schema, depth: depth, isFull: isFull, &room)
        }
        let alternatives = alternatives(schema)
        if !alternatives.isEmpty {
            for alternative in alternatives {
                let value = value(alternative, depth: depth + 1, isFull: isFull, &room)
                if let value, !value.isNull { return value }
            }
            return nil
        }
        let types = schema["type"].map { [$0.string].compactMap(\.self) + $0.elements.compactMap(\.string) }
        switch types?.first(where: { $0 != "null" }) {
        case "object": return [:]
        case "array":
            let element = schema["items"].flatMap { value($0, depth: depth + 1, &room) }
            guard (schema["minItems"]?.value.int ?? 0) == 0 || element != nil else { return nil }
            return .array(element.map { [$0] } ?? [])
        case "string": return .string(text(schema))
        case "integer", "int", "int32", "int64": return number(schema, or: 7)
        case "number", "float", "double": return number(schema, or: 1.5)
        case "boolean": return true
        case nil where types == nil: return schema["format"] != nil ? .string(text(schema)) : "anything"
        default: return nil
        }
    }

    private func object(_ schema: Node, depth: Int, isFull: Bool, _ room: inout Int) -> JSONValue? {
        guard let contents = contents(of: schema) else { return nil }
        var members: [String: JSONValue] = [:]
        for choice in contents.choices {
            guard let value = value(choice, depth: depth + 1, &room) else { return nil }
            // Alternatives beside no properties of their own may be something else than an object.
            guard let object = value.object else { return contents.properties.isEmpty ? value : nil }
            members.merge(object) { $1 }
        }
        let names = contents.required.union(
            contents.choices.flatMap { $0["required"]?.elements.compactMap(\.string) ?? [] })
        let constants = contents.properties.filter { resolved($0.value).map(listed)?.count == 1 }
        let needed = names.union(constants.keys)
        for name in (isFull ? needed.union(contents.properties.keys) : needed).sorted() {
            guard let property = contents.properties[name] else { continue }
            if let value = value(property, depth: depth + 1, &room) {
                members[name] = value
            } else if needed.contains(name) {
                return nil
            }
        }
        return .object(members)
    }

    private func number(_ schema: Node, or usual: JSONValue) -> JSONValue {
        guard let least = schema["minimum"]?.value, let number = least.double,
            number > (usual.double ?? 0)
        else {
            guard let most = schema["maximum"]?.value, let number = most.double, number < (usual.double ?? 0)
            else { return usual }
            return most
        }
        return least
    }

    private func text(_ schema: Node) -> String {
        if schema["contentEncoding"] != nil { return "aGVsbG8=" }
        switch schema.string("format") {
        case "date-time": return "2024-02-29T12:30:00.000Z"
        case "date": return "2024-02-29"
        case "uuid": return "0f8fad5b-d9cb-469f-a165-70867728950e"
        case "byte": return "aGVsbG8="
        default: return "text"
        }
    }
}

extension SchemaSampler {
    /// Whether a value is valid: its types, constants and required members, but not its limits.
    func accepts(_ value: JSONValue, _ node: Node, depth: Int = 0) -> Bool {
        guard depth < 24, let schema = try? description.schema(node) else { return true }
        if value.isNull, (try? description.isNullable(node)) == true { return true }
        if schema["const"] != nil || schema["enum"] != nil, !listed(schema).contains(value) { return false }
        for keyword in ["oneOf", "anyOf"] {
            guard let choices = schema[keyword]?.elements, !choices.isEmpty else { continue }
            guard choices.contains(where: { accepts(value, $0, depth: depth + 1) }) else { return false }
        }
        let types = (try? SchemaType.all(of: schema, Report())) ?? []
        guard types.isEmpty || types.contains(where: { $0.accepts(value) }) else { return false }
        for element in value.array ?? [] {
            if let items = schema["items"], !accepts(element, items, depth: depth + 1) { return false }
        }
        guard let members = value.object else { return true }
        let properties = (try? description.properties(of: schema)) ?? []
        let required = (schema["required"]?.elements ?? []).compactMap(\.string)
        let isClosed = schema["additionalProperties"]?.bool == false
        let known = Dictionary(properties.map { ($0.name, $0.node) }) { first, _ in first }
        return required.allSatisfy { members[$0] != nil }
            && members.allSatisfy { name, member in
                known[name].map { accepts(member, $0, depth: depth + 1) } ?? !isClosed
            }
    }
}

extension SchemaType {
    /// Whether a value is of the type.
    fileprivate func accepts(_ value: JSONValue) -> Bool {
        switch self {
        case .object: value.object != nil
        case .array: value.array != nil
        case .string, .file: value.string != nil
        case .integer: value.int64 != nil
        case .number: value.number != nil
        case .boolean: value.bool != nil
        case .null: value.isNull
        }
    }
}
