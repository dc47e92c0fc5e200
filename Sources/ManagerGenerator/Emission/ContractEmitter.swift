import DiscreteNetworkingJSON

/// Writes the contracts: for each call that only reads, the shape that the description promises, and the command that
/// compares it with what the backend answers.
struct ContractEmitter {
    let names: TypeNames
    let module: String
    let samples: SampleMaker

    /// Calls that change nothing, need nothing made up, and are answered with JSON.
    func subjects(_ operations: [Operation]) -> [Operation] {
        operations.filter { operation in
            guard operation.method == "GET", !operation.isDeprecated, case .model = operation.output.kind
            else { return false }
            return operation.parameters.allSatisfy { !$0.isRequired || hasExample($0) }
        }
    }

    private func hasExample(_ parameter: Parameter) -> Bool {
        ["example", "default"].contains { parameter.schema[$0] != nil }
            || names.openEnum(parameter.type) != nil
    }

    func emitMain(_ subjects: [Operation], to source: inout Source) {
        for name in ["DiscreteNetworking", "DiscreteNetworkingContracts", module].sorted() {
            source.add("import \(name)")
        }
        source.space()
        source.documentation(
            """
            Compares what the backend answers with what the description promises: `--base-url https://staging.example.com`, \
            and `--help` for more. Calls that only read, and need no argument but those with an example, are in the list.
            """)
        source.block("@main struct Contracts") { source in
            source.block("static func main() async") { source in
                let managers = subjects.map { ".init(\($0.managerName)()\(params($0)))" }
                source.add("await ContractCheck(")
                var seen: Set<String> = []
                let services = subjects.map(\.service).filter { seen.insert($0.prefix).inserted }
                    .map { ".\(SwiftName.escaped($0.identifier)): \($0.prefix)Service.self" }
                source.add("    services: [\(services.joined(separator: ", "))],")
                if managers.count == 1 {
                    source.add("    managers: [\(managers[0])]")
                } else {
                    source.add("    managers: [")
                    for manager in managers { source.add("        \(manager),") }
                    source.add("    ]")
                }
                source.add(").main()")
            }
        }
    }

    private func params(_ operation: Operation) -> String {
        let required = operation.parameters.filter(\.isRequired)
        guard !required.isEmpty else { return "" }
        let items = required.map { parameter in
            let value = samples.value(parameter.type, parameter.schema, isSent: true)
            return "\(Literal.string(parameter.key)): \(Self.literal(value))"
        }
        return ", params: [\(items.joined(separator: ", "))]"
    }

    private static func literal(_ value: JSONValue) -> String {
        switch value {
        case .string(let string): Literal.string(string)
        case .array(let elements): "[" + elements.map(literal).joined(separator: ", ") + "] as JSONValue"
        case .object(let members):
            members.isEmpty
                ? "[:] as JSONValue"
                : "["
                    + members.sorted { $0.key < $1.key }.map {
                        "\(Literal.string($0.key)): \(literal($0.value))"
                    }
                    .joined(separator: ", ") + "] as JSONValue"
        case .null: "JSONValue.null"
        default: value.canonicalText
        }
    }

    // MARK: Files

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
    private struct Field {
        let type: SwiftType
        let path: String
        var isOptional = false
        /// The enclosing models.
        let around: [Int]
    }

    /// The fields of a response, breadth first. A recursive model is described once on each path.
    private func fields(of type: SwiftType) -> [String: JSONValue] {
        var fields: [String: JSONValue] = [:]
        var rest = [Field(type: type, path: "", around: [])][...]
        while let field = rest.popFirst(), fields.count < Self.fieldLimit {
            let whole = names.resolved(field.type)
            let inner = names.resolved(whole.wrapped)
            guard let (types, format) = shape(inner) else { continue }
            var members: [String: JSONValue] = [
                "types": .array((types + (whole.isOptional ? ["null"] : [])).map(JSONValue.string))
            ]
            if field.isOptional { members["optional"] = true }
            if let format { members["format"] = .string(format) }
            if let open = names.openEnum(inner), open.isString {
                members["values"] = .array(
                    open.cases.compactMap(\.value.string).sorted().map(JSONValue.string))
            }
            fields[field.path.isEmpty ? "$" : field.path] = .object(members)
            rest += parts(of: inner, in: field)
        }
        return fields
    }

    /// The limit of described fields: mutually recursive schemas have any number of paths.
    private static let fieldLimit = 1_000

    private func parts(of type: SwiftType, in field: Field) -> [Field] {
        switch type {
        case .array(let element):
            return [Field(type: element, path: field.path + "[]", around: field.around)]
        case .model(let index):
            guard !field.around.contains(index), case .structure(let structure) = names.models[index].kind
            else { return [] }
            return structure.properties.filter { !$0.isWriteOnly }.map { property in
                let key = Self.key(property.wireName)
                return Field(
                    type: property.type, path: field.path.isEmpty ? key : "\(field.path).\(key)",
                    isOptional: !property.isRequired, around: field.around + [index])
            }
        default: return []
        }
    }

    /// The JSON types of a value; `nil` where it may be anything.
    private func shape(_ type: SwiftType) -> (types: [String], format: String?)? {
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
        case .json, .optional: return nil
        case .model(let index):
            switch names.models[index].kind {
            case .structure: return (["object"], nil)
            case .openEnum(let open): return ([open.isString ? "string" : "integer"], nil)
            case .union, .alias, .pending: return nil
            }
        }
    }

    private static func key(_ name: String) -> String {
        let isPlain =
            !name.isEmpty && name != "$"
            && !name.unicodeScalars.contains { $0.value < 0x20 || ".[]\"".unicodeScalars.contains($0) }
        return isPlain ? name : JSONValue.string(name).canonicalText
    }
}
