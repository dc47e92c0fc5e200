import XCTest

@testable import DiscreteNetworkingCore

/// The order of a queue, without calls.
final class CallQueueOrderTests: XCTestCase {
    typealias Place = CallQueue.Place
    typealias Slot = CallQueue.Slot
    typealias Waiter = CallQueue.Waiter

    struct Unexpected: Error { let text: String }

    func place(_ name: String = "a", limit: Int? = 1, endpoint: Int? = nil) -> Place {
        Place(service: .test, methodName: name, serviceLimit: limit, endpointLimit: endpoint)
    }

    func slot(_ entry: CallQueue.Entry) throws -> Slot {
        guard case .slot(let slot) = entry else { throw Unexpected(text: "There is no slot.") }
        return slot
    }

    func waiter(_ entry: CallQueue.Entry) throws -> Waiter {
        guard case .waiting(let waiter, _) = entry else { throw Unexpected(text: "There is a slot.") }
        return waiter
    }

    /// Takes the slot of the call that has one.
    func take(from waiters: [Waiter]) -> Slot? {
        for waiter in waiters { if let slot = waiter.take() { return slot } }
        return nil
    }

    // MARK: Aging

    /// Each call that ends is followed by another one of high priority.
    func testAnEndlessFlowOfHighPriorityCallsDoesNotStarveANormalOne() throws {
        let queue = CallQueue()
        var slot: Slot? = try slot(queue.enter(place(), priority: .high))
        let normal = try waiter(queue.enter(place(), priority: .normal))
        for number in 1...1000 {
            let high = try waiter(queue.enter(place(), priority: .high))
            slot = nil
            if normal.isServed {
                XCTAssertEqual(number, CallLine.overtakingLimit + 1)
                return
            }
            XCTAssertTrue(high.isServed)
            slot = high.take()
        }
        withExtendedLifetime(slot) {}
        XCTFail("The normal call waits after 1000 others.")
    }

    /// A user who taps during a long prefetch does not wait for all of it.
    func testAgingLetsOneOfManyOldCallsGoAtATime() throws {
        let queue = CallQueue()
        var slot: Slot? = try slot(queue.enter(place(), priority: .high))
        let old = try (1...100).map { _ in try waiter(queue.enter(place(), priority: .low)) }
        var sent = ""
        for _ in 1...27 {
            let high = try waiter(queue.enter(place(), priority: .high))
            slot = nil
            sent += high.isServed ? "h" : "l"
            if high.isServed { slot = high.take() } else { slot = take(from: old) }
            high.cancel()
        }
        withExtendedLifetime(slot) {}
        XCTAssertEqual(sent, String(repeating: "hhhhhhhhl", count: 3))
    }

    // MARK: Limits that change

    func testARaisedLimitAppliesToCallsThatWait() throws {
        let queue = CallQueue()
        let first = try slot(queue.enter(place(limit: 1), priority: .normal))
        let waiting = try (1...3).map { _ in try waiter(queue.enter(place(limit: 1), priority: .normal)) }
        let last = try waiter(queue.enter(place(limit: 3), priority: .normal))
        XCTAssertEqual(waiting.map(\.isServed), [true, true, false])
        XCTAssertFalse(last.isServed)
        let high = try slot(queue.enter(place(limit: 4), priority: .high))
        withExtendedLifetime((first, high)) {}
    }

    func testALoweredLimitAppliesToCallsThatWait() throws {
        let queue = CallQueue()
        var slots = try (1...3).map { _ in try slot(queue.enter(place(limit: 3), priority: .normal)) }
        let waiting = try (1...2).map { _ in try waiter(queue.enter(place(limit: 3), priority: .normal)) }
        let last = try waiter(queue.enter(place(limit: 1), priority: .normal))
        slots.removeLast(2)
        XCTAssertEqual(waiting.map(\.isServed), [false, false])
        slots.removeLast()
        XCTAssertEqual(waiting.map(\.isServed), [true, false])
        XCTAssertFalse(last.isServed)
    }

    /// Only managers with a limit are limited, and counted.
    func testCallsWithoutALimitOfTheirEndpointDoNotCountForIt() throws {
        let queue = CallQueue()
        let reading = try slot(queue.enter(place(limit: nil), priority: .normal))
        let writing = try slot(queue.enter(place(limit: nil, endpoint: 1), priority: .normal))
        let next = try waiter(queue.enter(place(limit: nil, endpoint: 1), priority: .normal))
        let other = try slot(queue.enter(place(limit: nil), priority: .normal))
        XCTAssertFalse(next.isServed)
        withExtendedLifetime((reading, writing, other)) {}
    }

    /// Calls to another origin have none of the service's configuration.
    func testCallsToAnotherOriginDoNotCountForTheService() throws {
        let queue = CallQueue()
        var foreign = place(limit: nil, endpoint: 1)
        foreign.isForeign = true
        let first = try slot(queue.enter(foreign, priority: .normal))
        let own = try slot(queue.enter(place(limit: 1), priority: .normal))
        let waiting = try waiter(queue.enter(place(limit: 1), priority: .normal))
        let second = try waiter(queue.enter(foreign, priority: .normal))
        XCTAssertEqual([waiting.isServed, second.isServed], [false, false])
        withExtendedLifetime((first, own)) {}
    }

    // MARK: Cost

    /// The steps of calls that queue, of which some are canceled and the others are sent, behind a full endpoint.
    private func steps(_ count: Int) throws -> Int {
        let queue = CallQueue()
        let full = try slot(queue.enter(place("full", limit: 2, endpoint: 1), priority: .normal))
        var slot: Slot? = try slot(queue.enter(place("b", limit: 2), priority: .normal))
        let stuck = try (0..<count).map { _ in
            try waiter(queue.enter(place("full", limit: 2, endpoint: 1), priority: .high))
        }
        let waiting = try (0..<count).map { number in
            let endpoint = number % 4 == 0 ? 1 : nil
            let priority = [CallPriority.low, .normal, .high][number % 3]
            return try waiter(
                queue.enter(place("b\(number)", limit: 2, endpoint: endpoint), priority: priority))
        }
        for waiter in waiting.enumerated().filter({ $0.offset % 2 == 0 }).map(\.element) { waiter.cancel() }
        for _ in 0..<count / 2 {
            slot = nil
            slot = try XCTUnwrap(take(from: waiting))
        }
        for waiter in stuck.reversed() { waiter.cancel() }
        XCTAssertEqual(queue.count, 2)
        queue.checkAll()
        withExtendedLifetime((full, slot)) {}
        return queue.steps
    }

    /// Four times as many calls take four times as many steps, and a little more for the logarithm.
    func testTheStepsOfACallDoNotGrowWithTheNumberOfCallsThatWait() throws {
        let (few, many) = (try steps(500), try steps(2000))
        XCTAssertLessThan(Double(many) / Double(few), 4 * 1.5)
        XCTAssertLessThan(many / 2000, 200)
    }
}

extension CallQueue.Waiter {
    /// Whether the call has its slot, or had it.
    var isServed: Bool {
        promise.state.withLock { state in
            switch state {
            case .fulfilled(let slot): slot != nil
            case .open, .awaited: false
            case .delivered: true
            }
        }
    }

    /// Takes the slot, as the task of a call that waits does.
    func take() -> CallQueue.Slot? {
        promise.state.withLock { state in
            guard case .fulfilled(let slot) = state else { return nil }
            state = .delivered
            return slot
        }
    }
}
