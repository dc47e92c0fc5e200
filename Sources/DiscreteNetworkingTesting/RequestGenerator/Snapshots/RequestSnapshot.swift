import DiscreteNetworkingCore
import Foundation

/// A request as deterministic text: one field per line, without secrets and volatile values.
struct RequestSnapshot {
    private(set) var lines: [String] = []
    /// Volatile fields that violate their rules.
    private(set) var complaints: [String] = []
    private let volatile: [VolatileField]
    private let redaction: Redaction

    init(_ fields: RequestFields, volatile: [VolatileField], redaction: Redaction) {
        self.volatile = volatile + VolatileField.standard
        self.redaction = redaction
        lines.append("\(fields.method.rawValue) \(fields.shownAddress(redaction))")
        for (name, value) in fields.query {
            lines.append(
                "  ? \(name) = \(text(of: name, value, in: .query, redaction.isSecret(param: name)))")
        }
        for field in fields.headers {
            let (name, value) = (field.name.rawName, Self.withoutBoundary(field.value))
            lines.append("\(name): \(text(of: name, value, in: .header, redaction.isSecret(header: name)))")
        }
        add(fields.body)
        for field in volatile where field.rule != .absent && !seen(field) {
            complaints.append("\(field.place) \(field.name) is not there; it should be \(field.rule).")
        }
    }

    private var found: Set<String> = []

    private func seen(_ field: VolatileField) -> Bool { found.contains("\(field.place) \(field.name)") }

    /// Returns the text of a value.
    private mutating func text(
        of name: String, _ value: String, in place: VolatileField.Place, _ isSecret: Bool
    ) -> String {
        let rule = volatile.first {
            $0.place == place
                && (place == .header ? $0.name.lowercased() == name.lowercased() : $0.name == name)
        }
        guard let rule else { return isSecret ? Redaction.mark : redaction.redacted(text: value) }
        found.insert("\(rule.place) \(rule.name)")
        if !rule.rule.accepts(value) {
            let shown = isSecret ? Redaction.mark : "\"\(redaction.redacted(text: value))\""
            complaints.append("\(place) \(name) is \(shown); it should be \(rule.rule).")
        }
        return rule.rule.description
    }

    // MARK: Body

    private mutating func add(_ body: RequestFields.Body) {
        if case .none = body { return }
        lines.append("")
        switch body {
        case .none: break
        case .json(let json): add(json, at: [], indent: "", before: "", after: "")
        case .form(let pairs), .multipart(let pairs):
            for (name, value) in pairs {
                lines.append("\(name) = \(text(of: name, value, in: .body, redaction.isSecret(param: name)))")
            }
        case .text(let text):
            lines += redaction.redacted(text: text).split(
                omittingEmptySubsequences: false, whereSeparator: \.isNewline
            ).map(String.init)
        case .bytes(let data):
            lines.append("<\(data.count) bytes, SHA-256 \(MessageDigest(.sha256, of: data).hexadecimal)>")
        }
    }

    /// Appends JSON with sorted keys, one member per line.
    private mutating func add(
        _ json: JSONValue, at path: [String], indent: String, before: String, after: String
    ) {
        let deeper = indent + "  "
        switch json {
        case .object(let members) where !members.isEmpty:
            lines.append(indent + before + "{")
            let keys = members.keys.sorted()
            for key in keys {
                add(
                    members[key] ?? .null, at: path + [key], indent: deeper,
                    before: JSONValue.string(key).canonicalText + ": ", after: key == keys.last ? "" : ",")
            }
            lines.append(indent + "}" + after)
        case .array(let elements) where !elements.isEmpty:
            lines.append(indent + before + "[")
            for (index, element) in elements.enumerated() {
                add(
                    element, at: path + ["\(index)"], indent: deeper, before: "",
                    after: index == elements.count - 1 ? "" : ",")
            }
            lines.append(indent + "]" + after)
        default:
            let place = path.joined(separator: ".")
            let isRuled = volatile.contains { $0.place == .body && $0.name == place }
            let isSecret = path.contains { redaction.isSecret(param: $0) }
            let value =
                isRuled || isSecret
                ? text(of: place, json.string ?? json.canonicalText, in: .body, isSecret)
                : redaction.redacted(text: json.canonicalText)
            lines.append(indent + before + value + after)
        }
    }

    private static func withoutBoundary(_ value: String) -> String {
        RequestFields.boundary(of: value).map { value.replacingOccurrences(of: $0, with: "<boundary>") }
            ?? value
    }
}
