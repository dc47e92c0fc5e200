/// A dictionary with least recently used order and a total cost.
///
/// Operations on a key take constant time: the dictionary maps to nodes of a doubly linked list, stored in
/// an array.
package struct LRUList<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Node {
        /// `nil` in the sentinel, which closes the list to a ring, and in free nodes.
        var content: (key: Key, value: Value, cost: Int)?
        var older: Int
        var newer: Int
    }

    private var places: [Key: Int] = [:]
    private var nodes = [Node(content: nil, older: 0, newer: 0)]
    private var free: [Int] = []

    package init() {}

    /// The total cost of all values, in 64 bits: `Int` has 32 on Apple Watch before Series 9.
    package private(set) var cost: Int64 = 0

    package var count: Int { places.count }
    package var keys: some Sequence<Key> { places.keys }

    /// Returns the value of a key and marks it as the most recently used.
    package mutating func use(_ key: Key) -> Value? {
        guard let place = places[key] else { return nil }
        if nodes[0].older != place {
            unlink(place)
            linkAsNewest(place)
        }
        return nodes[place].content?.value
    }

    /// Sets the value of a key and marks it as the most recently used.
    package mutating func insert(_ value: Value, cost: Int, for key: Key) {
        remove(key)
        let content = (key: key, value: value, cost: cost)
        let place: Int
        if let last = free.popLast() {
            place = last
            nodes[place].content = content
        } else {
            place = nodes.count
            nodes.append(Node(content: content, older: 0, newer: 0))
        }
        places[key] = place
        self.cost += Int64(cost)
        linkAsNewest(place)
    }

    /// Sets the value of a key at a cost of 1, and removes the least recently used one if there are more than a number.
    package mutating func insert(_ value: Value, for key: Key, atMost limit: Int) {
        insert(value, cost: 1, for: key)
        if count > limit { _ = removeOldest() }
    }

    package mutating func remove(_ key: Key) {
        guard let place = places.removeValue(forKey: key) else { return }
        cost -= Int64(nodes[place].content?.cost ?? 0)
        nodes[place].content = nil
        unlink(place)
        free.append(place)
    }

    /// Removes and returns the least recently used key.
    package mutating func removeOldest() -> Key? {
        // The sentinel's newer neighbor is the oldest node.
        guard let key = nodes[nodes[0].newer].content?.key else { return nil }
        remove(key)
        return key
    }

    /// Checks the list with `assert`, for tests: it takes as long as the list is.
    package func checkInvariants() {
        var (place, seen, sum) = (nodes[0].newer, 0, Int64(0))
        while place != 0, seen <= places.count {
            guard let content = nodes[place].content else { return assertionFailure("a free node is linked") }
            assert(places[content.key] == place, "a key leads to another node")
            assert(nodes[nodes[place].newer].older == place, "a link leads one way only")
            (seen, sum, place) = (seen + 1, sum + Int64(content.cost), nodes[place].newer)
        }
        assert(seen == places.count, "\(seen) nodes of \(places.count) keys are linked")
        assert(sum == cost, "the cost is \(cost), and the values cost \(sum)")
        assert(free.count + places.count + 1 == nodes.count, "a node is lost")
    }

    private mutating func unlink(_ place: Int) {
        let (older, newer) = (nodes[place].older, nodes[place].newer)
        nodes[older].newer = newer
        nodes[newer].older = older
    }

    private mutating func linkAsNewest(_ place: Int) {
        let newest = nodes[0].older
        (nodes[place].older, nodes[place].newer) = (newest, 0)
        nodes[newest].newer = place
        nodes[0].older = place
    }
}
