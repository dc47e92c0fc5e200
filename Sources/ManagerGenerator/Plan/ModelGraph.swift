/// Which models are used for what, and which contain themselves.
struct ModelGraph {
    private let models: [Model]
    private let names: TypeNames

    init(_ models: [Model]) {
        self.models = models
        names = TypeNames(models: models)
    }

    /// The types that a model consists of.
    private func parts(of index: Int) -> [SwiftType] {
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

    // MARK: Recursion

    /// The model that a value of this type stores inline, not in an array or a dictionary.
    private func held(_ type: SwiftType) -> Int? {
        if case .model(let index) = names.resolved(names.resolved(type).wrapped) { index } else { nil }
    }

    /// The unions that have to be indirect and the properties that have to be boxed, so that no type contains itself.
    func recursion() -> (indirect: Set<Int>, boxed: Set<BoxedProperty>) {
        let edges = models.indices.map { index in
            if case .alias = models[index].kind { return [Int]() }
            return parts(of: index).compactMap(held)
        }
        let circles = Self.circles(edges)
        let unions = Set(
            models.indices.filter { index in
                if case .union = models[index].kind { return circles[index] != nil }
                return false
            })
        // Through an indirect union nothing is infinite any more.
        let left = edges.indices.map { unions.contains($0) ? [] : edges[$0].filter { !unions.contains($0) } }
        let rest = Self.circles(left)
        var boxed: Set<BoxedProperty> = []
        for index in models.indices {
            guard let circle = rest[index], case .structure(let structure) = models[index].kind else {
                continue
            }
            for property in structure.properties {
                if let held = held(property.type), rest[held] == circle {
                    boxed.insert(BoxedProperty(model: index, name: property.name))
                }
            }
        }
        box(&boxed, edges: left)
        return (unions, boxed)
    }

    /// The limit of inline nesting. The compiler's work grows with the number of paths through nested structs, and a
    /// deeply nested value is slow to copy.
    private static let depthLimit = 4

    /// Boxes properties that would be nested too deeply.
    /// - Parameter edges: What each model holds; without circles, apart from those that are boxed already.
    private func box(_ boxed: inout Set<BoxedProperty>, edges: [[Int]]) {
        var depths = [Int?](repeating: nil, count: models.count)
        var work = Array(models.indices)
        while let index = work.last {
            guard depths[index] == nil else {
                work.removeLast()
                continue
            }
            let own = Set(edges[index])
            var inside: [(property: BoxedProperty?, model: Int)] = edges[index].map { (nil, $0) }
            var isStruct = false
            if case .structure(let structure) = models[index].kind {
                isStruct = true
                inside = structure.properties.compactMap { property in
                    held(property.type).map { (BoxedProperty(model: index, name: property.name), $0) }
                }
                .filter { property, model in !boxed.contains(property) && own.contains(model) }
            }
            let unknown = inside.map(\.model).filter { depths[$0] == nil }
            guard unknown.isEmpty else {
                work += unknown
                continue
            }
            work.removeLast()
            var depth = 0
            for (property, model) in inside {
                let held = depths[model] ?? 0
                if let property, held >= Self.depthLimit {
                    boxed.insert(property)
                } else {
                    depth = max(depth, held)
                }
            }
            depths[index] = depth + (isStruct ? 1 : 0)
        }
    }

    /// For each node that is in a circle, which one; by Tarjan's algorithm, without recursion.
    private static func circles(_ edges: [[Int]]) -> [Int?] {
        var circle = [Int?](repeating: nil, count: edges.count)
        var number = [Int?](repeating: nil, count: edges.count)
        var low = [Int](repeating: 0, count: edges.count)
        var onStack = [Bool](repeating: false, count: edges.count)
        var stack: [Int] = []
        var count = 0
        for start in edges.indices where number[start] == nil {
            var work: [(node: Int, edge: Int)] = [(start, 0)]
            while let (node, edge) = work.last {
                if number[node] == nil {
                    number[node] = count
                    low[node] = count
                    count += 1
                    stack.append(node)
                    onStack[node] = true
                }
                if edge < edges[node].count {
                    work[work.count - 1].edge += 1
                    let next = edges[node][edge]
                    if number[next] == nil {
                        work.append((next, 0))
                    } else if onStack[next] {
                        low[node] = min(low[node], number[next] ?? 0)
                    }
                    continue
                }
                work.removeLast()
                if let parent = work.last?.node { low[parent] = min(low[parent], low[node]) }
                guard low[node] == number[node] else { continue }
                var members: [Int] = []
                while let member = stack.popLast() {
                    onStack[member] = false
                    members.append(member)
                    if member == node { break }
                }
                if members.count > 1 || edges[node].contains(node) {
                    for member in members { circle[member] = node }
                }
            }
        }
        return circle
    }
}
