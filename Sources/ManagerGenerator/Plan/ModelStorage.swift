/// How models are stored: what contains itself is indirect, and so is what would be too much inside of another value.
///
/// Each copy of a value is compiled for all values that it stores inline, however deep, and counts the references of each when
/// it runs. With structs of any size inside of one another, this is half of the code of a module.
struct ModelStorage {
    /// The unions that are indirect enums.
    private(set) var indirect: Set<Int> = []
    /// The properties whose values are outside of their struct.
    private(set) var boxed: Set<BoxedProperty> = []
    /// The number of values that each model stores inline.
    private var sizes: [Int?]
    private let models: [Model]
    private let names: TypeNames

    /// How many values of a model may be stored inside of another one.
    private static let inlineLimit = 8

    init(_ models: [Model]) {
        self.models = models
        names = TypeNames(models: models)
        sizes = [Int?](repeating: nil, count: models.count)
        let graph = ModelGraph(models)
        let edges = models.indices.map { index in
            if case .alias = models[index].kind { return [Int]() }
            return graph.parts(of: index).compactMap(held)
        }
        let circles = Self.circles(edges)
        for index in models.indices where circles[index] != nil {
            if case .union = models[index].kind { indirect.insert(index) }
        }
        // Through an indirect union nothing is infinite any more.
        let left = edges.indices.map { index in
            indirect.contains(index) ? [] : edges[index].filter { !indirect.contains($0) }
        }
        let rest = Self.circles(left)
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
        for index in models.indices { measure(index) }
    }

    /// Whether a value of this type is stored indirectly in any other.
    func isLarge(_ type: SwiftType) -> Bool { size(type) > Self.inlineLimit }

    /// The model that a value of this type stores inline, not in an array or a dictionary.
    private func held(_ type: SwiftType) -> Int? {
        switch names.resolved(type) {
        case .optional(let wrapped), .nullable(let wrapped): held(wrapped)
        case .model(let index): index
        default: nil
        }
    }

    // MARK: Sizes

    private func size(_ type: SwiftType) -> Int { held(type).flatMap { sizes[$0] } ?? 1 }

    /// The models that have to be measured first.
    private func inside(_ index: Int) -> [Int] {
        switch models[index].kind {
        case .structure(let structure):
            structure.properties.filter { !boxed.contains(BoxedProperty(model: index, name: $0.name)) }
                .compactMap { held($0.type) }
        case .union(let union): indirect.contains(index) ? [] : union.cases.compactMap { held($0.type) }
        case .alias, .openEnum, .pending: []
        }
    }

    /// Measures a model and what is in it, without recursion; boxes what is too large.
    private mutating func measure(_ index: Int) {
        var work = [index]
        while let index = work.last {
            let unknown = sizes[index] == nil ? inside(index).filter { sizes[$0] == nil } : []
            guard unknown.isEmpty else {
                work += unknown
                continue
            }
            work.removeLast()
            guard sizes[index] == nil else { continue }
            switch models[index].kind {
            case .structure(let structure):
                var sum = structure.additional == nil ? 0 : 1
                for property in structure.properties {
                    let place = BoxedProperty(model: index, name: property.name)
                    if isLarge(property.type) { boxed.insert(place) }
                    sum += boxed.contains(place) ? 1 : size(property.type)
                }
                sizes[index] = sum
            case .union(let union):
                let sum = union.cases.reduce(1) { $0 + size($1.type) }
                if sum > Self.inlineLimit { indirect.insert(index) }
                sizes[index] = indirect.contains(index) ? 1 : sum
            case .alias, .openEnum, .pending: sizes[index] = 1
            }
        }
    }

    // MARK: Circles

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
