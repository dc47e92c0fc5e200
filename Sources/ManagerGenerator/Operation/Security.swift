/// The `security` of an operation or of a description: which credentials a call has.
struct Security {
    /// The names of the schemes that are sent together.
    let alternatives: [[String]]

    /// - Parameter node: `security`; nothing is sent without one.
    init(_ node: Node?, _ description: Description, _ report: Report) throws(GeneratorError) {
        guard let node else {
            alternatives = []
            return
        }
        guard node.value.array != nil else {
            throw GeneratorError("has to be an array, and is \(node.value.kindText).", at: node.place)
        }
        let schemes = try description.securitySchemes()
        var alternatives: [[String]] = []
        for alternative in node.elements {
            let names = alternative.members.map(\.name)
            let unknown = names.filter { schemes?[$0] == nil }
            if !unknown.isEmpty {
                report.add(
                    "names \(unknown.joined(separator: ", ")), which is no security scheme; the alternative is left out.",
                    at: alternative.place)
            } else if !alternatives.contains(names) {
                // What only adds to another alternative would never be sent after it: a token beside an API key.
                let smaller = alternatives.firstIndex { Set($0).isStrictSubset(of: names) }
                alternatives.insert(names, at: smaller ?? alternatives.count)
            }
        }
        self.alternatives = alternatives
    }

    /// The same with the schemes of a service. The transport sends those that are none of them, such as mutual TLS.
    func alternatives(of schemes: [ServiceDescription.Scheme]) -> [[ServiceDescription.Scheme]] {
        alternatives.map { names in schemes.filter { names.contains($0.wireName) } }
    }
}

extension Description {
    /// The declared schemes by their names; `nil` if there are none.
    func securitySchemes() throws(GeneratorError) -> Node? {
        let declared =
            version == .swagger2
            ? try root.object("securityDefinitions")
            : try root.object("components")?.object("securitySchemes")
        return try declared.map { node throws(GeneratorError) in try resolve(node) }
    }
}

/// Who decides whether a call has the session's token.
enum SessionUse {
    case never, always, service

    init(_ alternatives: [[ServiceDescription.Scheme]]) {
        func keys(_ alternative: [ServiceDescription.Scheme]) -> [String] {
            alternative.filter { $0.kind != .session }.map(\.wireName)
        }
        let (with, without) = (
            alternatives.filter { $0.contains { $0.kind == .session } },
            alternatives.filter { $0.allSatisfy { $0.kind != .session } }
        )
        // If nobody is logged in, the session has no token, and the call is the alternative without it.
        let isOptional = without.allSatisfy { other in with.contains { keys($0) == keys(other) } }
        self = with.isEmpty ? .never : isOptional ? .always : .service
    }
}
