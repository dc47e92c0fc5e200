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
    private let loader: DocumentLoader
    private var documents: [String: JSONValue]
    /// The size of all documents that were loaded, in bytes.
    private var size: Int
    /// The nodes with an anchor, by document and name.
    private var anchors: [String: [String: [Node]]] = [:]
    var limits: DocumentLimits { loader.limits }
    /// What has been done to read the description.
    let work = Work()

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

    private func target(of reference: String, from place: Place) throws(GeneratorError) -> Node {
        let shown = VisibleText.url(reference)
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
                    "The reference \(shown) is neither a JSON pointer, such as #/components/schemas/Pet, nor an $anchor.",
                    at: place)
            }
            return anchor
        }
        for token in fragment.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            let name = Self.unescaped(String(token))
            try work.add(at: place)
            guard let next = node[name] ?? Int(name).flatMap({ node[$0] }) else {
                throw GeneratorError(
                    "The reference \(shown) leads nowhere: \(node.place) has no member \(name.debugDescription).",
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

    /// A reference in any script as a URI reference (RFC 3986): what has no place in one is percent-encoded.
    private static func encoded(_ reference: String) -> String {
        let bytes = Array(reference.utf8)
        func isHex(_ index: Int) -> Bool {
            index < bytes.count && Character(Unicode.Scalar(bytes[index])).isHexDigit
        }
        var text = ""
        for (index, byte) in bytes.enumerated() {
            let isPlain =
                byte == UInt8(ascii: "%")
                ? isHex(index + 1) && isHex(index + 2)
                : 0x21..<0x7F ~= byte && !#""<>\^`{|}"#.utf8.contains(byte)
            let hex = String(byte, radix: 16, uppercase: true)
            text += isPlain ? String(Unicode.Scalar(byte)) : "%" + (hex.count < 2 ? "0" : "") + hex
        }
        return text
    }

    /// Loads a document beside another one.
    private func name(of file: String, from place: Place) throws(GeneratorError) -> String {
        let base = DocumentLoader.url(of: place.document)
        guard var url = URL(string: Self.encoded(file), relativeTo: base)?.absoluteURL,
            let path = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath
                .removingPercentEncoding, !path.utf8.contains(0)
        else {
            throw GeneratorError("The reference \(VisibleText.url(file)) is no URL.", at: place)
        }
        // `%2E%2E%2F` leads up as `../` does.
        if url.isFileURL { url = URL(fileURLWithPath: path).standardizedFileURL }
        try refuseElsewhere(url, VisibleText.url(file), at: place)
        let name = DocumentLoader.name(url.standardized)
        if documents[name] == nil {
            let limit = url.isFileURL ? loader.limits.files : loader.limits.documents
            guard documents.count < limit else {
                throw GeneratorError(
                    "The description refers to more than \(limit) documents; join them into one.",
                    at: place)
            }
            do throws(GeneratorError) {
                let (document, size) = try loader.document(at: url)
                documents[name] = document
                self.size += size
            } catch let error {
                throw GeneratorError("The reference \(VisibleText.url(file)): \(error.message)", at: place)
            }
            guard size <= loader.limits.totalBytes else {
                throw GeneratorError(
                    "The documents of the description are larger than \(DocumentLimits.text(loader.limits.totalBytes)).",
                    at: place)
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
            guard url.isSameOrigin(as: first) else {
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
        let attributes = try? FileManager.default.attributesOfItem(
            atPath: url.resolvingSymlinksInPath().path)
        if let kind = attributes?[.type] as? FileAttributeType, kind != .typeRegular {
            throw GeneratorError("The reference \(reference) leads to what is no regular file.", at: place)
        }
    }
}
