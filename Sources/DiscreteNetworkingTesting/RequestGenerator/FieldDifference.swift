import DiscreteNetworking

/// One field of a request that is not as expected.
struct FieldDifference: Sendable {
    let field: String
    let expected: String
    let actual: String

    /// Expected above actual, so that the eye finds where they part.
    var text: String { "  \(field)\n    expected  \(expected)\n    actual    \(actual)" }
}

/// Compares field by field; secrets are compared, and not shown.
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

    // MARK: Fields with names

    /// - Parameter isExact: whether there may be no other names.
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

    private func shown(_ rule: FieldRule, _ isSecret: Bool) -> String {
        guard case .equal(let text) = rule else { return rule.description }
        return isSecret && redaction != .none
            ? "\(Redaction.mark), \(text.count) characters" : redaction.redacted(text: rule.description)
    }

    // MARK: Bodies

    mutating func compare(_ expected: ExpectedBody, _ actual: RequestFields.Body) {
        switch (expected, actual) {
        case (.any, _), (.none, .none): break
        case (.json(let expected, let rules), .json(let actual)):
            compare(expected, actual, at: [], rules)
        case (.form(let expected), .form(let actual)):
            compare("form", expected, actual, isExact: true)
        case (.text(let expected), .text(let actual)): compare("body", expected: expected, actual: actual)
        case (.data(let expected), .bytes(let actual)) where expected == actual: break
        case (.data(let expected), .text(let actual))
        where String(decoding: expected, as: UTF8.self) == actual: break
        default: add("body", shown(expected), shown(actual))
        }
    }

    private mutating func compare(
        _ expected: JSONValue?, _ actual: JSONValue?, at path: [String], _ rules: [String: FieldRule]
    ) {
        let place = path.joined(separator: ".")
        let field = path.isEmpty ? "body" : "body " + place
        let isSecret = path.contains { redaction.isSecret(param: $0) }
        if let rule = rules[place] {
            let value = actual.map { $0.string ?? $0.canonicalText }
            if !rule.accepts(value) {
                add(field, shown(rule, isSecret), value.map { shown(.equal($0), isSecret) } ?? "nothing")
            }
            return
        }
        switch (expected, actual) {
        case (.object(let left)?, .object(let right)?):
            let ruled = rules.keys.filter { key in
                let parts = key.split(separator: ".").map(String.init)
                return parts.count == path.count + 1 && Array(parts.dropLast()) == path
            }.compactMap { $0.split(separator: ".").last.map(String.init) }
            for key in Set(left.keys).union(right.keys).union(ruled).sorted() {
                compare(left[key], right[key], at: path + [key], rules)
            }
        case (.array(let left)?, .array(let right)?):
            for index in 0..<max(left.count, right.count) {
                compare(
                    index < left.count ? left[index] : nil, index < right.count ? right[index] : nil,
                    at: path + ["\(index)"], rules)
            }
        default:
            guard expected != actual else { return }
            add(field, shown(expected, isSecret), shown(actual, isSecret))
        }
    }

    private func shown(_ value: JSONValue?, _ isSecret: Bool) -> String {
        guard let value else { return "nothing" }
        guard isSecret, redaction != .none else { return redaction.redacted(text: value.canonicalText) }
        return "\(Redaction.mark), \((value.string ?? value.canonicalText).count) characters"
    }

    private func shown(_ body: ExpectedBody) -> String {
        switch body {
        case .none: "no body"
        case .any: "any body"
        case .json(let json, _): "JSON " + redaction.redacted(text: json.canonicalText)
        case .form(let fields):
            "form "
                + redaction.redacted(
                    text: fields.rules.map { "\($0.name)=\($0.rule.sample)" }.joined(separator: "&"))
        case .text(let text): "text " + redaction.redacted(text: text)
        case .data(let data): "\(data.count) bytes"
        }
    }

    private func shown(_ body: RequestFields.Body) -> String {
        switch body {
        case .none: "no body"
        case .json(let json): shown(ExpectedBody.json(json))
        case .form(let pairs):
            "form " + redaction.redacted(text: pairs.map { "\($0.name)=\($0.value)" }.joined(separator: "&"))
        case .text(let text): shown(ExpectedBody.text(text))
        case .bytes(let data): "\(data.count) bytes"
        }
    }
}
