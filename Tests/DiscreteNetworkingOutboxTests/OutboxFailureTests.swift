import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingOutbox

/// Calls that fail: which of them are sent again, and when.
@MainActor
final class OutboxFailureTests: XCTestCase {
    func testATransientFailureIsSentAgainWithTheSameKey() async throws {
        let transport = ScriptedTransport { _, number in
            switch number {
            case 1: .init(status: 503, headers: ["Retry-After": "100"])
            case 2: .init(error: TransportError(.connectionLost, message: "lost"))
            default: .init()
            }
        }
        let desk = try Desk(self, transport)
        let outbox = try desk.start()
        try await outbox.send(MessageManager.self, with: ["room": 1])
        try await outbox.drain()
        XCTAssertEqual(
            outbox.states, [.waiting(.retry(at: desk.clock.now.addingTimeInterval(100)))])
        XCTAssertEqual(outbox.entries[0].attempts, 1)
        desk.clock.advance(by: 99)
        outbox.wake()
        XCTAssertEqual(transport.requests.count, 1)
        desk.clock.advance(by: 1)
        outbox.wake()
        await outbox.wait { outbox.entries.first?.attempts == 2 }
        desk.clock.advance(by: 16)
        outbox.wake()
        await outbox.wait { outbox.entries.isEmpty }
        XCTAssertEqual(Set(transport.keys).count, 1)
        XCTAssertEqual(transport.keys.count, 3)
    }

    func testTheTimerSendsAgain() async throws {
        let transport = ScriptedTransport { _, number in .init(status: number < 3 ? 503 : 200) }
        let desk = try Desk(self, transport)
        let outbox = try desk.start()
        try await outbox.send(MessageManager.self)
        for attempts in 1...2 {
            await outbox.wait { outbox.entries.first?.attempts == attempts }
            await desk.clock.waitForSleepers(1)
            desk.clock.advance(by: 16)
        }
        await outbox.wait { outbox.entries.isEmpty }
        XCTAssertEqual(transport.requests.count, 3)
    }

    func testAPermanentFailureIsADeadLetterThatDoesNotHoldUpItsLane() async throws {
        let transport = ScriptedTransport { request, _ in
            .init(status: request.text("text") == "bad" ? 422 : 200)
        }
        let desk = try Desk(self, transport)
        let outbox = try desk.start()
        let bad = try await outbox.send(MessageManager.self, with: ["room": 1, "text": "bad"])
        try await outbox.send(MessageManager.self, with: ["room": 1, "text": "good"])
        try await outbox.drain()
        XCTAssertEqual(transport.texts, ["bad", "good"])
        guard case .dead(let failure)? = outbox.states.first else { return XCTFail("not dead") }
        XCTAssertEqual(failure.reason, .rejected)
        XCTAssertEqual(failure.status, 422)
        XCTAssertTrue(failure.message.contains("chat/messages"), failure.message)

        // It is dead in the next start as well.
        let next = try await desk.restart(after: outbox)
        XCTAssertEqual(next.states, [.dead(failure)])
        XCTAssertEqual(transport.requests.count, 2)

        try await next.retry(bad.id, with: ["room": 1, "text": "better"])
        try await next.drain()
        XCTAssertEqual(transport.texts, ["bad", "good", "better"])
        XCTAssertNotEqual(transport.keys[0], transport.keys[2], "other params need another key")
        XCTAssertEqual(next.entries, [])
        XCTAssertEqual(desk.files, [])
    }

    func testADeadLetterCanBeDiscarded() async throws {
        let transport = ScriptedTransport { _, _ in .init(status: 400) }
        let desk = try Desk(self, transport)
        let outbox = try desk.start()
        let entry = try await outbox.send(MessageManager.self)
        try await outbox.drain()
        try await outbox.discard(entry.id)
        XCTAssertEqual(outbox.entries, [])
        XCTAssertEqual(desk.files, [])
        await assertThrows(.notChangeable(entry.id)) { try await outbox.discard(entry.id) }
    }

    func testAttemptsAndAgeAreLimited() async throws {
        let transport = ScriptedTransport { _, _ in .init(status: 503) }
        let desk = try Desk(self, transport)
        desk.policy = OutboxPolicy(attempts: 3, age: 1000, base: 8, checkInterval: 0)
        let outbox = try desk.start()
        try await outbox.send(MessageManager.self, with: ["room": 1])
        for _ in 1...5 {
            try await outbox.drain()
            desk.clock.advance(by: 100)
            outbox.wake()
        }
        try await outbox.drain()
        XCTAssertEqual(transport.requests.count, 3)
        XCTAssertEqual(outbox.failures, [.attempts])
        desk.network.set(false)
        try await outbox.send(MessageManager.self, with: ["room": 2])
        try await outbox.drain()
        desk.clock.advance(by: 1001)
        outbox.wake()
        await outbox.wait { outbox.failures.count == 2 }
        XCTAssertEqual(outbox.failures, [.attempts, .age])
        XCTAssertEqual(transport.requests.count, 3)
    }

