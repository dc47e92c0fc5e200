import XCTest

@testable import DiscreteNetworkingCore

/// A queue against a model of its rules, with random operations.
final class CallQueueModelTests: XCTestCase {
    /// The rules, written down as they are documented: slow, and without any structure but a list.
    private struct Model {
        struct Call {
            let number: Int
            let turn: Int
            let place: CallQueue.Place
            let priority: CallPriority
        }

        var sent: [Call] = []
        var waiting: [Call] = [] {
            didSet { if waiting.isEmpty { overtakings = 0 } }
        }
        var serviceLimit: Int?
        var endpointLimits: [String: Int] = [:]
        var overtakings = 0

        func maySend(_ call: Call) -> Bool {
            if let serviceLimit, sent.count >= max(1, serviceLimit) { return false }
            guard call.place.endpointLimit != nil, let limit = endpointLimits[call.place.methodName] else {
                return true
            }
            let running = sent.filter {
                $0.place.endpointLimit != nil && $0.place.methodName == call.place.methodName
            }
            return running.count < max(1, limit)
        }

        mutating func enter(_ call: Call) {
            serviceLimit = call.place.serviceLimit
            if let limit = call.place.endpointLimit { endpointLimits[call.place.methodName] = limit }
            let passesNobody = !waiting.contains(where: maySend)
            if passesNobody, maySend(call) {
                sent.append(call)
            } else {
                waiting.append(call)
                sendNext()
            }
        }

        mutating func sendNext() {
            while true {
                let ready = waiting.filter(maySend)
                let byAge = ready.sorted { ($0.turn, $0.number) < ($1.turn, $1.number) }
                // Stable: calls of equal priority stay in the order of their age.
                guard let oldest = byAge.first,
                    let best = byAge.first(where: { $0.priority == ready.map(\.priority).max() })
                else { return }
                var next = best
                if best.number == oldest.number {
                    overtakings = 0
                } else if overtakings == 8 {
                    next = oldest
                    overtakings = 0
                } else {
                    overtakings += 1
                }
                waiting.removeAll { $0.number == next.number }
                sent.append(next)
            }
        }
    }

    private enum Held {
        case slot(CallQueue.Slot)
        case waiter(CallQueue.Waiter)

        var isSent: Bool {
            switch self {
            case .slot: true
            case .waiter(let waiter): waiter.isServed
            }
        }
    }

    func testAQueueDoesAsItsModel() throws {
        for seed in 1...UInt64(FullLength.rounds(20, of: 60)) { try run(seed) }
    }

    private func run(_ seed: UInt64) throws {
        var random = JSONRandom(seed: seed)
        let queue = CallQueue()
        var model = Model()
        var held: [Int: Held] = [:]
        var turns: [Int] = []
        // The limits stay for some seeds, and change for the others.
        let changes = seed % 3 == 0
        for number in 1...400 {
            switch random.below(10) {
            case 0...4:
                let name = ["a", "b", "c"][random.below(3)]
                let limits: (Int?, Int?) =
                    changes
                    ? ([nil, 0, 1, 2, 3, 5][random.below(6)], [nil, 1, 2, 4][random.below(4)])
                    : (3, ["a": nil, "b": 1, "c": 2][name] ?? nil)
                let place = CallQueue.Place(
                    service: .test, methodName: name, serviceLimit: limits.0, endpointLimit: limits.1)
                let priority = CallPriority(rawValue: random.below(5))
                let turn = random.below(4) == 0 ? turns.randomElement(using: &random) : nil
                switch queue.enter(place, priority: priority, turn: turn) {
                case .slot(let slot): held[number] = .slot(slot)
                case .waiting(let waiter, let ahead):
                    held[number] = .waiter(waiter)
                    XCTAssertEqual(ahead, model.waiting.filter { $0.priority >= priority }.count)
                }
                // The turns of a queue are its own; only their order counts.
                let own: Int
                switch held[number] {
                case .slot(let slot): own = slot.turn
                case .waiter(let waiter): own = waiter.turn
                case nil: throw CallQueueOrderTests.Unexpected(text: "unreachable")
                }
                turns.append(own)
                model.enter(.init(number: number, turn: own, place: place, priority: priority))
            case 5...7:
                guard let call = model.sent.randomElement(using: &random) else { continue }
                model.sent.removeAll { $0.number == call.number }
                model.sendNext()
                end(call.number, &held)
            default:
                guard let call = model.waiting.randomElement(using: &random) else { continue }
                model.waiting.removeAll { $0.number == call.number }
                guard case .waiter(let waiter)? = held.removeValue(forKey: call.number) else {
                    return XCTFail("\(seed): \(call.number) has a slot")
                }
                waiter.cancel()
            }
            queue.checkAll()
            XCTAssertEqual(queue.count, model.sent.count + model.waiting.count, "\(seed), step \(number)")
            let sent = Set(held.filter { $0.value.isSent }.keys)
            XCTAssertEqual(sent, Set(model.sent.map(\.number)), "seed \(seed), step \(number)")
            guard sent == Set(model.sent.map(\.number)) else { return }
        }
        for (_, entry) in held { if case .waiter(let waiter) = entry, !waiter.isServed { waiter.cancel() } }
        held = [:]
        XCTAssertEqual(queue.count, 0, "seed \(seed)")
    }

    /// Releases the slot of a call, which may have waited for it.
    private func end(_ number: Int, _ held: inout [Int: Held]) {
        if case .waiter(let waiter)? = held[number] { _ = waiter.take() }
        held[number] = nil
    }

    /// The operations of many tasks at once: every slot comes back.
    func testNoSlotIsLostWhenCallsAreCanceledWhileSlotsAreReleased() async {
        let queue = CallQueue()
        let running = Locked((now: 0, most: 0))
        for seed in 1...20 as ClosedRange<UInt64> {
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<200 {
                    let task = Task {
                        let place = CallQueue.Place(
                            service: .test, methodName: "a\(number % 3)", serviceLimit: 3,
                            endpointLimit: number % 3 == 0 ? 1 : nil)
                        let priority = CallPriority(rawValue: number % 4)
                        var slot: CallQueue.Slot?
                        switch queue.enter(place, priority: priority) {
                        case .slot(let first): slot = first
                        case .waiting(let waiter, _): slot = await waiter.pass
                        }
                        guard slot != nil else { return }
                        running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                        await Task.yield()
                        running.withLock { $0.now -= 1 }
                        slot = nil
                    }
                    var random = JSONRandom(seed: seed &* 1000 &+ UInt64(number))
                    let pause = random.below(6)
                    group.addTask {
                        for _ in 0..<pause { await Task.yield() }
                        if pause % 2 == 0 { task.cancel() }
                        await task.value
                    }
                }
            }
            XCTAssertEqual(queue.count, 0)
        }
        XCTAssertLessThanOrEqual(running.current.most, 3)
    }
}
