/// Finds the operation of a description that answered a recorded call.
struct OperationIndex {
    struct Entry {
        /// `GET /pets/{petId}`.
        let endpoint: String
        let segments: [String]
        let node: Node
        /// Those of the operation and its path.
        let parameters: [Node]
    }

    private var entries: [String: [Entry]] = [:]
    /// The paths of the servers' URLs, in segments.
    private var bases: Set<[String]> = []

    var all: [Entry] { entries.values.flatMap(\.self).sorted { $0.endpoint < $1.endpoint } }

    init(_ description: Description, _ selection: Selection) throws(GeneratorError) {
        var selection = selection
        let root = description.root
        if let path = root.string("basePath") { bases.insert(Self.segments(path)) }
        try addServers(of: root)
        for (path, node) in try root.object("paths")?.members ?? [] where path.hasPrefix("/") {
            let item = try description.resolve(node)
            try addServers(of: item)
            for (method, node) in PathItem.operations(of: item) {
                let operation = try description.resolve(node)
                try addServers(of: operation)
                let tags = operation["tags"]?.elements.compactMap(\.string) ?? []
                guard selection.includes(tags: tags, path: path, id: operation.string("operationId")) else {
                    continue
                }
                entries[method.lowercased(), default: []].append(
                    Entry(
                        endpoint: "\(method.uppercased()) \(path)",
                        segments: Self.segments(PathText(path).path), node: operation,
                        parameters: try (operation.array("parameters") + item.array("parameters")).map {
                            parameter throws(GeneratorError) in try description.resolve(parameter)
                        }))
            }
        }
        try selection.checkMatches()
    }

    private mutating func addServers(of node: Node) throws(GeneratorError) {
        for server in try node.array("servers") {
            var url = server.string("url") ?? ""
            for (name, variable) in server["variables"]?.members ?? [] {
                url = url.replacingOccurrences(of: "{\(name)}", with: variable.string("default") ?? "")
            }
            if let scheme = url.range(of: "://") {
                url = String(url[scheme.upperBound...].drop { $0 != "/" })
            }
            bases.insert(Self.segments(url))
        }
    }

    private static func segments(_ path: String) -> [String] {
        path.split(separator: "/").map { String($0).removingPercentEncoding ?? String($0) }
    }

    /// The operation with the most literal segments; one below the path of a server before others, because traffic of a
    /// gateway may have another prefix.
    func entry(for call: RecordedCall) -> Entry? {
        let segments = call.segments
        var best: (entry: Entry, rank: (Int, Int))?
        for entry in entries[call.method] ?? [] where entry.segments.count <= segments.count {
            let base = segments.count - entry.segments.count
            guard zip(entry.segments, segments[base...]).allSatisfy(Self.matches) else { continue }
            let isBelow = base == 0 || bases.contains(Array(segments[..<base]))
            let rank = (isBelow ? 1 : 0, entry.segments.filter { !$0.contains("{") }.count)
            if best.map({ $0.rank < rank }) ?? true { best = (entry, rank) }
        }
        return best?.entry
    }

    private static func matches(_ template: String, _ text: String) -> Bool {
        guard let start = template.firstIndex(of: "{"), let end = template.lastIndex(of: "}"), start < end
        else { return template == text }
        let (before, after) = (template[..<start], template[template.index(after: end)...])
        return text.count > before.count + after.count && text.hasPrefix(before) && text.hasSuffix(after)
    }
}
