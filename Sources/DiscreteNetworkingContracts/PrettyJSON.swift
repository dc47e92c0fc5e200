import DiscreteNetworkingCore

/// Formats JSON for review: sorted keys, two spaces of indentation, and containers of scalars on one line
/// if short, so that a change of one field is a change of one line.
enum PrettyJSON {
    private static let width = 100

    /// Returns the text, ending with a line feed.
    static func text(_ value: JSONValue) -> String {
        var output = ""
        write(value, indent: "", room: width, to: &output)
        return output + "\n"
    }

    private static func write(_ value: JSONValue, indent: String, room: Int, to output: inout String) {
        if isFlat(value, depth: 2), case let line = line(value), line.utf8.count <= room {
            output += line
            return
        }
        let deeper = indent + "  "
        switch value {
        case .array(let elements) where !elements.isEmpty:
            output += "[\n"
            for (index, element) in elements.enumerated() {
                output += deeper
                write(element, indent: deeper, room: width - deeper.utf8.count, to: &output)
                output += index == elements.count - 1 ? "\n" : ",\n"
            }
            output += indent + "]"
        case .object(let members) where !members.isEmpty:
            output += "{\n"
            let names = sorted(members)
            for (index, name) in names.enumerated() {
                let key = JSONValue.string(name).canonicalText + ": "
                output += deeper + key
                write(
                    members[name] ?? .null, indent: deeper,
                    room: width - deeper.utf8.count - key.utf8.count, to: &output)
                output += index == names.count - 1 ? "\n" : ",\n"
            }
            output += indent + "}"
        default: output += value.canonicalText
        }
    }

    /// Whether a value has at most a number of levels, including its own.
    private static func isFlat(_ value: JSONValue, depth: Int) -> Bool {
        switch value {
        case .array(let elements): depth > 0 && elements.allSatisfy { isFlat($0, depth: depth - 1) }
        case .object(let members): depth > 0 && members.values.allSatisfy { isFlat($0, depth: depth - 1) }
        default: true
        }
    }

    private static func line(_ value: JSONValue) -> String {
        switch value {
        case .array(let elements): "[" + elements.map(line).joined(separator: ", ") + "]"
        case .object(let members):
            "{"
                + sorted(members).map {
                    "\(JSONValue.string($0).canonicalText): \(line(members[$0] ?? .null))"
                }
                .joined(separator: ", ") + "}"
        default: value.canonicalText
        }
    }

    private static func sorted(_ members: [String: JSONValue]) -> [String] {
        members.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
