/// A priority queue that can move and remove its elements: a binary heap that knows the place of each element.
///
/// All operations take at most logarithmic time.
struct IndexedHeap<ID: Hashable & Sendable, Order: Comparable & Sendable>: Sendable {
    private typealias Item = (id: ID, order: Order)

    private var items: [Item] = []
    private var places: [ID: Int] = [:]

    var count: Int { items.count }

    /// The element with the least order.
    var first: (id: ID, order: Order)? { items.first }

    /// Inserts an element, or moves it.
    /// - Returns: The number of elements that were moved.
    @discardableResult
    mutating func set(_ order: Order, for id: ID) -> Int {
        guard let place = places[id] else {
            items.append((id, order))
            return moveUp(from: items.count - 1)
        }
        guard items[place].order != order else { return 0 }
        items[place].order = order
        return settle(at: place)
    }

    /// Removes an element. Has no effect if there is none.
    /// - Returns: The number of elements that were moved.
    @discardableResult
    mutating func remove(_ id: ID) -> Int {
        guard let place = places.removeValue(forKey: id) else { return 0 }
        let last = items.removeLast()
        guard place < items.count else { return 0 }
        items[place] = last
        return settle(at: place)
    }

    private mutating func settle(at place: Int) -> Int {
        if place > 0, items[place].order < items[(place - 1) / 2].order { return moveUp(from: place) }
        return moveDown(from: place)
    }

    private mutating func moveUp(from start: Int) -> Int {
        let item = items[start]
        var place = start
        var moves = 1
        while place > 0, item.order < items[(place - 1) / 2].order {
            put(items[(place - 1) / 2], at: place)
            place = (place - 1) / 2
            moves += 1
        }
        put(item, at: place)
        return moves
    }

    private mutating func moveDown(from start: Int) -> Int {
        let item = items[start]
        var place = start
        var moves = 1
        while true {
            var child = 2 * place + 1
            guard child < items.count else { break }
            if child + 1 < items.count, items[child + 1].order < items[child].order { child += 1 }
            guard items[child].order < item.order else { break }
            put(items[child], at: place)
            place = child
            moves += 1
        }
        put(item, at: place)
        return moves
    }

    private mutating func put(_ item: Item, at place: Int) {
        items[place] = item
        places[item.id] = place
    }

    /// Checks every element; in linear time.
    func checkInvariants() {
        precondition(items.count == places.count)
        for (place, item) in items.enumerated() {
            precondition(places[item.id] == place)
            precondition(place == 0 || !(item.order < items[(place - 1) / 2].order))
        }
    }
}
