import DiscreteNetworkingCore

/// Compares requests field by field. Secrets are compared but not shown.
struct FieldComparison {
    let redaction: Redaction
    private(set) var differences: [FieldDifference] = []

    init(redaction: Redaction) { self.redaction = redaction }

    mutating func compare(_ field: String, expected: String, actual: String) {
        guard expected != actual else { return }
        add(field, redaction.redacted(text: expected), redaction.redacted(text: actual))
    }

    mutating func add(_ field: String, _ expected: String, _ actual: String) {
        differences.append(FieldDifference(field: field, expected: expected, actual: actual))
    }

    // MARK: Named fields

    /// - Parameter isExact: Whether other names are not allowed.
    mutating func compare(
        _ kind: String, _ expected: ExpectedFields, _ actual: [RequestFields.Pair], isExact: Bool,
        isSame: (String, String) -> Bool = { $0 == $1 }
    ) {
        var seen: [String] = []
        for name in expected.rules.map(\.name) + (isExact ? actual.map(\.name) : [])
        where !seen.contains(where: { isSame($0, name) }) {
            seen.append(name)
            let rules = expected.rules.filter { isSame($0.name, name) }.map(\.rule).filter { $0 != .absent }
            let values = actual.filter { isSame($0.name, name) }.map(\.value)
            guard rules.count != values.count || !zip(rules, values).allSatisfy({ $0.accepts($1) }) else {
                continue
            }
            let isSecret =
                kind == "header" ? redaction.isSecret(header: name) : redaction.isSecret(param: name)
            add(
                "\(kind) \(name)", list(rules.map { shown($0, isSecret) }),
                list(values.map { shown(.equal($0), isSecret) }))
        }
    }

    private func list(_ texts: [String]) -> String {
        texts.isEmpty ? "nothing" : texts.joined(separator: ", ")
    }

    func shown(_ rule: FieldRule, _ isSecret: Bool) -> String {
        guard case .equal(let text) = rule else { return rule.description }
        return isSecret && redaction != .none
            ? "\(Redaction.mark), \(text.count) characters" : redaction.redacted(text: rule.description)
    }
}
