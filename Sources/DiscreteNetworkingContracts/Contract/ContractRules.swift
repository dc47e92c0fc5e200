import DiscreteNetworking

/// Which strings of a response are taken for an enumeration when a contract is recorded.
///
/// A field is one where its strings were seen at least ``leastCount`` times, each of them twice on average, are
/// no more than ``mostValues``, and look like names in code: 1 to 40 of `A-Z a-z 0-9 _ - .`, a letter first, none
/// of a ``StringFormat``. Fields with secret names never are. What the rule does not see is said by path, here or
/// in the contract's file.
public struct ContractRules: Sendable, Equatable {
    /// Fields whose strings are enumerations, whatever they look like.
    public var enums: Set<FieldPath>
    /// Fields whose strings are not.
    public var texts: Set<FieldPath>
    /// The fewest strings from which the rule concludes anything.
    public var leastCount = 3
    /// The most values of an enumeration that the rule finds.
    public var mostValues = 12

    public init(enums: Set<FieldPath> = [], texts: Set<FieldPath> = []) {
        self.enums = enums
        self.texts = texts
    }

    /// No field is told apart by path.
    public static let standard = ContractRules()

    /// The same, where a contract has decided already. What is said here by path goes before it.
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
