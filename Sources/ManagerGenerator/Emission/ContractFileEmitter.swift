import DiscreteNetworkingJSON

/// Writes the contract of an endpoint: the shape that the description promises. The first response completes it.
struct ContractFileEmitter {
    let names: TypeNames

    /// The contract of one manager, as ``ContractFile`` reads it.
    func file(_ operation: Operation) -> String {
        var fields: [String: JSONValue] = [:]
        if case .model(let type) = operation.output.kind {
            fields = self.fields(of: type)
        }
        var lines = [
            "{",
            "  \"endpoint\": \(JSONValue.string("\(operation.method) \(operation.methodName)").canonicalText),",
        ]
        lines.append("  \"fields\": {")
        let sorted = fields.sorted { $0.key < $1.key }
        for (index, (path, field)) in sorted.enumerated() {
            let comma = index < sorted.count - 1 ? "," : ""
            lines.append("    \(JSONValue.string(path).canonicalText): \(Self.spaced(field))\(comma)")
        }
        lines += [
            "  },", "  \"format\": 1,",
            "  \"name\": \(JSONValue.string(operation.managerName).canonicalText),",
            "  \"origin\": \"description\",",
            "  \"service\": \(JSONValue.string(operation.service.identifier).canonicalText)", "}",
        ]
        return Literal.visible(lines.joined(separator: "\n") + "\n")
    }

    private static func spaced(_ field: JSONValue) -> String {
        let members = (field.object ?? [:]).sorted { $0.key < $1.key }.map { key, value -> String in
            let text =
                value.array.map { "[" + $0.map(\.canonicalText).joined(separator: ", ") + "]" }
                ?? value.canonicalText
            return "\"\(key)\": \(text)"
        }
        return "{" + members.joined(separator: ", ") + "}"
    }

    /// A value in a response that is still to be described.
    struct Field {
        let type: SwiftType
        let path: String
        /// The path of the value that it is in.
        var parent: String?
        var isOptional = false
        /// The only texts that it may be.
        var values: [String]?
        /// The enclosing models.
        let around: [Int]

        /// The path as the file has it.
        var key: String { path.isEmpty ? "$" : path }
    }

    /// The fields of a response, breadth first. A recursive model is described once on each path. A field of several
    /// alternatives of a union is described by all of them.
    private func fields(of type: SwiftType) -> [String: JSONValue] {
        var fields: [String: JSONValue] = [:]
        var rest = [Field(type: type, path: "", around: [])][...]
        var count = 0
        while let field = rest.popFirst() {
            count += 1
            guard fields.count < Self.fieldLimit, count < 10 * Self.fieldLimit else {
                if let parent = field.parent { fields[parent] = fields[parent]?.opened }
                continue
            }
            let whole = names.resolved(field.type)
            let inner = names.resolved(whole.wrapped)
            let (types, format) = shape(inner)
            var all = types
            if whole.isOptional, !all.contains("null") { all.append("null") }
            var members: [String: JSONValue] = ["types": .array(all.map(JSONValue.string))]
            if field.isOptional { members["optional"] = true }
            if isOpen(inner, in: field) { members["open"] = true }
            if let format { members["format"] = .string(format) }
            let known = names.openEnum(inner).flatMap {
                $0.isString ? $0.cases.compactMap(\.value.string) : nil
            }
            if let values = field.values ?? known {
                members["values"] = .array(values.sorted().map(JSONValue.string))
            }
            fields[field.key] = fields[field.key].map { $0.merged(members) } ?? .object(members)
            rest += parts(of: inner, in: field)
        }
        return fields
    }

    /// Whether a value may have members that the contract does not describe: the keys of a map, and what is in a model that is
    /// already around it.
    func isOpen(_ type: SwiftType, in field: Field) -> Bool {
        switch type {
        case .dictionary, .json: return true
        case .model(let index):
            switch names.models[index].kind {
            case .structure(let structure):
                return structure.additional != nil || field.around.contains(index)
            case .union(let union):
                let inner = Field(type: type, path: field.path, around: field.around + [index])
                return field.around.contains(index)
                    || union.cases.contains { isOpen(alternative($0), in: inner) }
            case .alias, .pending: return true
            case .openEnum: return false
            }
        default: return false
        }
    }

