/// Limits the concurrent calls of services and endpoints, and orders those that wait.
final class CallQueue: Sendable {
    /// What a call is limited by.
    struct Place: Sendable {
        let service: ServiceIdentifier
        let methodName: String
        /// The limit for all endpoints of the service; `nil` for none.
        let serviceLimit: Int?
        /// The limit for the endpoint; `nil` for none.
        let endpointLimit: Int?
    }

    /// Permission to send a call, held until it is released.
    final class Slot: Sendable {
        private let place: Place
        private let queue: Locked<CallQueue?>

        fileprivate init(_ place: Place, of queue: CallQueue) {
            self.place = place
            self.queue = Locked(queue)
        }

        deinit { release() }

        /// Lets the next call be sent. Has no effect the second time.
        func release() {
            let queue = queue.withLock { queue in
                defer { queue = nil }
                return queue
            }
            queue?.leave(place)
        }
    }

    /// A call that waits.
    final class Waiter: Sendable {
        fileprivate let place: Place
        fileprivate let priority: CallPriority
        fileprivate let promise = Promise<Slot?>()
        private let queue: CallQueue

        fileprivate init(_ place: Place, _ priority: CallPriority, in queue: CallQueue) {
            self.place = place
            self.priority = priority
            self.queue = queue
        }

        /// The slot, as soon as there is one; `nil` if the task is canceled before.
        var slot: Slot? {
            get async {
                await withTaskCancellationHandler {
                    await promise.value
                } onCancel: {
                    queue.remove(self)
                    promise.fulfil(nil)
                }
            }
        }
    }

    enum Entry {
        case slot(Slot)
        /// - ahead: The number of calls of the service that wait before it.
        case waiting(Waiter, ahead: Int)
    }

    /// The calls of one service.
    private struct Line {
        var running = 0
        var runningByMethod: [String: Int] = [:]
        /// By priority, then in the order of arrival.
        var waiting: [Waiter] = []

        /// A limit below 1 counts as 1; otherwise nothing would ever be sent.
        func isFull(_ place: Place) -> Bool { place.serviceLimit.map { running >= max($0, 1) } ?? false }

        func admits(_ place: Place) -> Bool {
            let isFull = place.endpointLimit.map {
                runningByMethod[place.methodName, default: 0] >= max($0, 1)
            }
            return !self.isFull(place) && isFull != true
        }

        mutating func add(_ place: Place) {
            running += 1
            runningByMethod[place.methodName, default: 0] += 1
        }

        mutating func remove(_ place: Place) {
            running -= 1
            let left = runningByMethod[place.methodName, default: 1] - 1
            runningByMethod[place.methodName] = left > 0 ? left : nil
        }

        /// Removes the calls that may be sent now.
        mutating func next() -> [Waiter] {
            var next: [Waiter] = []
            var index = 0
            while index < waiting.count {
                let waiter = waiting[index]
                if isFull(waiter.place) { break }
                guard admits(waiter.place) else {
                    index += 1
                    continue
                }
                waiting.remove(at: index)
                add(waiter.place)
                next.append(waiter)
            }
            return next
        }
    }

    private let lines = Locked<[ServiceIdentifier: Line]>([:])

    /// Whether calls that start in this task are not limited, because a limited call waits for them.
    @TaskLocal static var isExempt = false

    /// The number of calls that are sent or wait.
    var count: Int { lines.withLock { $0.values.reduce(0) { $0 + $1.running + $1.waiting.count } } }

    /// Gives a call a slot, or a waiter if there is none.
    func enter(_ place: Place, priority: CallPriority) -> Entry {
        lines.withLock { lines in
            var line = lines[place.service] ?? Line()
            defer { lines[place.service] = line }
            // Every waiting call that could be sent has been, so that this one passes none.
            if line.admits(place) {
                line.add(place)
                return .slot(Slot(place, of: self))
            }
            let waiter = Waiter(place, priority, in: self)
            let index = line.waiting.firstIndex { $0.priority < priority } ?? line.waiting.count
            line.waiting.insert(waiter, at: index)
            return .waiting(waiter, ahead: index)
        }
    }

    private func leave(_ place: Place) {
        let next = lines.withLock { lines -> [Waiter] in
            guard var line = lines[place.service] else { return [] }
            line.remove(place)
            let next = line.next()
            lines[place.service] = line.running > 0 || !line.waiting.isEmpty ? line : nil
            return next
        }
        // Outside the lock: a slot that nobody takes is released at once.
        for waiter in next { waiter.promise.fulfil(Slot(waiter.place, of: self)) }
    }

    private func remove(_ waiter: Waiter) {
        lines.withLock { lines in lines[waiter.place.service]?.waiting.removeAll { $0 === waiter } }
    }
}
