/// Which models are used for what.
struct ModelGraph {
    private let models: [Model]
    private let names: TypeNames

    init(_ models: [Model]) {
        self.models = models
        names = TypeNames(models: models)
    }

    /// The types that a model consists of.
    func parts(of index: Int) -> [SwiftType] {
        switch models[index].kind {
        case .structure(let structure):
            structure.properties.map(\.type) + (structure.additional.map { [$0] } ?? [])
        case .union(let union): union.cases.map(\.type)
        case .alias(let type): [type]
        case .openEnum, .pending: []
        }
    }

    /// All models that are needed for these types.
    func reachable(from types: [SwiftType]) -> Set<Int> {
        var found: Set<Int> = []
        var next = types.flatMap(\.models)
        while let index = next.popLast() {
            if found.insert(index).inserted { next += parts(of: index).flatMap(\.models) }
        }
        return found
    }

    /// All models that are alternatives of these unions, or inside of such.
    func inUnions(_ indexes: Set<Int>) -> Set<Int> {
        reachable(
            from: indexes.flatMap { index -> [SwiftType] in
                guard case .union(let union) = models[index].kind else { return [] }
                return union.cases.map(\.type)
            })
    }

    /// All models that contain one of these, however deep; one of these only where it is in another, or in itself.
    func containing(_ indexes: [Int]) -> Set<Int> {
        var users: [Int: [Int]] = [:]
        for index in models.indices {
            for part in Set(parts(of: index).flatMap(\.models)) { users[part, default: []].append(index) }
        }
        var found: Set<Int> = []
        var next = indexes.flatMap { users[$0] ?? [] }
        while let index = next.popLast() {
            if found.insert(index).inserted { next += users[index] ?? [] }
        }
        return found
    }
}
