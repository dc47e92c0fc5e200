import DiscreteNetworkingJSON

/// Turns what was seen at a schema into actions of an overlay.
struct Correction {
    let finding: Evidence.Finding
    let version: Description.Version

    /// The actions in the order in which they are applied. What is wrong besides a type shows when the type is right.
    var actions: [JSONValue] {
        finding.wrongKinds.isEmpty ? absent + formats + null + unknown : types
    }

    /// Whether another schema takes the place of this one and of all below it.
    var replacesSchema: Bool {
        !finding.wrongKinds.isEmpty && !(finding.kinds.union(finding.allowed ?? []).allSatisfy(\.isScalar))
    }

    /// An action with a sentence that says where it is from.
    private func action(_ target: String, _ why: String, _ change: [String: JSONValue]) -> JSONValue {
        let others = finding.endpoints.count - 1
        let calls = (finding.endpoints.first ?? "") + (others > 0 ? " and \(others) more" : "")
        return .object(
            ["target": .string(target), "description": .string("\(calls): \(why)")]
                .merging(change) { first, _ in first })
    }

    var place: Place { finding.node.place }

    private var target: String { place.jsonPath }

    private var absent: [JSONValue] {
        finding.absent.sorted { $0.key.jsonPath < $1.key.jsonPath }.flatMap { place, names in
            names.sorted().map { name in
                action(
                    "\(place.jsonPath).required[?@ == \(JSONQuery.quoted(name))]", "\(name) was absent.",
                    ["remove": true])
            }
        }
    }

    private var formats: [JSONValue] {
        guard finding.hasWrongFormat else { return [] }
        let format = finding.node.string("format") ?? ""
        return [action("\(target).format", "a text was no \(format).", ["remove": true])]
    }

    private var null: [JSONValue] {
        guard finding.isNull else { return [] }
        let change: JSONValue
        if version == .swagger2 {
            change = ["x-nullable": true]
        } else if version == .openAPI31, let type = finding.node["type"]?.value {
            change = ["type": type.array == nil ? [type, "null"] : ["null"]]
        } else {
            change = ["nullable": true]
        }
        return [action(target, "it was null, or there was no body.", ["update": change])]
    }

    private var types: [JSONValue] {
        guard let allowed = finding.allowed else { return [] }
        // A type that was never seen is left out.
        let seen = finding.kinds.sorted().map(\.rawValue)
        let why =
            "seen: \(seen.joined(separator: ", ")); described: "
            + allowed.sorted().map(\.rawValue).joined(separator: ", ") + "."
        if !replacesSchema {
            let type: JSONValue = seen.count == 1 ? .string(seen[0]) : .array(seen.map(JSONValue.string))
            let rest = ["format", "enum", "const"].filter { finding.node[$0] != nil }
            // The types of an array would be joined.
            let isList = finding.node["type"]?.value.array != nil
            return (rest + (isList ? ["type"] : [])).map { action("\(target).\($0)", why, ["remove": true]) }
                + [action(target, why, ["update": ["type": type]])]
        }
        var schema =
            seen.count == 1 ? Self.optional(SchemaInference.schema(of: finding.values)).object ?? [:] : [:]
        if let text = finding.node.string("description") { schema["description"] = .string(text) }
        return [
            action("\(target).*", why, ["remove": true]), action(target, why, ["update": .object(schema)]),
        ]
    }

    /// The schema without required members: a recording does not say that they are always there.
    static func optional(_ schema: JSONValue) -> JSONValue {
        switch schema {
        case .object(var members):
            if members["properties"]?.object != nil, members["required"]?.array != nil {
                members["required"] = nil
            }
            return .object(members.mapValues(optional))
        case .array(let elements): return .array(elements.map(optional))
        default: return schema
        }
    }

    private var unknown: [JSONValue] {
        // So many names are keys of a dictionary.
        guard !finding.unknown.isEmpty, finding.unknown.count <= 30 else {
            return []
        }
        let properties = finding.unknown.mapValues { Self.optional(SchemaInference.schema(of: $0)) }
        let names = finding.unknown.keys.sorted().joined(separator: ", ")
        return [
            action(
                target, "\(names) \(properties.count == 1 ? "is" : "are") not described.",
                ["update": ["properties": .object(properties)]])
        ]
    }
}

extension Place {
    /// The place as a JSONPath: `$.components.schemas.Pet`, `$.paths['/pets'].get`.
    var jsonPath: String {
        pointer.reduce("$") { path, token in
            if JSONQuery.isName(token) { return path + "." + token }
            return path + "[" + (Int(token) != nil && !isMember(token) ? token : JSONQuery.quoted(token))
                + "]"
        }
    }

    /// Whether a number is the name of a member, such as a status, and no index.
    private func isMember(_ token: String) -> Bool { token.count == 3 }
}

extension JSONQuery {
    /// Whether a name may stand behind a dot.
    static func isName(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, !("0"..."9").contains(first) else { return false }
        return text.unicodeScalars.allSatisfy {
            switch $0 {
            case "a"..."z", "A"..."Z", "0"..."9", "_": true
            default: $0.value >= 0x80
            }
        }
    }

    /// A text in single quotes.
    static func quoted(_ text: String) -> String {
        let json = JSONValue.string(text).canonicalText.dropFirst().dropLast()
        return "'"
            + json.replacingOccurrences(of: "\\\"", with: "\"").replacingOccurrences(of: "'", with: "\\'")
            + "'"
    }
}
