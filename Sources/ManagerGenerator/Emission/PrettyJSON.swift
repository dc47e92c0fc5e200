import DiscreteNetworkingJSON

/// Human-readable JSON: sorted, one member a line; short arrays and objects on one line.
enum PrettyJSON {
    /// Control, invisible and bidirectional characters are escaped.
    static func text(_ value: JSONValue) -> String { Literal.visible(text(value, indent: "")) }

    private static func text(_ value: JSONValue, indent: String) -> String {
        let inner = indent + "  "
        let line = value.canonicalText
        guard line.utf8.count > 60 || (indent.isEmpty && value.object != nil) else { return line }
        switch value {
        case .object(let members) where !members.isEmpty:
            let lines = members.sorted { $0.key < $1.key }
                .map { "\(inner)\(JSONValue.string($0.key).canonicalText): \(text($0.value, indent: inner))" }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
        case .array(let elements) where !elements.isEmpty:
            return "[\n" + elements.map { inner + text($0, indent: inner) }.joined(separator: ",\n")
                + "\n\(indent)]"
        default: return line
        }
    }
}
