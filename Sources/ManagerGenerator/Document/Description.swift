import DiscreteNetworkingCurl
import DiscreteNetworkingJSON
import Foundation

/// A description of an API: its first document, and those that it refers to.
final class Description {
    /// The specification that it follows.
    enum Version: Equatable {
        case swagger2, openAPI30, openAPI31
    }

    let version: Version
    let root: Node
    let loader: DocumentLoader
    var documents: [String: JSONValue]
    /// The size of all documents that were loaded, in bytes.
    var size: Int
    /// Documents that are converted and not yet used.
    var converted: [String: (value: JSONValue, size: Int)] = [:]
    /// The documents whose references are known, and the names of those that were converted or tried.
    var scanned: Set<String> = []
    var asked: Set<String> = []
    /// The nodes with an anchor, by document and name.
    private var anchors: [String: [String: [Node]]] = [:]
    var limits: DocumentLimits { loader.limits }
    /// What has been done to read the description.
    let work = Work()
    /// The schemas whose parts are merged.
    var merging = Merging()
    /// Whether schemas allow `null`.
    var nullable: [Place: Bool] = [:]
    /// What was left out of recorded calls, actions of overlays that select nothing, and members that are there twice.
    var sourceNotes: [Note] = []

    /// - Parameter size: The size of the document, in bytes.
    init(
        _ value: JSONValue, at url: URL, loader: DocumentLoader = DocumentLoader(), size: Int = 0
    ) throws(GeneratorError) {
        let name = DocumentLoader.name(url)
        self.loader = loader
        self.size = size
        documents = [name: value]
        root = Node(value: value, place: Place(document: name, pointer: []))
        guard value.object != nil else {
            throw GeneratorError(
                "An API description is an object with the member openapi or swagger; this is \(value.kindText).",
                at: root.place)
        }
        version = try Self.version(of: root)
        guard root["paths"] != nil || root["webhooks"] != nil || root["components"] != nil else {
            throw GeneratorError("There is no member paths.", at: root.place)
        }
    }

    private static func version(of root: Node) throws(GeneratorError) -> Version {
        // YAML reads an unquoted 2.0 as a number.
        let text = ["openapi", "swagger"].lazy.compactMap { root[$0]?.value }.first.flatMap {
            $0.string ?? $0.number?.literal
        }
        switch text {
        case let text? where root["swagger"] != nil && text.hasPrefix("2."): return .swagger2
        case let text? where text.hasPrefix("3.0"): return .openAPI30
        case let text? where text.hasPrefix("3.1") || text.hasPrefix("3.2"): return .openAPI31
        case let text?:
            throw GeneratorError(
                "Version \(text) is not known; 3.0, 3.1, 3.2 and Swagger 2.0 are.",
                at: root.place.appending(root["openapi"] != nil ? "openapi" : "swagger"))
        case nil:
            throw GeneratorError(
                "Neither the member openapi (\"3.0.3\", \"3.1.0\") nor swagger (\"2.0\") says what this is.",
                at: root.place)
        }
    }

    // MARK: References

    /// The node itself, or what its `$ref` leads to, through any number of them.
    /// - Throws: ``GeneratorError`` where a reference leads nowhere or in a circle.
    func resolve(_ node: Node) throws(GeneratorError) -> Node {
        var node = node
        var seen: Set<Place> = []
        try work.add(at: node.place)
        while let reference = node.string("$ref") ?? node.string("$dynamicRef") {
            try work.add(at: node.place)
            if let both = withSiblings(node, reference) { return both }
            guard seen.insert(node.place).inserted else {
                throw GeneratorError(
                    "The reference \(VisibleText.url(reference)) leads in a circle.", at: node.place)
            }
            node = try target(of: reference, from: node.place)
        }
        return node
    }

    /// A reference that has schemas beside it, as in JSON Schema 2020-12 (section 8.2.3.1): both hold.
    private func withSiblings(_ node: Node, _ reference: String) -> Node? {
        let keywords = ["properties", "additionalProperties", "allOf", "oneOf", "anyOf", "items"]
        guard version == .openAPI31, keywords.contains(where: { node[$0] != nil }),
            var members = node.value.object
        else { return nil }
        members["$ref"] = nil
        members["$dynamicRef"] = nil
        members["allOf"] = .array([["$ref": .string(reference)]] + (members["allOf"]?.array ?? []))
        return Node(value: .object(members), place: node.place)
    }

    /// The nodes with an `$anchor` or `$dynamicAnchor`, by its name.
    private func anchors(of document: Node) throws(GeneratorError) -> [String: [Node]] {
        if let known = anchors[document.place.document] { return known }
        var found: [String: [Node]] = [:]
        var rest = [document]
        while let node = rest.popLast() {
            try work.add(at: node.place)
            for name in Set([node.string("$anchor"), node.string("$dynamicAnchor")].compactMap(\.self)) {
                found[name, default: []].append(node)
            }
            rest += (node.members.map(\.node) + node.elements).reversed()
        }
        anchors[document.place.document] = found
        return found
    }

    /// Where a reference leads.
    /// - Throws: ``GeneratorError`` if it leads nowhere.
    func target(of reference: String, from place: Place) throws(GeneratorError) -> Node {
        let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let file = String(parts[0])
        let fragment = parts.count > 1 ? String(parts[1]) : ""
        let document = try file.isEmpty ? place.document : name(of: file, from: place)
        guard let value = documents[document] else {
            throw GeneratorError("No document \(VisibleText.url(document)).", at: place)
        }
        var node = Node(value: value, place: Place(document: document, pointer: []))
        guard fragment.isEmpty || fragment.hasPrefix("/") else {
            let named = try anchors(of: node)[fragment] ?? []
            try work.add(named.count, at: place)
            guard
                let anchor = named.min(by: {
                    $0.place.distance(to: place) < $1.place.distance(to: place)
                })
            else {
                throw GeneratorError(
                    "The reference \(VisibleText.url(reference)) is neither a JSON pointer, such as #/components/schemas/Pet, nor an $anchor.",
                    at: place, isBrokenReference: true)
            }
            return anchor
        }
        for token in fragment.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            let name = Self.unescaped(String(token))
            try work.add(at: place)
            guard let next = node[name] ?? Int(name).flatMap({ node[$0] }) else {
                throw GeneratorError(
                    "The reference \(VisibleText.url(reference)) leads nowhere: \(node.place) has no member \(name.debugDescription).",
                    at: place, isBrokenReference: true)
            }
            node = next
        }
        return node
    }

    private static func unescaped(_ token: String) -> String {
        guard token.utf8.contains(UInt8(ascii: "%")) || token.utf8.contains(UInt8(ascii: "~")) else {
            return token
        }
        return (token.removingPercentEncoding ?? token).replacingOccurrences(of: "~1", with: "/")
            .replacingOccurrences(of: "~0", with: "~")
    }
}
