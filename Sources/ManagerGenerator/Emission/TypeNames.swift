/// How types are written in Swift.
struct TypeNames {
    let models: [Model]
    /// The types around the place where names are written: what is directly in them needs no path.
    var scope: [String] = []

    /// The type that an alias stands for; other types unchanged.
    func resolved(_ type: SwiftType) -> SwiftType {
        guard case .model(let index) = type, case .alias(let other) = models[index].kind else { return type }
        return other == type ? .json : resolved(other)
    }

    func `in`(_ scope: [String]) -> TypeNames {
        var names = self
        names.scope = scope
        return names
    }

    func name(_ type: SwiftType) -> String {
        // Each place keeps its own name for a model that several places share.
        if case .model(let index) = type, models[index].same != nil { return name(of: index) }
        return switch resolved(type) {
        case .bool: "Bool"
        case .int: "Int"
        case .int64: "Int64"
        case .uint64: "UInt64"
        case .double: "Double"
        case .decimal: "Decimal"
        case .string: "String"
        case .date: "Date"
        case .fullDate: "FullDate"
        case .uuid: "UUID"
        case .data, .file: "Data"
        case .json: "JSONValue"
        case .array(let element): "[\(name(element))]"
        case .dictionary(let value): "[String: \(name(value))]"
        case .optional(let wrapped): resolved(wrapped).isOptional ? name(wrapped) : "\(name(wrapped))?"
        case .nullable(let wrapped): "Nullable<\(name(wrapped))>"
        case .model(let index): name(of: index)
        }
    }

    private func name(of index: Int) -> String {
        models[index].scope == scope ? models[index].name : models[index].qualifiedName
    }

    /// The open enum that a type is.
    func openEnum(_ type: SwiftType) -> OpenEnum? {
        guard case .model(let index) = resolved(type), case .openEnum(let open) = models[index].kind else {
            return nil
        }
        return open
    }

    /// The only value of an enumeration with one value.
    func constant(_ type: SwiftType) -> String? {
        guard let open = openEnum(type), open.cases.count == 1 else { return nil }
        return "." + SwiftName.escaped(open.cases[0].name)
    }
}
