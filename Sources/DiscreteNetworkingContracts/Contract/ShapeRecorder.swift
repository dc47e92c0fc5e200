import DiscreteNetworkingCore

/// Counts the types and values at each path of some bodies.
struct ShapeRecorder {
    struct Tally {
        var types: Set<JSONType> = []
        /// The number of values.
        var count = 0
        /// The number of objects.
        var objects = 0
        var strings: [String: Int] = [:]
    }

    private(set) var tallies: [FieldPath: Tally] = [:]

    init(_ samples: [JSONValue]) { for sample in samples { add(sample, at: FieldPath()) } }

    private mutating func add(_ value: JSONValue, at path: FieldPath) {
        var tally = tallies[path] ?? Tally()
        tally.types.insert(JSONType(of: value))
        tally.count += 1
        if case .object = value { tally.objects += 1 }
        if case .string(let text) = value { tally.strings[text, default: 0] += 1 }
        tallies[path] = tally
        switch value {
        case .array(let elements):
            let below = path.appending(.element)
            for element in elements { add(element, at: below) }
        case .object(let members):
            for (key, member) in members { add(member, at: path.appending(.key(key))) }
        default: break
        }
    }

    /// Whether an object lacks the field.
    func isMissingSomewhere(_ path: FieldPath) -> Bool {
        guard path.key != nil, let parent = path.parent else { return false }
        return (tallies[parent]?.objects ?? 0) > (tallies[path]?.count ?? 0)
    }

    func contract(_ rules: ContractRules) -> Contract {
        var fields: [FieldPath: Contract.Field] = [:]
        for (path, tally) in tallies {
            let values = rules.values(at: path, strings: tally.strings)
            let formats = values == nil ? Set(tally.strings.keys.map(StringFormat.init(of:))) : []
            fields[path] = Contract.Field(
                tally.types, isOptional: isMissingSomewhere(path), values: values,
                format: formats.count == 1 ? formats.first ?? nil : nil)
        }
        return Contract(fields: fields)
    }
}
