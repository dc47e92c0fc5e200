import DiscreteNetworkingCommands

/// The operations to generate; all where there is no filter.
public struct Selection: Sendable, Equatable {
    /// One filter, such as `tag:orders`.
    private struct Term: Sendable, Equatable {
        let option: String
        let kind: String
        let value: String

        var text: String { "\(option) \(kind):\(value)" }

        func matches(tags: [String], path: String, id: String?) -> Bool {
            switch kind {
            case "tag": tags.contains(value)
            case "path": path.hasPrefix(value)
            default: id == value
            }
        }
    }

    private let included: [Term]
    private let excluded: [Term]
    /// The terms that no operation has matched yet.
    private var unmatched: [Term]
    /// The names in the description, by the kind of term.
    private var names: [String: Set<String>] = [:]

    /// - Parameters:
    ///   - include: `tag:orders`, `path:/orders`, `operation:listOrders`.
    ///   - exclude: the same; it wins over `include`.
    init(_ include: [String], excluding exclude: [String] = []) throws(GeneratorError) {
        included = try Self.terms(include, of: "--include")
        excluded = try Self.terms(exclude, of: "--exclude")
        unmatched = included + excluded
    }

    private static func terms(_ texts: [String], of option: String) throws(GeneratorError) -> [Term] {
        try texts.map { text throws(GeneratorError) in
            let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2, ["tag", "path", "operation"].contains(parts[0]) else {
                throw GeneratorError(
                    "\(option) needs tag:NAME, path:/BEGINNING or operation:ID, not \(text).")
            }
            return Term(option: option, kind: parts[0], value: parts[1])
        }
    }

    /// Whether an operation is wanted. Remembers the terms that match it.
    mutating func includes(tags: [String], path: String, id: String?) -> Bool {
        names["tag", default: []].formUnion(tags)
        names["path", default: []].insert(path)
        if let id { names["operation", default: []].insert(id) }
        unmatched.removeAll { $0.matches(tags: tags, path: path, id: id) }
        guard !excluded.contains(where: { $0.matches(tags: tags, path: path, id: id) }) else { return false }
        return included.isEmpty || included.contains { $0.matches(tags: tags, path: path, id: id) }
    }

    /// Reports the terms that matched no operation, which are misspelled or out of date.
    func checkMatches() throws(GeneratorError) {
        guard !unmatched.isEmpty else { return }
        let lines = unmatched.map { term in
            "\(term.text) matches no operation."
                + NearName.hint(term.value, among: (names[term.kind] ?? []).sorted())
        }
        throw GeneratorError(lines.joined(separator: " "))
    }
}
