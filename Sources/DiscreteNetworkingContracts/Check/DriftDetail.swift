import DiscreteNetworkingCore

/// What a report shows of a drift besides its kind: what was expected, and the JSON that differs.
struct DriftDetail: Sendable {
    /// The field in the contract; `nil` for a new one.
    let expected: Contract.Field?
    /// The object or the member that differs, shortened and without secrets; `nil` if there is none.
    let excerpt: String?

    init(of drift: Drift, in contract: Contract, _ bodies: [JSONValue]) {
        expected = contract.fields[drift.path]
        let (path, kind) = (drift.path, drift.kind)
        excerpt = bodies.lazy.compactMap { Self.excerpt(of: kind, path.components[...], in: $0) }.first
    }

    /// Finds the first place where the drift shows.
    private static func excerpt(
        of kind: Drift.Kind, _ path: ArraySlice<FieldPath.Component>, in value: JSONValue
    ) -> String? {
        guard let next = path.first else { return shows(kind, value) ? text(value) : nil }
        switch next {
        case .element:
            return value.array?.lazy.compactMap { excerpt(of: kind, path.dropFirst(), in: $0) }.first
        case .key(let key):
            guard let members = value.object else { return nil }
            guard path.count == 1 else {
                return members[key].flatMap { excerpt(of: kind, path.dropFirst(), in: $0) }
            }
            guard let member = members[key] else { return shows(kind, nil) ? text(value) : nil }
            return shows(kind, member) ? text(.object([key: member])) : nil
        }
    }

    /// - Parameter value: `nil` if it is missing.
    private static func shows(_ kind: Drift.Kind, _ value: JSONValue?) -> Bool {
        switch kind {
        case .removed, .newlyAbsent: value == nil
        case .added: value != nil
        case .becameNull: value?.isNull == true
        case .typeChanged(_, let types): value.map { types.admits(JSONType(of: $0)) } ?? false
        case .newValues(let values): value?.string.map(values.contains) ?? false
        case .formatChanged(let format): value?.string.map { StringFormat(of: $0) != format } ?? false
        }
    }

    // MARK: Text

    private static let memberLimit = 12
    private static let textLimit = 80

    private static func text(_ value: JSONValue) -> String {
        guard let members = value.object else { return short(value, named: "") }
        guard members.count > 1 else {
            return members.map { "{ \(JSONValue.string($0).canonicalText): \(short($1, named: $0)) }" }.first
                ?? "{}"
        }
        let sorted = members.sorted { $0.key < $1.key }
        var lines = sorted.prefix(memberLimit).map {
            "  \(JSONValue.string($0.key).canonicalText): \(short($0.value, named: $0.key))"
        }
        if sorted.count > memberLimit { lines.append("  … \(sorted.count - memberLimit) more") }
        return "{\n\(lines.joined(separator: ",\n"))\n}"
    }

    private static func short(_ value: JSONValue, named name: String) -> String {
        switch value {
        case .object(let members): return members.isEmpty ? "{}" : "{ … }"
        case .array(let elements): return elements.isEmpty ? "[]" : "[ … ]"
        case .null: return "null"
        default:
            guard !Redaction.standard.isSecret(param: name) else { return "\"\(Redaction.mark)\"" }
            let text = Redaction.standard.redacted(text: value.canonicalText)
            return text.count > textLimit ? text.prefix(textLimit) + "…" : text
        }
    }
}
