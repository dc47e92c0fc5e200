import DiscreteNetworking

/// The recorded shape of an endpoint's response: which fields there are, of what types, which may be missing or
/// `null`, and which values an enumeration has.
///
/// ```swift
/// var contract = Contract(recording: [try JSONValue(parsing: body)])
/// contract = contract.merging(Contract(recording: moreBodies))
/// let drifts = contract.compare(newBody)
/// ```
///
/// It holds no value of a response but those of enumerations; see ``ContractRules``.
public struct Contract: Sendable, Equatable {
    /// What was seen at one place.
    public struct Field: Sendable, Equatable {
        /// The types seen. A field with ``JSONType/number`` may hold integers too.
        public var types: Set<JSONType>
        /// Whether the field was missing in an object that could have it.
        public var isOptional: Bool
        /// Whether the strings are those of an enumeration; `nil` where nobody has decided.
        public var values: Values?
        /// The form of all strings seen, where they have one.
        public var format: StringFormat?

        public init(
            _ types: Set<JSONType>, isOptional: Bool = false, values: Values? = nil,
            format: StringFormat? = nil
        ) {
            self.types = types.simplified
            self.isOptional = isOptional
            self.values = values
            self.format = format
        }
    }

    /// What a string field may hold.
    public enum Values: Sendable, Equatable {
        /// These, and a new one is a drift.
        case listed(Set<String>)
        /// Any text, whatever is recorded later.
        case any
    }

    /// The fields by their places; the body itself is at `$`.
    public var fields: [FieldPath: Field]

    public init(fields: [FieldPath: Field] = [:]) { self.fields = fields }

    /// The shape that all of these bodies have in common.
    public init(recording samples: [JSONValue], rules: ContractRules = .standard) {
        self = ShapeRecorder(samples).contract(rules)
    }

    /// A contract that admits these bodies too. Enumerations stay what they are, and take in the new values.
    public func merging(recording samples: [JSONValue], rules: ContractRules = .standard) -> Contract {
        merging(Contract(recording: samples, rules: rules.keeping(self)))
    }

    /// A contract that admits what either of the two admits. A field is an enumeration where both say so.
    public func merging(_ other: Contract) -> Contract {
        guard !fields.isEmpty, !other.fields.isEmpty else { return fields.isEmpty ? other : self }
        var merged = fields
        for (path, field) in fields where other.fields[path] == nil {
            merged[path]?.isOptional = field.isOptional || other.couldHave(path)
        }
        for (path, field) in other.fields {
            var new = field
            if let old = fields[path] {
                new.types = old.types.union(field.types).simplified
                new.isOptional = old.isOptional || field.isOptional
                new.values = Self.values(of: old, field)
                let bothText = old.types.contains(.string) && field.types.contains(.string)
                new.format =
                    bothText && old.format != field.format ? nil : old.format ?? field.format
            } else if couldHave(path) {
                new.isOptional = true
            }
            merged[path] = new
        }
        return Contract(fields: merged)
    }

    /// Whether an object was seen that has no such member.
    private func couldHave(_ path: FieldPath) -> Bool {
        guard path.key != nil, let parent = path.parent else { return false }
        return fields[parent]?.types.contains(.object) == true
    }

    private static func values(of left: Field, _ right: Field) -> Values? {
        switch (left.values, right.values) {
        case (.any?, _), (_, .any?): .any
        case (.listed(let left)?, .listed(let right)?): .listed(left.union(right))
        // Which strings the other had is not known.
        case (.listed?, nil): right.types.contains(.string) ? nil : left.values
        case (nil, .listed?): left.types.contains(.string) ? nil : right.values
        case (nil, nil): nil
        }
    }
}
