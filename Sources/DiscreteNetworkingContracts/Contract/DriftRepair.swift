import DiscreteNetworkingCore

/// Reverts drifts in a body to find out which ones matter.
struct DriftRepair {
    let contract: Contract

    /// Returns a body without drifts. Removed fields are replaced by example values.
    func undo(_ drifts: [Drift], in body: JSONValue) -> JSONValue {
        drifts.reduce(body) { body, drift in
            edit(body, drift.path.components[...]) { undo(drift, value: $0) } ?? .null
        }
    }

    /// - Parameter value: The value; `nil` if there is none. Likewise for the result.
    private func undo(_ drift: Drift, value: JSONValue?) -> JSONValue? {
        let field = contract.fields[drift.path]
        switch drift.kind {
        case .added: return nil
        case .removed, .newlyAbsent: return value ?? example(at: drift.path)
        case .becameNull: return value?.isNull == true ? example(at: drift.path) : value
        case .typeChanged(_, let new):
            guard let value, let field, case let type = JSONType(of: value), !field.types.admits(type),
                new.admits(type)
            else { return value }
            return Self.convert(value, to: field.types) ?? example(at: drift.path)
        case .newValues(let values):
            guard let text = value?.string, values.contains(text) else { return value }
            return example(at: drift.path)
        case .formatChanged(let format):
            guard let text = value?.string, StringFormat(of: text) != format else { return value }
            return .string(format.example)
        }
    }

    private func edit(
        _ value: JSONValue?, _ path: ArraySlice<FieldPath.Component>, _ change: (JSONValue?) -> JSONValue?
    ) -> JSONValue? {
        guard let step = path.first else { return change(value) }
        switch (step, value) {
        case (.element, .array(let elements)?):
            return .array(elements.compactMap { edit($0, path.dropFirst(), change) })
        case (.key(let key), .object(var members)?):
            members[key] = edit(members[key], path.dropFirst(), change)
            return .object(members)
        default: return value
        }
    }

    /// Converts a value to another type, such as "7" to 7.
    private static func convert(_ value: JSONValue, to types: Set<JSONType>) -> JSONValue? {
        switch value {
        case .string(let text):
            guard let parsed = try? JSONValue(parsing: text), types.admits(JSONType(of: parsed)) else {
                return nil
            }
            return parsed
        case .number, .bool: return types.contains(.string) ? .string(value.canonicalText) : nil
        default: return nil
        }
    }

    /// Returns an example value for a path.
    func example(at path: FieldPath) -> JSONValue {
        guard let field = contract.fields[path] else { return .null }
        switch JSONType.allCases.first(where: field.types.contains) {
        case .object:
            var members: [String: JSONValue] = [:]
            for (below, field) in contract.fields where below.parent == path && !field.isOptional {
                if let key = below.key { members[key] = example(at: below) }
            }
            return .object(members)
        case .array: return []
        case .string:
            if case .listed(let values)? = field.values, let first = values.sorted().first {
                return .string(first)
            }
            return .string(field.format?.example ?? "text")
        case .integer: return 1
        case .number: return 1.5
        case .boolean: return false
        case .null, nil: return .null
        }
    }
}
