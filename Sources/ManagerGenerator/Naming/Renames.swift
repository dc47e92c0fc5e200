import DiscreteNetworkingCommands

/// Names that the user gives to schemas and operations.
struct Renames {
    /// By endpoint or by the place of a schema, as ``GivenNames`` has them.
    private var names: [String: String] = [:]

    /// - Throws: ``GeneratorError`` for something that is not in the description, a name that is no Swift type, or one name
    ///   for two.
    init(_ renames: [NamePair], of description: Description) throws(GeneratorError) {
        guard !renames.isEmpty else { return }
        var keys: [String: String] = [:]
        for (name, node) in Schemas.components(of: description) { keys[name] = node.place.text }
        for (path, node) in try description.root.object("paths")?.members ?? [] {
            for (method, operation) in PathItem.operations(of: try description.resolve(node)) {
                let endpoint = "\(method.uppercased()) \(path)"
                keys[endpoint] = endpoint
                if let id = try description.resolve(operation).string("operationId") { keys[id] = endpoint }
            }
        }
        var taken: [String: String] = [:]
        for rename in renames {
            let (name, newName) = (rename.name, rename.value)
            guard let key = keys[name] else {
                throw GeneratorError(
                    "--rename \(name): there is no schema, operation id or endpoint of this name.\(NearName.hint(name, among: keys.keys.sorted()))"
                )
            }
            let isOperation = key.contains(" ")
            let type = isOperation && !newName.hasSuffix("Manager") ? newName + "Manager" : newName
            guard GivenNames([key: type])[key] != nil else {
                throw GeneratorError(
                    "--rename \(name)=\(newName): \(type) is no name for a Swift type, or a type of Swift or of the framework has it."
                )
            }
            if let other = taken[type.lowercased()] {
                throw GeneratorError("--rename gives the name \(type) to \(other) and to \(name).")
            }
            taken[type.lowercased()] = name
            names[key] = type
        }
    }

    /// These names, and those of the previous run for the others.
    func names(over given: GivenNames) -> GivenNames {
        let new = Set(names.values.map { $0.lowercased() })
        let rest = given.names.filter { names[$0.key] == nil && !new.contains($0.value.lowercased()) }
        return GivenNames(rest.merging(names) { $1 })
    }
}

extension [String] {
    /// A name without the longest of these that it begins with; as it is where nothing would be left.
    func stripping(_ name: String) -> String {
        let prefixes = sorted { $0.count > $1.count }
        guard let prefix = prefixes.first(where: { name.hasPrefix($0) && name.count > $0.count }) else {
            return name
        }
        return String(name.dropFirst(prefix.count))
    }
}
