import DiscreteNetworkingCore
import Foundation

extension FieldComparison {
    mutating func compare(_ expected: ExpectedBody, _ actual: RequestFields.Body) {
        switch (expected, actual) {
        case (.any, _), (.none, .none): break
        case (.json(let expected, let rules), .json(let actual)):
            compare(expected, actual, at: [], rules)
        case (.form(let expected), .form(let actual)):
            compare("form", expected, actual, isExact: true)
        case (.multipart(let expected), .multipart(let actual)):
            compare("part", expected, actual, isExact: true)
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
        case .form(let fields): "form " + shown(fields.rules.map { ($0.name, $0.rule.sample) })
        case .multipart(let fields): "multipart " + shown(fields.rules.map { ($0.name, $0.rule.sample) })
        case .text(let text): "text " + redaction.redacted(text: text)
        case .data(let data): "\(data.count) bytes"
        }
    }

    private func shown(_ body: RequestFields.Body) -> String {
        switch body {
        case .none: "no body"
        case .json(let json): shown(ExpectedBody.json(json))
        case .form(let pairs): "form " + shown(pairs)
        case .multipart(let pairs): "multipart " + shown(pairs)
        case .text(let text): shown(ExpectedBody.text(text))
        case .bytes(let data): "\(data.count) bytes"
        }
    }

    /// Pair by pair: the decoded values cannot be scanned unambiguously.
    private func shown(_ pairs: [RequestFields.Pair]) -> String {
        pairs.map { name, value in
            let isSecret = redaction.isSecret(param: name)
            return "\(name)=\(isSecret ? Redaction.mark : redaction.redacted(text: value))"
        }.joined(separator: "&")
    }
}
