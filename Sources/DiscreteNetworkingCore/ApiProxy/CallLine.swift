/// The calls of one service that are sent or wait: who is next.
///
/// Each operation takes logarithmic time, also if thousands of calls wait for an endpoint that is full: the calls that
/// wait are in a lane for each endpoint with a limit, and only lanes that are not full are considered.
package struct CallLine: Sendable {
    typealias Place = CallQueue.Place
    typealias Waiter = CallQueue.Waiter

    /// How many calls in a row may be sent before the call that waits longest.
    package static let overtakingLimit = 8

    private struct Capacity {
        var running = 0
        /// `nil` for no limit. A limit below 1 counts as 1; otherwise nothing would ever be sent.
        var limit: Int?

        var isFull: Bool { limit.map { running >= max($0, 1) } ?? false }
    }

    /// The calls of an endpoint, or those without a limit of their endpoint.
    private struct Lane {
        var capacity = Capacity()
        var byRank = IndexedHeap<Int, Rank>()
        var byAge = IndexedHeap<Int, Age>()
    }

    /// By age, the call that began to wait first is first.
    private struct Age: Comparable {
        let turn: Int
        let id: Int

        init(_ waiter: Waiter) { (turn, id) = (waiter.turn, waiter.id) }

        static func < (left: Age, right: Age) -> Bool { (left.turn, left.id) < (right.turn, right.id) }
    }

    /// By rank, a call of the highest priority is first, and among these the oldest.
    private struct Rank: Comparable {
        let priority: CallPriority
        let age: Age

        init(_ waiter: Waiter) { (priority, age) = (waiter.priority, Age(waiter)) }

        static func < (left: Rank, right: Rank) -> Bool {
            left.priority == right.priority ? left.age < right.age : left.priority > right.priority
        }
    }

    /// Of all calls of the service that were sent.
    private var service = Capacity()
    /// By method name; `nil` for the calls without a limit of their endpoint.
    private var lanes: [String?: Lane] = [:]
    private var waiters: [Int: Waiter] = [:]
    private var countByPriority: [CallPriority: Int] = [:]
    /// The first call of each lane that is not full.
    private var byRank = IndexedHeap<String?, Rank>()
    private var byAge = IndexedHeap<String?, Age>()
    /// The number of calls that were sent in a row before the one that waits longest.
    private var overtakings = 0
    /// The number of steps that the operations took, to test that they are few.
    private(set) var steps = 0

    /// The number of calls that are sent or wait.
    var count: Int { service.running + waiters.count }

    /// Sends a call, if none that waits could be sent instead.
    /// - Returns: `false` if the call has to wait.
    mutating func send(_ place: Place) -> Bool {
        setLimits(of: place)
        guard byRank.count == 0, !service.isFull, lanes[place.lane]?.capacity.isFull != true else {
            return false
        }
        begin(place)
        checkInvariants()
        return true
    }

    /// Adds a call that waits.
    /// - Returns: The calls that are sent now, because the limits have changed.
    mutating func add(_ waiter: Waiter) -> [Waiter] {
        waiters[waiter.id] = waiter
        countByPriority[waiter.priority, default: 0] += 1
        let lane = waiter.place.lane
        steps += lanes[lane, default: Lane()].byRank.set(Rank(waiter), for: waiter.id)
        steps += lanes[lane, default: Lane()].byAge.set(Age(waiter), for: waiter.id)
        update(lane)
        return next()
    }

    /// Removes a call that waits. Has no effect if it does not.
    mutating func remove(_ waiter: Waiter) {
        take(waiter)
        checkInvariants()
    }

    private mutating func take(_ waiter: Waiter) {
        guard waiters.removeValue(forKey: waiter.id) != nil else { return }
        let lane = waiter.place.lane
        if waiters.isEmpty { overtakings = 0 }
        let count = countByPriority[waiter.priority, default: 1] - 1
        countByPriority[waiter.priority] = count > 0 ? count : nil
        steps += lanes[lane]?.byRank.remove(waiter.id) ?? 0
        steps += lanes[lane]?.byAge.remove(waiter.id) ?? 0
        update(lane)
    }

    /// Ends a call that was sent.
    /// - Returns: The calls that are sent now.
    mutating func end(_ place: Place) -> [Waiter] {
        service.running -= 1
        lanes[place.lane]?.capacity.running -= 1
        update(place.lane)
        return next()
    }

    /// The number of waiting calls of at least a priority. Takes as many steps as there are priorities.
    mutating func count(from priority: CallPriority) -> Int {
        steps += countByPriority.count
        return countByPriority.reduce(0) { $1.key >= priority ? $0 + $1.value : $0 }
    }

    // MARK: Steps

    /// Removes the calls that may be sent now: by rank, but every so often the one that waits longest.
    private mutating func next() -> [Waiter] {
        var next: [Waiter] = []
        while !service.isFull, let best = byRank.first, let oldest = byAge.first {
            let isOvertaken = best.order.age.id != oldest.order.id
            let takesOldest = isOvertaken && overtakings >= Self.overtakingLimit
            overtakings = isOvertaken && !takesOldest ? overtakings + 1 : 0
            guard let waiter = waiters[takesOldest ? oldest.order.id : best.order.age.id] else { break }
            take(waiter)
            begin(waiter.place)
            next.append(waiter)
        }
        checkInvariants()
        return next
    }

    private mutating func begin(_ place: Place) {
        steps += 1
        service.running += 1
        lanes[place.lane, default: Lane()].capacity.running += 1
        update(place.lane)
    }

    /// Sets the limits. The limits of the latest call apply to all calls.
    private mutating func setLimits(of place: Place) {
        service.limit = place.serviceLimit
        guard let limit = place.endpointLimit, lanes[place.lane]?.capacity.limit != limit else { return }
        lanes[place.lane, default: Lane()].capacity.limit = limit
        update(place.lane)
    }

    /// Adds a lane to the lanes that can send a call, or removes it from them.
    private mutating func update(_ name: String?) {
        guard let lane = lanes[name], !lane.capacity.isFull, let best = lane.byRank.first,
            let oldest = lane.byAge.first
        else {
            steps += byRank.remove(name) + byAge.remove(name)
            if let lane = lanes[name], lane.capacity.running == 0, lane.byRank.count == 0 {
                lanes[name] = nil
            }
            return
        }
        steps += byRank.set(best.order, for: name) + byAge.set(oldest.order, for: name)
    }

    // MARK: Invariants

    /// Checks in debug builds, after each change, that no call waits that could be sent.
    private func checkInvariants() {
        assert(service.running >= 0)
        assert(byRank.count == byAge.count)
        assert(service.isFull || byRank.count == 0, "A call waits that could be sent.")
    }

    /// Checks all of it, for tests.
    func checkAll() {
        checkInvariants()
        precondition(lanes.values.reduce(0) { $0 + $1.capacity.running } == service.running)
        precondition(lanes.values.reduce(0) { $0 + $1.byRank.count } == waiters.count)
        precondition(countByPriority.values.reduce(0, +) == waiters.count)
        byRank.checkInvariants()
        byAge.checkInvariants()
        for (name, lane) in lanes {
            precondition(lane.capacity.running >= 0)
            precondition(lane.capacity.running > 0 || lane.byRank.count > 0)
            precondition(lane.byRank.count == lane.byAge.count)
            lane.byRank.checkInvariants()
            lane.byAge.checkInvariants()
            precondition(name != nil || lane.capacity.limit == nil)
        }
    }
}

extension CallQueue.Place {
    /// The calls without a limit of their endpoint are in one lane.
    fileprivate var lane: String? { endpointLimit == nil ? nil : methodName }
}
