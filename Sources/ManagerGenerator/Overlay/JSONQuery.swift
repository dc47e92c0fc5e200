import DiscreteNetworkingJSON

/// A query of JSONPath (RFC 9535), without functions.
///
///     $.paths['/pets'].get.parameters[?@.name == 'limit']
struct JSONQuery {
    /// A step to a member or an element.
    enum Step: Hashable, Sendable {
        case key(String)
        case index(Int)
    }

    indirect enum Selector {
        case name(String)
        case index(Int)
        case slice(start: Int?, end: Int?, step: Int)
        case wildcard
        case filter(Condition)
    }

    struct Segment {
        let selectors: [Selector]
        /// Whether the selectors apply to all values below as well (`..`).
        let isDescendant: Bool
    }

    indirect enum Condition {
        case any([Condition])
        case all([Condition])
        case not(Condition)
        case exists(Operand)
        case compare(Operand, String, Operand)
    }

    enum Operand {
        case value(JSONValue)
        case query(isRoot: Bool, [Segment])
    }

    let segments: [Segment]

    /// Whether the first place is below or behind the second, in the order of the document.
    static func isAfter(_ first: [Step], _ second: [Step]) -> Bool {
        for (left, right) in zip(first, second) where left != right {
            switch (left, right) {
            case (.index(let left), .index(let right)): return left > right
            case (.key(let left), .key(let right)): return left > right
            case (.index, .key): return true
            case (.key, .index): return false
            }
        }
        return first.count > second.count
    }

    /// Returns the places of the selected values, in the order of RFC 9535, members by their names; a value may be there
    /// several times.
    /// - Throws: ``GeneratorError`` if the query visits too many values.
    func places(in root: JSONValue) throws(GeneratorError) -> [[Step]] {
        var visits = Self.visitLimit
        var found = [(place: [Step](), value: root)]
        for segment in segments { found = try Self.apply(segment, to: found, root, &visits) }
        return found.map(\.place)
    }

    private typealias Found = [(place: [Step], value: JSONValue)]

    /// A filter inside of descendants inside of descendants has no end.
    private static let visitLimit = 1_000_000

    private static func apply(
        _ segment: Segment, to nodes: Found, _ root: JSONValue, _ visits: inout Int
    ) throws(GeneratorError) -> Found {
        var found: Found = []
        for node in segment.isDescendant ? descendants(of: nodes) : nodes {
            for selector in segment.selectors {
                visits -= 1
                guard visits > 0 else {
                    throw GeneratorError("A JSONPath of the overlay visits too many values.")
                }
                found += try select(selector, node.place, node.value, root, &visits)
            }
        }
        return found
    }

    private static func descendants(of nodes: Found) -> Found {
        var all: Found = []
        var rest = Array(nodes.reversed())
        while let node = rest.popLast() {
            all.append(node)
            rest += children(of: node.value, at: node.place).reversed()
        }
        return all
    }

    private static func children(of value: JSONValue, at place: [Step]) -> Found {
        switch value {
        case .object(let members):
            members.sorted { $0.key < $1.key }.map { (place + [.key($0.key)], $0.value) }
        case .array(let elements): elements.enumerated().map { (place + [.index($0.offset)], $0.element) }
        default: []
        }
    }

    private static func select(
        _ selector: Selector, _ place: [Step], _ value: JSONValue, _ root: JSONValue, _ visits: inout Int
    ) throws(GeneratorError) -> Found {
        switch selector {
        case .name(let name): return value.object?[name].map { [(place + [.key(name)], $0)] } ?? []
        case .index(let index):
            let elements = value.array ?? []
            let real = index < 0 ? elements.count + index : index
            return elements.indices.contains(real) ? [(place + [.index(real)], elements[real])] : []
        case .slice(let start, let end, let step):
            let elements = value.array ?? []
            return indices(start, end, step, elements.count).map { (place + [.index($0)], elements[$0]) }
        case .wildcard: return children(of: value, at: place)
        case .filter(let condition):
            var found: Found = []
            for child in children(of: value, at: place) where try holds(condition, child.value, root, &visits)
            {
                found.append(child)
            }
            return found
        }
    }

    /// RFC 9535 section 2.3.4.2.2.
    private static func indices(_ start: Int?, _ end: Int?, _ step: Int, _ count: Int) -> [Int] {
        func normal(_ index: Int) -> Int { index >= 0 ? index : count + index }
        if step > 0 {
            let lower = min(max(normal(start ?? 0), 0), count)
            let upper = min(max(normal(end ?? count), 0), count)
            return Array(stride(from: lower, to: upper, by: step))
        }
        guard step < 0 else { return [] }
        let upper = min(max(normal(start ?? count - 1), -1), count - 1)
        let lower = min(max(end.map(normal) ?? -1, -1), count - 1)
        return Array(stride(from: upper, to: lower, by: step))
    }

    // MARK: Filters

    private static func holds(
        _ condition: Condition, _ value: JSONValue, _ root: JSONValue, _ visits: inout Int
    ) throws(GeneratorError) -> Bool {
        switch condition {
        case .any(let parts):
            for part in parts where try holds(part, value, root, &visits) { return true }
            return false
        case .all(let parts):
            for part in parts where try !holds(part, value, root, &visits) { return false }
            return true
        case .not(let part): return try !holds(part, value, root, &visits)
        case .exists(let operand): return try !values(operand, value, root, &visits).isEmpty
        case .compare(let left, let sign, let right):
            return compare(
                try values(left, value, root, &visits).first, sign,
                try values(right, value, root, &visits).first)
        }
    }

    private static func values(
        _ operand: Operand, _ value: JSONValue, _ root: JSONValue, _ visits: inout Int
    ) throws(GeneratorError) -> [JSONValue] {
        switch operand {
        case .value(let value): return [value]
        case .query(let isRoot, let segments):
            var found: Found = [([], isRoot ? root : value)]
            for segment in segments { found = try apply(segment, to: found, root, &visits) }
            return found.map(\.value)
        }
    }

    /// RFC 9535 section 2.3.5.2.2; `nil` is no value.
    private static func compare(_ left: JSONValue?, _ sign: String, _ right: JSONValue?) -> Bool {
        switch sign {
        case "==": left == right
        case "!=": left != right
        case "<": isLess(left, right)
        case ">": isLess(right, left)
        case "<=": left == right || isLess(left, right)
        default: left == right || isLess(right, left)
        }
    }

    private static func isLess(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
        switch (left, right) {
        case (.number(let left)?, .number(let right)?): left.double < right.double
        case (.string(let left)?, .string(let right)?):
            left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
        default: false
        }
    }
}
