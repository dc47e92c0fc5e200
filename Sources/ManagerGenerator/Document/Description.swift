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
    private let loader: DocumentLoader
    private var documents: [String: JSONValue]

    convenience init(at location: String, loader: DocumentLoader = DocumentLoader()) throws(GeneratorError) {
        let url = DocumentLoader.url(of: location)
        let document = try loader.document(at: url)
        let recorded = try RecordedTraffic(
            document, at: Place(document: DocumentLoader.name(url), pointer: []))
        try self.init(recorded?.description ?? document, at: url, loader: loader)
    }

    init(_ value: JSONValue, at url: URL, loader: DocumentLoader = DocumentLoader()) throws(GeneratorError) {
        let name = DocumentLoader.name(url)
        self.loader = loader
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
        while let reference = node.string("$ref") ?? node.string("$dynamicRef") {
            if let both = withSiblings(node, reference) { return both }
            guard seen.insert(node.place).inserted else {
                throw GeneratorError("The reference \(reference) leads in a circle.", at: node.place)
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

    /// The schemas with an `$anchor` or `$dynamicAnchor` of this name.
    private func anchors(_ name: String, in node: Node) -> [Node] {
        let own = [node.string("$anchor"), node.string("$dynamicAnchor")].contains(name) ? [node] : []
        return own + (node.members.map(\.node) + node.elements).flatMap { anchors(name, in: $0) }
    }

    private func target(of reference: String, from place: Place) throws(GeneratorError) -> Node {
        let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let file = String(parts[0])
        let fragment = parts.count > 1 ? String(parts[1]) : ""
        let document = try file.isEmpty ? place.document : name(of: file, from: place)
        guard let value = documents[document] else {
            throw GeneratorError("No document \(document).", at: place)
        }
        var node = Node(value: value, place: Place(document: document, pointer: []))
        guard fragment.isEmpty || fragment.hasPrefix("/") else {
            guard
                let anchor = anchors(fragment, in: node).min(by: {
                    $0.place.distance(to: place) < $1.place.distance(to: place)
                })
            else {
                throw GeneratorError(
                    "The reference \(reference) is neither a JSON pointer, such as #/components/schemas/Pet, nor an $anchor.",
                    at: place)
            }
            return anchor
        }
        for token in fragment.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            let name = Self.unescaped(String(token))
            let next =
                node[name]
                ?? Int(name).flatMap { index in
                    node.elements.indices.contains(index) ? node.elements[index] : nil
                }
            guard let next else {
                throw GeneratorError(
                    "The reference \(reference) leads nowhere: \(node.place) has no member \(name.debugDescription).",
                    at: place)
            }
            node = next
        }
        return node
    }

    private static func unescaped(_ token: String) -> String {
        (token.removingPercentEncoding ?? token).replacingOccurrences(of: "~1", with: "/")
            .replacingOccurrences(of: "~0", with: "~")
    }

    /// Loads a document beside another one.
    private func name(of file: String, from place: Place) throws(GeneratorError) -> String {
        let base = DocumentLoader.url(of: place.document)
        guard let url = URL(string: file, relativeTo: base)?.absoluteURL else {
            throw GeneratorError("The reference \(file) is no URL.", at: place)
        }
        try refuseElsewhere(url, file, at: place)
        let name = DocumentLoader.name(url.standardized)
        if documents[name] == nil {
            do throws(GeneratorError) {
                documents[name] = try loader.document(at: url.standardized)
            } catch {
                throw GeneratorError("The reference \(file): \(error.message)", at: place)
            }
        }
        return name
    }

    /// Refuses references to files outside the allowed folders and to other servers.
    private func refuseElsewhere(_ url: URL, _ reference: String, at place: Place) throws(GeneratorError) {
        let first = DocumentLoader.url(of: root.place.document)
        guard first.isFileURL else {
            if url.isFileURL {
                throw GeneratorError("The reference \(reference) leads from a server to a file.", at: place)
            }
            guard (url.scheme, url.host, url.port) == (first.scheme, first.host, first.port) else {
                throw GeneratorError(
                    "The reference \(reference) leads to another server; save what is there beside the description.",
                    at: place)
            }
            return
        }
        guard url.isFileURL else {
            throw GeneratorError(
                "The reference \(reference) leads to another server; save what is there beside the description.",
                at: place)
        }
        let folders = [
            first.deletingLastPathComponent(),
            URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true),
        ]
        let path = url.standardizedFileURL.resolvingSymlinksInPath().pathComponents
        guard folders.contains(where: { path.starts(with: $0.resolvingSymlinksInPath().pathComponents) })
        else {
            throw GeneratorError(
                """
                The reference \(reference) leads out of the folder of the description. Run generate-managers in a folder \
                that both are in, if that is meant.
                """, at: place)
        }
    }
}
