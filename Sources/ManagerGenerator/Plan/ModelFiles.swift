/// Which file each model is in.
///
/// A model that only one manager or one other model uses is in the file of that one, with which it is read. What several use
/// has a file of its own. The compiler reads all files of a module for each 25 that it compiles.
struct ModelFiles {
    /// What a file is named after.
    enum Owner: Hashable {
        /// By its position.
        case operation(Int)
        case model(Int)
    }

    /// No file grows longer by a model of another one.
    static let lineLimit = 500

    /// The owners into whose files others have moved.
    private var moved: [Owner: Owner] = [:]

    /// - Parameters:
    ///   - types: The types that each operation uses; empty where its module is not that of the models.
    ///   - lines: The lines of each operation and each model at the top level.
    init(_ topLevel: [Int], of models: [Model], types: [[SwiftType]], lines: [Owner: Int]) {
        let graph = ModelGraph(models)
        let outer = Dictionary(
            topLevel.map { (models[$0].name, $0) }, uniquingKeysWith: { first, _ in first })
        func owner(_ index: Int) -> Int? { models[index].path.first.flatMap { outer[$0] } }
        var users: [Int: Set<Owner>] = [:]
        func add(_ user: Owner, of types: [SwiftType]) {
            for index in types.flatMap(\.models) {
                guard let used = owner(index), user != .model(used) else { continue }
                users[used, default: []].insert(user)
            }
        }
        for (position, types) in types.enumerated() { add(.operation(position), of: types) }
        for index in models.indices {
            guard let user = owner(index) else { continue }
            add(.model(user), of: graph.parts(of: index))
        }
        var lines = lines
        var isDone = false
        while !isDone {
            isDone = true
            for index in topLevel where moved[.model(index)] == nil {
                let own = Owner.model(index)
                let files = Set((users[index] ?? []).map(file)).subtracting([own])
                guard files.count == 1, let file = files.first else { continue }
                let sum = lines[file, default: 0] + lines[own, default: 0]
                guard sum <= Self.lineLimit else { continue }
                moved[own] = file
                lines[file] = sum
                isDone = false
            }
        }
    }

    /// The file of a manager or a model.
    func file(_ owner: Owner) -> Owner {
        var owner = owner
        while let next = moved[owner] { owner = next }
        return owner
    }
}
