import DiscreteNetworkingCommands

/// Which module has what, where the code is in several.
struct ModuleLayout: Sendable {
    /// Whether a module of Swift, of the platforms or of the framework has a name.
    static func isTaken(_ name: String) -> Bool {
        let names: Set<String> = [
            "swift", "foundation", "foundationessentials", "foundationnetworking", "xctest", "testing",
            "dispatch",
            "synchronization", "observation", "combine", "security", "loopbackserver",
        ]
        return names.contains(name.lowercased()) || name.lowercased().hasPrefix("discretenetworking")
    }

    /// The module of the service.
    let main: String
    let models: String
    private let tags: [NamePair]

    init(_ options: GeneratorOptions) {
        main = options.module
        models = options.modelsModule ?? options.module
        tags = options.tagModules
    }

    /// All modules, each once, in the order in which they depend on one another.
    var modules: [String] {
        ([models, main] + tags.map(\.value)).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    var isSplit: Bool { modules.count > 1 }

    func module(of operation: Operation) -> String {
        tags.first { $0.name == operation.tags.first }?.value ?? main
    }

    /// The modules that a module needs.
    func dependencies(of module: String) -> [String] {
        if module == models { return [] }
        return (module == main ? [models] : [main, models]).filter { $0 != module }
            .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// - Throws: ``GeneratorError`` for a tag that no operation has first.
    func check(_ operations: [Operation]) throws(GeneratorError) {
        let known = Set(operations.compactMap(\.tags.first))
        for tag in tags where !known.contains(tag.name) {
            throw GeneratorError(
                "--tag-module \(tag.name): no operation has this tag first.\(NearName.hint(tag.name, among: known.sorted()))"
            )
        }
    }
}
