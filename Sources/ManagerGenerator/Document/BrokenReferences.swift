import DiscreteNetworkingJSON

/// The references of a description that lead nowhere, and what is left without the operations and schemas that need them.
///
/// Only made after one was found: most descriptions have none.
struct BrokenReferences {
    /// An error for each reference, which says what was left out.
    private(set) var errors: [GeneratorError] = []
    /// The first document, without what needs a broken reference.
    private(set) var document: JSONValue

    /// Texts in these are no references.
    private static let data: Set<String> = ["example", "examples", "default", "enum", "const"]

    private let description: Description
    /// The number of chosen operations without a broken reference.
    private var leftCount = 0
    /// The references in a place.
    private var references: [Place: [Reference]] = [:]
    /// The first place of a reference.
    private var places: [Reference: Place] = [:]
    /// Where a reference leads.
    private var targets: [Reference: Result<Node, GeneratorError>] = [:]
    private var endpoints: [Reference: [String]] = [:]

    private struct Reference: Hashable {
        let text: String
        let document: String
    }

    init(_ description: Description, _ selection: Selection) throws(GeneratorError) {
        self.description = description
        document = description.root.value
        var selection = selection
        try leaveOutOperations(&selection)
        try selection.checkMatches()
        leaveOutSchemas()
        for (reference, names) in endpoints.sorted(by: { $0.key.text < $1.key.text }) {
            guard case .failure(let error)? = targets[reference] else { continue }
            errors.append(error.leavingOut(names))
        }
        guard leftCount > 0 || endpoints.values.joined().allSatisfy({ $0.hasPrefix("the schema ") }) else {
            throw errors[0].with(message: errors[0].message + " No operation is left.")
        }
    }

    private mutating func leaveOutOperations(_ selection: inout Selection) throws(GeneratorError) {
        for (path, node) in try description.root.object("paths")?.members ?? [] {
            var item = node
            if node.string("$ref") != nil {
                let broken = broken(from: node)
                guard broken.isEmpty else {
                    note(broken, path)
                    remove(["paths", path])
                    continue
                }
                item = try description.resolve(node)
            }
            let shared = item["parameters"].map { self.broken(from: $0) } ?? []
            for (method, operation) in PathItem.operations(of: item) {
                let own = operation["tags"]?.elements.compactMap(\.string) ?? []
                guard selection.includes(tags: own, path: path, id: operation.string("operationId")) else {
                    continue
                }
                let broken = shared + self.broken(from: operation)
                guard !broken.isEmpty else {
                    leftCount += 1
                    continue
                }
                note(broken, "\(method.uppercased()) \(path)")
                if node.string("$ref") != nil {
                    set(item.value, at: ["paths", path])
                }
                remove(["paths", path, method])
                remove(["paths", path, "additionalOperations", method])
            }
        }
    }

    /// A schema that no operation needs is written, too, where it can be.
    private mutating func leaveOutSchemas() {
        for (name, node) in Schemas.components(of: description) {
            let broken = broken(from: node)
            guard !broken.isEmpty else { continue }
            note(broken.filter { endpoints[$0] == nil }, "the schema \(name)")
            remove(
                (description.version == .swagger2 ? ["definitions"] : ["components", "schemas"]) + [name])
        }
    }

    private mutating func note(_ broken: [Reference], _ endpoint: String) {
        for reference in Set(broken) { endpoints[reference, default: []].append(endpoint) }
    }

    // MARK: The document

    private mutating func remove(_ path: [String]) { document = document.changed(at: path[...]) { _ in nil } }

    private mutating func set(_ value: JSONValue, at path: [String]) {
        document = document.changed(at: path[...]) { _ in value }
    }

    // MARK: References

    /// The broken references that are reached from a place.
    private mutating func broken(from start: Node) -> [Reference] {
        var found: [Reference] = []
        var seen: Set<Place> = [start.place]
        var rest = [start]
        while let node = rest.popLast() {
            for reference in references(in: node) {
                switch target(of: reference) {
                case .success(let target): if seen.insert(target.place).inserted { rest.append(target) }
                case .failure: found.append(reference)
                }
            }
        }
        return found
    }

    private mutating func target(of reference: Reference) -> Result<Node, GeneratorError> {
        if let known = targets[reference] { return known }
        let target: Result<Node, GeneratorError>
        do throws(GeneratorError) {
            let place = places[reference] ?? Place(document: reference.document, pointer: [])
            target = .success(try description.target(of: reference.text, from: place))
        } catch {
            target = .failure(error)
        }
        targets[reference] = target
        return target
    }

    private mutating func references(in node: Node) -> [Reference] {
        if let known = references[node.place] { return known }
        var found: [Reference] = []
        var rest = [node]
        while let next = rest.popLast() {
            if let text = next.string("$ref") {
                let reference = Reference(text: text, document: node.place.document)
                if !found.contains(reference) { found.append(reference) }
                if places[reference] == nil { places[reference] = next.place }
            }
            rest += next.members.filter { !Self.data.contains($0.name) && !$0.name.hasPrefix("x-") }.map(
                \.node)
            rest += next.elements
        }
        references[node.place] = found
        return found
    }
}

extension GeneratorError {
    fileprivate func leavingOut(_ endpoints: [String]) -> GeneratorError {
        let others = endpoints.count > 5 ? " and \(endpoints.count - 5) more" : ""
        return with(
            message: "\(message) Left out: \(endpoints.sorted().prefix(5).joined(separator: ", "))\(others).")
    }
}