    /// The limit of described fields: mutually recursive schemas have any number of paths.
    private static let fieldLimit = 1_000

    func parts(of type: SwiftType, in field: Field) -> [Field] {
        switch type {
        case .array(let element):
            return [
                Field(type: element, path: field.path + "[]", parent: field.key, around: field.around)
            ]
        case .model(let index):
            guard !field.around.contains(index) else { return [] }
            let inner = Field(type: type, path: field.path, around: field.around + [index])
            switch names.models[index].kind {
            case .structure(let structure):
                return structure.properties.filter { !$0.isWriteOnly }.map { property in
                    member(property.wireName, of: inner, property.type, isOptional: !property.isRequired)
                }
            case .union(let union): return parts(of: union, in: inner)
            default: return []
            }
        default: return []
        }
    }

    func member(_ name: String, of field: Field, _ type: SwiftType, isOptional: Bool) -> Field {
        let key = Self.key(name)
        return Field(
            type: type, path: field.path.isEmpty ? key : "\(field.path).\(key)", parent: field.key,
            isOptional: isOptional, around: field.around)
    }

    private static let anything = ["array", "boolean", "null", "number", "object", "string"]

    /// The JSON types of a value.
    private func shape(_ type: SwiftType) -> (types: [String], format: String?) {
        switch type {
        case .bool: return (["boolean"], nil)
        case .int, .int64, .uint64: return (["integer"], nil)
        case .double, .decimal: return (["number"], nil)
        case .string, .data, .file: return (["string"], nil)
        case .date: return (["string"], "date-time")
        case .fullDate: return (["string"], "date")
        case .uuid: return (["string"], "uuid")
        case .array: return (["array"], nil)
        case .dictionary: return (["object"], nil)
        case .json, .optional, .nullable: return (Self.anything, nil)
        case .model(let index):
            switch names.models[index].kind {
            case .structure: return (["object"], nil)
            case .openEnum(let open): return ([open.isString ? "string" : "integer"], nil)
            case .union(let union):
                var types: Set<String> = []
                for alternative in union.cases {
                    let inner = self.alternative(alternative)
                    // A union in a union may contain the outer one.
                    types.formUnion(isUnion(inner) ? Self.anything : shape(inner).types)
                }
                return (types.sorted(), nil)
            case .alias, .pending: return (Self.anything, nil)
            }
        }
    }

    private func isUnion(_ type: SwiftType) -> Bool {
        if case .model(let index) = type, case .union = names.models[index].kind { true } else { false }
    }

    private static func key(_ name: String) -> String {
        let isPlain =
            !name.isEmpty && name != "$"
            && !name.unicodeScalars.contains { $0.value < 0x20 || ".[]\"".unicodeScalars.contains($0) }
        return isPlain ? name : JSONValue.string(name).canonicalText
    }
}

extension JSONValue {
    /// The description of a field, with free members.
    fileprivate var opened: JSONValue {
        var members = object ?? [:]
        members["open"] = true
        return .object(members)
    }

    /// The description of a field that another alternative describes as well.
    fileprivate func merged(_ other: [String: JSONValue]) -> JSONValue {
        var members = object ?? [:]
        let (types, more) = (members["types"]?.array ?? [], other["types"]?.array ?? [])
        // What only one of them says holds if the other one is no text.
        func join(_ keyword: String, _ both: (JSONValue, JSONValue) -> JSONValue?) {
            if let own = members[keyword], let another = other[keyword] {
                members[keyword] = both(own, another)
            } else if (members[keyword] == nil ? types : more).contains("string") {
                members[keyword] = nil
            } else {
                members[keyword] = members[keyword] ?? other[keyword]
            }
        }
        join("values") { own, another in
            let texts = Set(((own.array ?? []) + (another.array ?? [])).compactMap(\.string))
            return .array(texts.sorted().map(JSONValue.string))
        }
        join("format") { own, another in own == another ? .some(own) : .none }
        members["types"] = .array(types + more.filter { !types.contains($0) })
        for flag in ["optional", "open"] where other[flag] != nil { members[flag] = true }
        return .object(members)
    }
}
