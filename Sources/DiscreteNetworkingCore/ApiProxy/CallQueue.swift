/// Limits the concurrent calls of services and endpoints, and orders the calls that wait.
///
/// No slot is released and no waiter is resumed under a lock.
final class CallQueue: ProxyState {
    /// What a call is limited by.
    struct Place: Sendable {
        let service: ServiceIdentifier
        let methodName: String
        /// The limit for all endpoints of the service; `nil` for none.
        let serviceLimit: Int?
        /// The limit for the endpoint; `nil` for none.
        let endpointLimit: Int?
        /// Whether the call goes to another origin than the service's, which has a limit of its own.
        var isForeign = false

        fileprivate var line: LineKey { LineKey(service: service, isForeign: isForeign) }
    }

    /// Permission to send a call, until the last owner releases it.
    final class Slot: Sendable {
        /// Identifies the slot in its queue.
        let id: Int
        /// The call's turn among the waiting calls; see ``CallQueue/enter(_:priority:turn:)``.
        let turn: Int
        private let place: Place
        private let queue: CallQueue

        fileprivate init(_ place: Place, id: Int, turn: Int, of queue: CallQueue) {
            (self.place, self.id, self.turn, self.queue) = (place, id, turn, queue)
        }

        deinit { queue.end(place) }
    }

    /// A call that waits.
    final class Waiter: QueueWaiter {
        let id: Int
        let turn: Int
        let place: Place
        let priority: CallPriority
        let promise = Promise<Slot?>()
        private let queue: CallQueue

        fileprivate init(
            _ place: Place, _ priority: CallPriority, id: Int, turn: Int, in queue: CallQueue
        ) {
            (self.place, self.priority, self.id, self.turn, self.queue) = (place, priority, id, turn, queue)
        }

        func leave() { queue.remove(self) }

        fileprivate var newSlot: Slot { Slot(place, id: id, turn: turn, of: queue) }
    }

    enum Entry {
        case slot(Slot)
        /// - ahead: The number of calls of the service with at least the same priority that wait.
        case waiting(Waiter, ahead: Int)
    }

    fileprivate struct LineKey: Hashable, Sendable {
        let service: ServiceIdentifier
        let isForeign: Bool
    }

    private struct State {
        var lines: [LineKey: CallLine] = [:]
        var lastID = 0
    }

    private let state = Locked(State())

    /// The number of calls that are sent or wait.
    var count: Int { state.withLock { $0.lines.values.reduce(0) { $0 + $1.count } } }

    /// The number of steps that the operations took, to test that they are few.
    var steps: Int { state.withLock { $0.lines.values.reduce(0) { $0 + $1.steps } } }

    /// Gives a call a slot, or a waiter if there is none.
    /// - Parameter turn: The turn of the call's last slot, if the call gave it back for a reason of the framework: the
    ///   call then keeps its place among the waiting calls. `nil` for the last place.
    func enter(_ place: Place, priority: CallPriority, turn: Int? = nil) -> Entry {
        let (id, waiting, next) = state.withLock {
            state -> (Int, (waiter: Waiter, ahead: Int)?, [Waiter]) in
            state.lastID += 1
            let id = state.lastID
            guard !state.lines[place.line, default: CallLine()].send(place) else { return (id, nil, []) }
            let waiter = Waiter(place, priority, id: id, turn: turn ?? id, in: self)
            let ahead = state.lines[place.line]?.count(from: priority) ?? 0
            return (id, (waiter, ahead), state.lines[place.line]?.add(waiter) ?? [])
        }
        guard let (waiter, ahead) = waiting else {
            return .slot(Slot(place, id: id, turn: turn ?? id, of: self))
        }
        for other in next where other !== waiter { other.promise.fulfil(other.newSlot) }
        return next.contains { $0 === waiter } ? .slot(waiter.newSlot) : .waiting(waiter, ahead: ahead)
    }

    private func end(_ place: Place) {
        let next = state.withLock { state in
            let next = state.lines[place.line]?.end(place) ?? []
            if state.lines[place.line]?.count == 0 { state.lines[place.line] = nil }
            return next
        }
        // A slot that nobody takes any more is released at once.
        for waiter in next { waiter.promise.fulfil(waiter.newSlot) }
    }

    private func remove(_ waiter: Waiter) {
        state.withLock { $0.lines[waiter.place.line]?.remove(waiter) }
    }

    /// Checks all of it, for tests.
    func checkAll() {
        state.withLock { state in for line in state.lines.values { line.checkAll() } }
    }
}
