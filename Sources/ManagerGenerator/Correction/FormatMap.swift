import DiscreteNetworkingCommands
import DiscreteNetworkingJSON

/// Swift types for formats: `decimal=Decimal` for strings of the format `decimal`.
struct FormatMap: Sendable, Equatable {
    /// Swift's types, as a schema says them.
    private static let types: [String: (type: String?, format: String?)] = [
        "String": ("string", nil), "Int": ("integer", nil), "Int64": ("integer", "int64"),
        "UInt64": ("integer", "uint64"), "Double": ("number", nil), "Decimal": ("number", "decimal"),
        "Date": ("string", "date-time"), "FullDate": ("string", "date"), "UUID": ("string", "uuid"),
        "Data": ("string", "byte"), "JSONValue": (nil, nil),
    ]

    private let names: [String: String]

    /// - Throws: ``GeneratorError`` for a type that is not known.
    init(_ pairs: [NamePair] = []) throws(GeneratorError) {
        for pair in pairs where Self.types[pair.value] == nil {
            let known = Self.types.keys.sorted()
            throw GeneratorError(
                "--map-format \(pair.name)=\(pair.value) needs one of \(known.joined(separator: ", ")).\(NearName.hint(pair.value, among: known))"
            )
        }
        names = Dictionary(pairs.map { ($0.name, $0.value) }) { $1 }
    }

    /// Rewrites the schemas with these formats.
    /// - Throws: ``GeneratorError`` for a format that no schema has.
    func apply(to document: inout JSONValue) throws(GeneratorError) {
        guard !names.isEmpty else { return }
        var seen: Set<String> = []
        document = rewritten(document, &seen)
        if let missing = names.keys.sorted().first(where: { !seen.contains($0) }) {
            throw GeneratorError("--map-format \(missing): no schema has this format.")
        }
    }

    private func rewritten(_ value: JSONValue, _ seen: inout Set<String>) -> JSONValue {
        switch value {
        case .object(var members):
            for (name, member) in members { members[name] = rewritten(member, &seen) }
            guard let format = members["format"]?.string, let name = names[format],
                let target = Self.types[name]
            else { return .object(members) }
            seen.insert(format)
            let isNullable = members["type"]?.array?.contains("null") == true
            members["type"] = target.type.map { isNullable ? [.string($0), "null"] : .string($0) }
            members["format"] = target.format.map(JSONValue.string)
            return .object(members)
        case .array(let elements): return .array(elements.map { rewritten($0, &seen) })
        default: return value
        }
    }
}
