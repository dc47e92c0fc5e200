/// How a media type is handled.
enum MediaType {
    enum Kind: Equatable {
        case json, multipart, form, text, events, xml, binary
    }

    static func kind(_ mediaType: String) -> Kind {
        let type =
            mediaType.split(separator: ";").first.map { $0.lowercased().filter { !$0.isWhitespace } } ?? ""
        if type == "application/json" || type.hasSuffix("+json") || type == "text/json" { return .json }
        if type == "text/event-stream" { return .events }
        if type.hasPrefix("multipart/") { return .multipart }
        if type == "application/x-www-form-urlencoded" { return .form }
        if type.hasSuffix("/xml") || (type.hasSuffix("+xml") && !type.hasPrefix("image/")) { return .xml }
        if type.hasPrefix("text/") || type == "application/javascript" || type == "application/yaml" {
            return .text
        }
        return .binary
    }

    private static let order: [Kind] = [.json, .multipart, .form, .events, .text, .xml, .binary]

    /// The media type that describes the value best.
    static func preferred(_ content: Node) -> (mediaType: String, media: Node)? {
        content.members.min { left, right in rank(left) < rank(right) }.map { ($0.name, $0.node) }
    }

    private static func rank(_ entry: (name: String, node: Node)) -> (kind: Int, isRange: Int) {
        let kind = kind(sent(as: entry.name, entry.node["schema"]))
        return (order.firstIndex(of: kind) ?? order.count, entry.name.contains("*") ? 1 : 0)
    }

    /// The media type that stands for a range of them (RFC 9110, section 12.5.1): JSON for anything with a schema, but text
    /// for a string.
    static func sent(as range: String, _ schema: Node?) -> String {
        guard range.contains("*") else { return range }
        if range.hasSuffix("+json") { return "application/json" }
        if range.hasPrefix("text/") { return "text/plain" }
        guard ["*/*", "application/*"].contains(range), let schema else { return "application/octet-stream" }
        switch (schema.string("type"), schema.string("format")) {
        case ("file", _), ("string", "binary"): return "application/octet-stream"
        case ("string", _): return "text/plain"
        default: return "application/json"
        }
    }
}

extension String {
    /// Whether it is a token, such as the name of a header (RFC 9110, section 5.6.2).
    var isToken: Bool {
        !isEmpty
            && unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9": true
                default: "!#$%&'*+-.^_`|~".unicodeScalars.contains(scalar)
                }
            }
    }
}
