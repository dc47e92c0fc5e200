import DiscreteNetworkingJSON

/// The `type` of a schema, and what it is in Swift.
enum SchemaType {
    case object, array, string, integer, number, boolean, null, file

    /// The words that are in use beside those of the specification.
    static let words: [String: SchemaType] = [
        "object": .object, "array": .array, "string": .string, "integer": .integer, "number": .number,
        "boolean": .boolean, "null": .null, "file": .file, "int": .integer, "int32": .integer,
        "int64": .integer,
        "long": .integer, "float": .number, "double": .number, "decimal": .number, "bool": .boolean,
        "str": .string,
        "text": .string, "date": .string, "datetime": .string, "dateTime": .string, "list": .array,
        "dict": .object, "map": .object,
    ]

    /// The words of the specifications, `file` of Swagger 2.0.
    private static let standard: Set<String> = [
        "object", "array", "string", "integer", "number", "boolean", "null", "file",
    ]

    /// The types that a schema names, without `null`; or that of what else it says. Empty for anything.
    static func all(of schema: Node, _ report: Report) throws(GeneratorError) -> [SchemaType] {
        guard let type = schema["type"] else {
            return inferred(schema).map { [$0] } ?? []
        }
        let names = type.string.map { [$0] } ?? type.elements.compactMap(\.string)
        guard !names.isEmpty else {
            throw GeneratorError("has to be a type or an array of them.", at: type.place)
        }
        var types: [SchemaType] = []
        for name in names {
            guard let known = words[name] else {
                report.add(
                    "has the type \(name.debugDescription), which is not known; it is JSONValue.",
                    at: schema.place)
                return []
            }
            if !standard.contains(name) {
                report.add(
                    "has the type \(name.debugDescription), which is none of JSON Schema; it is read as \(known.word).",
                    at: schema.place)
            }
            types.append(known)
        }
        let values = types.filter { $0 != .null }
        return values.isEmpty ? [.null] : values
    }

    private static func inferred(_ schema: Node) -> SchemaType? {
        if schema["properties"] != nil || schema["additionalProperties"]?.value.object != nil {
            return .object
        }
        if schema["items"] != nil || schema["prefixItems"] != nil { return .array }
        if schema["format"] != nil || schema["pattern"] != nil || schema["minLength"] != nil {
            return .string
        }
        return nil
    }

    /// The same schema with this type only.
    func narrowed(_ schema: Node) -> Node {
        schema.with(["type": .string(word)], at: schema.place.appending(word))
    }

    private var word: String {
        switch self {
        case .object: "object"
        case .array: "array"
        case .string: "string"
        case .integer: "integer"
        case .number: "number"
        case .boolean: "boolean"
        case .null: "null"
        case .file: "file"
        }
    }

    func swiftType(of schema: Node) -> SwiftType {
        let format = schema.string("format")
        switch self {
        case .boolean: return .bool
        case .file: return .file
        case .integer:
            switch format {
            case "int64", "long": return .int64
            case "uint64": return .uint64
            default:
                return schema.string("type") == "long" || schema.string("type") == "int64" ? .int64 : .int
            }
        case .number:
            // Amounts of money say their smallest unit; a Double does not hold it.
            let isDecimal =
                ["decimal", "money", "currency"].contains(format) || schema.string("type") == "decimal"
                || schema["multipleOf"]?.value.number.map { $0.int == nil } == true
            return isDecimal ? .decimal : .double
        case .string:
            if schema.string("contentEncoding")?.lowercased().hasPrefix("base64") == true { return .data }
            if schema.string("contentMediaType") == "application/octet-stream" { return .file }
            switch format {
            case "date-time": return .date
            case "date": return .fullDate
            case "uuid": return .uuid
            case "byte": return .data
            case "binary": return .file
            // Kubernetes: a number is a number, whatever the type says.
            case "int-or-string": return .json
            default: return .string
            }
        case .object, .array, .null: return .json
        }
    }
}
