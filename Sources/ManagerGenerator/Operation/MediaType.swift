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

    private static func rank(_ entry: (name: String, node: Node)) -> Int {
        // Anything at all, with a schema, is JSON more often than not.
        if entry.name == "*/*", let schema = entry.node["schema"], schema.string("format") != "binary" {
            return 0
        }
        return order.firstIndex(of: kind(entry.name)) ?? order.count
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
