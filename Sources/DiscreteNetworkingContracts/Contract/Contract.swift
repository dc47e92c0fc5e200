public import DiscreteNetworkingCore

/// The recorded shape of an endpoint's response: its fields with their types, which may be missing or
/// `null`, and the values of enumerations.
///
/// ```swift
/// var contract = Contract(recording: [try JSONValue(parsing: body)])
/// contract = contract.merging(Contract(recording: moreBodies))
/// let drifts = contract.compare(newBody)
/// ```
///
/// A contract contains no values of a response, except the values of enumerations; see ``ContractRules``.
public struct Contract: Sendable, Equatable {
    /// The recorded shape of a field.
    public struct Field: Sendable, Equatable {
        /// The recorded types. ``JSONType/number`` includes integers.
        public var types: Set<JSONType>
        /// Whether the field was missing in an object, or may be, as a description says.
        public var isOptional: Bool
        /// Whether a response had the optional field when the contract was recorded: that it is missing everywhere is a drift
        /// then.
        public var isSeen: Bool
        /// Whether the value's members and elements are not described: the keys of a map, or one of several shapes.
        public var isOpen: Bool
        /// Whether the strings are an enumeration; `nil` if undecided.
        public var values: Values?
        /// The common format of all strings; `nil` if there is none.
        public var format: StringFormat?

        /// Creates the shape of a field; see the properties for each value.
        public init(
            _ types: Set<JSONType>, isOptional: Bool = false, isSeen: Bool = false, isOpen: Bool = false,
            values: Values? = nil, format: StringFormat? = nil
        ) {
            self.types = types.simplified
            self.isOptional = isOptional
            self.isSeen = isSeen
            self.isOpen = isOpen
            self.values = values
            self.format = format
        }
    }

    /// The allowed strings of a field.
    public enum Values: Sendable, Equatable {
        /// An enumeration; a new value is a drift.
        case listed(Set<String>)
        /// Any string.
        case any
    }

    /// The fields by path; the body itself is `$`.
    public var fields: [FieldPath: Field]

    /// Creates a contract of fields.
    public init(fields: [FieldPath: Field] = [:]) { self.fields = fields }

    /// Creates the common shape of bodies.
    public init(recording samples: [JSONValue], rules: ContractRules = .standard) {
        self = ShapeRecorder(samples).contract(rules)
    }

    /// Returns a contract that also admits other bodies. Enumerations are kept and extended.
    public func merging(recording samples: [JSONValue], rules: ContractRules = .standard) -> Contract {
        merging(Contract(recording: samples, rules: rules.keeping(self)))
    }

    /// Returns a contract that admits what either of two contracts admits. A field is an enumeration if
    /// both agree.
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
                new.isSeen = new.isOptional && (old.isSeen || field.isSeen)
                new.isOpen = old.isOpen || field.isOpen
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

    /// Whether an object was recorded that lacks the field.
    private func couldHave(_ path: FieldPath) -> Bool {
        guard path.key != nil, let parent = path.parent else { return false }
        return fields[parent]?.types.contains(.object) == true
    }

    private static func values(of left: Field, _ right: Field) -> Values? {
        switch (left.values, right.values) {
        case (.any?, _), (_, .any?): .any
        case (.listed(let left)?, .listed(let right)?): .listed(left.union(right))
        // The other's strings are unknown.
        case (.listed?, nil): right.types.contains(.string) ? nil : left.values
        case (nil, .listed?): left.types.contains(.string) ? nil : right.values
        case (nil, nil): nil
        }
    }
}
