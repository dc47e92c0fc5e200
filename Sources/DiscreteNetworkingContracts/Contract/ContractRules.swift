import DiscreteNetworkingCore

/// Determines which strings are recorded as enumerations.
///
/// A field is an enumeration if at least ``leastCount`` strings were recorded, each value twice on average,
/// at most ``mostValues`` different ones, and all look like identifiers: 1 to 40 of `A-Z a-z 0-9 _ - .`,
/// starting with a letter, without a ``StringFormat``. Fields with secret names never are. Override the
/// rule by path here or in the contract's file.
public struct ContractRules: Sendable, Equatable {
    /// The paths of enumerations, regardless of their values.
    public var enums: Set<FieldPath>
    /// The paths of fields that are not enumerations.
    public var texts: Set<FieldPath>
    /// The minimum number of strings to infer an enumeration.
    public var leastCount = 3
    /// The maximum number of values of an inferred enumeration.
    public var mostValues = 12

    /// Creates rules with overrides by path.
    public init(enums: Set<FieldPath> = [], texts: Set<FieldPath> = []) {
        self.enums = enums
        self.texts = texts
    }

    /// No overrides.
    public static let standard = ContractRules()

    /// Returns the rules with the decisions of a contract; overrides have precedence.
    func keeping(_ contract: Contract) -> ContractRules {
        var rules = self
        for (path, field) in contract.fields where !enums.contains(path) && !texts.contains(path) {
            switch field.values {
            case .listed?: rules.enums.insert(path)
            case .any?: rules.texts.insert(path)
            case nil: break
            }
        }
        return rules
    }

    func values(at path: FieldPath, strings: [String: Int]) -> Contract.Values? {
        guard !strings.isEmpty, !texts.contains(path) else { return texts.contains(path) ? .any : nil }
        guard path.key.map({ !Redaction.standard.isSecret(param: $0) }) ?? true else { return nil }
        if enums.contains(path) { return .listed(Set(strings.keys)) }
        let count = strings.values.reduce(0, +)
        guard count >= leastCount, strings.count <= mostValues, strings.count * 2 <= count,
            strings.keys.allSatisfy(Self.isName)
        else { return nil }
        return .listed(Set(strings.keys))
    }

    private static func isName(_ text: String) -> Bool {
        guard 1...40 ~= text.utf8.count, let first = text.unicodeScalars.first, isLetter(first),
            StringFormat(of: text) == nil
        else { return false }
        return text.unicodeScalars.allSatisfy {
            isLetter($0) || "0" <= $0 && $0 <= "9" || $0 == "_" || $0 == "-" || $0 == "."
        }
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        "a" <= scalar && scalar <= "z" || "A" <= scalar && scalar <= "Z"
    }
}
