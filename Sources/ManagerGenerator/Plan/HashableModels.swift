import DiscreteNetworkingCommands

/// The models that conform to `Hashable`, which users ask for: a synthesized conformance takes the compiler as long as decoding.
struct HashableModels {
    let indexes: Set<Int>

    /// - Parameter names: The Swift names of models, such as `Pet`; `*` means all.
    /// - Throws: ``GeneratorError`` for a name that no model has.
    init(_ names: [String], of models: [Model], used: Set<Int>) throws(GeneratorError) {
        guard !names.contains("*") else {
            indexes = used
            return
        }
        let known = Dictionary(
            used.map { (models[$0].qualifiedName, $0) }, uniquingKeysWith: { first, _ in first })
        var named: [SwiftType] = []
        for name in names {
            guard let index = known[name] else {
                throw GeneratorError(
                    "--hashable \(name): there is no model of this name.\(NearName.hint(name, among: known.keys.sorted()))"
                )
            }
            named.append(.model(index))
        }
        // What is in a model has to be Hashable, too.
        indexes = ModelGraph(models).reachable(from: named)
    }
}
