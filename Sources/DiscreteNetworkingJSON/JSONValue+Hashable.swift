extension JSONValue: Hashable {
    /// Whether the values are equal: numbers by value, strings by canonical equivalence, objects whatever the order of
    /// their members.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        // Pairs are kept in an array rather than on the call stack: code can nest values as deep as it likes.
        var rest: [(JSONValue, JSONValue)] = []
        guard areEqual(left, right, apartFrom: &rest) else { return false }
        while let (left, right) = rest.popLast() {
            guard areEqual(left, right, apartFrom: &rest) else { return false }
        }
        return true
    }

    /// Compares all but the contents of containers, which it puts on the list.
    private static func areEqual(
        _ left: JSONValue, _ right: JSONValue, apartFrom rest: inout [(JSONValue, JSONValue)]
    ) -> Bool {
        switch (left, right) {
        case (.null, .null): return true
        case (.bool(let left), .bool(let right)): return left == right
        case (.number(let left), .number(let right)): return left == right
        case (.string(let left), .string(let right)): return left == right
        case (.array(let left), .array(let right)):
            guard left.count == right.count else { return false }
            rest.append(contentsOf: zip(left, right))
            return true
        case (.object(let left), .object(let right)):
            guard left.count == right.count else { return false }
            for (name, value) in left {
                guard let other = right[name] else { return false }
                rest.append((value, other))
            }
            return true
        default: return false
        }
    }

    /// Hashes the value down to a depth at which few values still differ, so that equal values hash alike.
    public func hash(into hasher: inout Hasher) { hash(into: &hasher, levels: 16) }

    private func hash(into hasher: inout Hasher, levels: Int) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let bool): hasher.combine(bool)
        case .number(let number): hasher.combine(number)
        case .string(let string): hasher.combine(string)
        case .array(let elements):
            hasher.combine(elements.count)
            guard levels > 0 else { return }
            for element in elements { element.hash(into: &hasher, levels: levels - 1) }
        case .object(let members):
            hasher.combine(members.count)
            guard levels > 0 else { return }
            // Members have no order.
            var sum = 0
            for (name, value) in members {
                var member = Hasher()
                member.combine(name)
                value.hash(into: &member, levels: levels - 1)
                sum &+= member.finalize()
            }
            hasher.combine(sum)
        }
    }

    /// Whether containers are nested more than so many levels deep.
    package func isDeeper(than limit: Int) -> Bool {
        switch self {
        case .null, .bool, .number, .string: false
        case .array(let elements): limit == 0 || elements.contains { $0.isDeeper(than: limit - 1) }
        case .object(let members): limit == 0 || members.values.contains { $0.isDeeper(than: limit - 1) }
        }
    }
}