    func testAConflictIsWaitedForOnlyAfterAnEarlierRequest() async throws {
        for (first, state) in [(503, true), (409, false)] {
            let transport = ScriptedTransport { _, number in
                .init(status: number == 1 ? first : number == 2 ? 409 : 200)
            }
            let desk = try Desk(self, transport)
            let outbox = try desk.start()
            try await outbox.send(MessageManager.self)
            for _ in 1...3 {
                try await outbox.drain()
                desk.clock.advance(by: 100)
                outbox.wake()
            }
            try await outbox.drain()
            XCTAssertEqual(outbox.entries.isEmpty, state, "\(first)")
            XCTAssertEqual(transport.requests.count, state ? 3 : 1)
        }
    }

    func testWithoutANetworkNothingCountsAndANetworkSendsAtOnce() async throws {
        let transport = ScriptedTransport()
        let desk = try Desk(self, transport)
        desk.policy = OutboxPolicy(attempts: 2, base: 1000, checkInterval: 0)
        desk.network.set(false)
        let outbox = try desk.start()
        try await outbox.send(MessageManager.self)
        for _ in 1...5 {
            try await outbox.drain()
            desk.clock.advance(by: 1001)
            outbox.wake()
        }
        try await outbox.drain()
        XCTAssertEqual(outbox.entries.first?.attempts, 0)
        XCTAssertEqual(transport.requests.count, 0)
        desk.network.set(true)
        await outbox.wait { outbox.entries.isEmpty }
        XCTAssertEqual(transport.requests.count, 1)
    }

    // MARK: Attempts within a call

    /// An endpoint that the pipeline itself calls again.
    private final class PutManager: APIManager<NoContent> {
        let serviceIdentifier = ServiceIdentifier.chat
        let methodName = "pin"
        let requestType = HTTPMethod.put
        override var retryPolicy: RetryPolicy? { RetryPolicy(attempts: 2, base: 0) }
    }

    /// The first response is lost. The second attempt of the same call meets what the first has left.
    private func verdict(on second: ScriptedTransport.Answer) async throws -> OutboxQueue.Item {
        let transport = ScriptedTransport { _, number in
            switch number {
            case 1: .init(error: TransportError(.connectionLost, message: "It closed."))
            default: second
            }
        }
        let desk = try Desk(self, transport)
        let outbox = try desk.start([OutboxManager("put", PutManager.self) { _ in PutManager() }])
        let entry = try await outbox.send(PutManager.self)
        await outbox.wait { outbox.states.contains { $0 != .sending && $0 != .waiting(.turn) } }
        XCTAssertEqual(transport.requests.count, 2)
        return try XCTUnwrap(outbox.queue.items[entry.id])
    }

    func testAConflictWithAnEarlierAttemptOfTheSameCallWaits() async throws {
        let item = try await verdict(on: .init(status: 409))
        XCTAssertEqual(item.phase, .waiting)
        XCTAssertTrue(item.maybeSent)
    }

    func testAnAttemptWithoutANetworkDoesNotHideAnEarlierOne() async throws {
        let lacking = TransportError(.notConnectedToInternet, message: "There is none.")
        let item = try await verdict(on: .init(error: lacking))
        XCTAssertTrue(item.lacksNetwork)
        XCTAssertTrue(item.maybeSent)
    }

    func testARejectedTokenDoesNotHideAnEarlierAttempt() async throws {
        let item = try await verdict(on: .init(status: 401))
        XCTAssertEqual(item.phase, .blocked(.user))
        XCTAssertTrue(item.maybeSent)
    }

    func testARefusedFirstAttemptHasNotBeenDone() async throws {
        let desk = try Desk(self, ScriptedTransport { _, _ in .init(status: 409) })
        let outbox = try desk.start()
        let entry = try await outbox.send(MessageManager.self)
        try await outbox.drain()
        XCTAssertEqual(outbox.failures, [.rejected])
        XCTAssertEqual(outbox.queue.items[entry.id]?.maybeSent, false)
    }
}
