import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworking
@testable import DiscreteNetworkingOutbox

/// Calls that are taken, sent, delayed and buried.
@MainActor
final class OutboxTests: XCTestCase {
    // MARK: Taking

    func testAnEntryIsOnTheDiskWhenSendReturns() async throws {
        let gate = Gate()
        let transport = ScriptedTransport { _, _ in
            await gate.pass()
            return .init()
        }
        let desk = try Desk(self, transport)
        let outbox = try desk.start()
        let entry = try await outbox.send(MessageManager.self, with: ["room": 7, "text": "你好"])
        XCTAssertEqual(desk.files.count, 1)
        XCTAssertEqual(entry.params, ["room": 7, "text": "你好"])
        XCTAssertEqual(entry.user, "ann")
        XCTAssertEqual(entry.lane, "room 7")
        let file = try String(
            contentsOf: desk.folder.appendingPathComponent(desk.files[0]), encoding: .utf8)
        XCTAssertFalse(file.contains("token-ann"), "a token is made when the entry is sent")
        await gate.open()
        try await outbox.drain()
        XCTAssertEqual(desk.files, [])
        XCTAssertEqual(outbox.entries, [])
        XCTAssertEqual(desk.told, [1], "the manager was told before the entry was removed")
        XCTAssertEqual(transport.requests[0].headers["Authorization"], "Bearer token-ann")
        XCTAssertEqual(transport.keys, ["\"\(entry.key)\""])
    }

    func testWhatIsNotTakenThrows() async throws {
        let transport = ScriptedTransport()
        let desk = try Desk(self, transport, user: nil)
        let outbox = try desk.start([desk.managers[0]])
        await assertThrows(.unknownManager(ManagerType(LikeManager.self))) {
            try await outbox.send(LikeManager.self)
        }
        await assertThrows(.loggedOut) { try await outbox.send(MessageManager.self) }
        desk.session.adopt(SessionTokens(accessToken: "t"))
        await assertThrows(.userUnknown) { try await outbox.send(MessageManager.self) }
        desk.logIn("ann")
        await assertThrows(.secretParam("password")) {
            try await outbox.send(MessageManager.self, with: ["a": [["password": "x"]]])
        }
        var deep = JSONValue.null
        for _ in 1...600 { deep = .array([deep]) }
        await assertThrows(.nestedTooDeeply(limit: 512)) { [deep] in
            try await outbox.send(MessageManager.self, with: Params(values: ["a": deep]))
        }
        XCTAssertEqual(desk.files, [])
        XCTAssertEqual(transport.requests.count, 0)
        XCTAssertThrowsError(try desk.start([desk.managers[0], desk.managers[0]])) {
            XCTAssertEqual($0 as? OutboxError, .ambiguousManager("message"))
        }
    }

    private func assertThrows(
        _ expected: OutboxError, line: UInt = #line, _ work: @MainActor () async throws -> Any
    ) async {
        do {
            _ = try await work()
            XCTFail("taken", line: line)
        } catch {
            XCTAssertEqual(error as? OutboxError, expected, line: line)
            XCTAssertFalse(error.localizedDescription.contains("The operation could"), line: line)
        }
    }

    func testAFullOrReadOnlyDiskThrowsAndSendsNothing() async throws {
        let transport = ScriptedTransport()
        let desk = try Desk(self, transport)
        // A file where the folder would be.
        try Data().write(to: desk.folder)
        let outbox = try desk.start()
        do {
            try await outbox.send(MessageManager.self)
            XCTFail("taken")
        } catch OutboxError.storage {}
        XCTAssertEqual(transport.requests.count, 0)
        try FileManager.default.removeItem(at: desk.folder)
        try await outbox.send(MessageManager.self)
        try await outbox.drain()
        XCTAssertEqual(transport.requests.count, 1, "the disk works again")
    }

    // MARK: Order

    func testEntriesOfALaneAreSentOneAfterTheOther() async throws {
        let running = Locked<[String: Int]>([:])
        let together = Locked(0)
        let transport = ScriptedTransport { request, _ in
            let room = request.text("room")
            let count = running.withLock { running in
                running[room, default: 0] += 1
                return (running[room] ?? 0, running.values.filter { $0 > 0 }.count)
            }
            XCTAssertEqual(count.0, 1, "one at a time")
            together.withLock { $0 = max($0, count.1) }
            await Task.yield()
            running.withLock { $0[room, default: 0] -= 1 }
            return .init()
        }
        let desk = try Desk(self, transport)
        desk.network.set(false)
        let outbox = try desk.start()
        for number in 0..<40 {
            try await outbox.send(
                MessageManager.self, with: ["room": number % 4, "text": "\(number)"])
        }
        desk.network.set(true)
        await outbox.wait { outbox.entries.isEmpty }
        for room in 0..<4 {
            let sent = transport.texts.compactMap { Int($0) }.filter { $0 % 4 == room }
            XCTAssertEqual(sent, Array(stride(from: room, to: 40, by: 4)))
        }
        XCTAssertGreaterThan(together.current, 1, "lanes are sent side by side")
    }

    func testCallsMadeTogetherKeepTheirOrder() async throws {
        let transport = ScriptedTransport()
        let desk = try Desk(self, transport)
        let outbox = try desk.start()
        let tasks = (0..<50).map { number in
            Task { try await outbox.send(MessageManager.self, with: ["room": 1, "text": "\(number)"]) }
        }
        for task in tasks { _ = try await task.value }
        try await outbox.drain()
        XCTAssertEqual(transport.texts, (0..<50).map(String.init))
    }

    func testALaterEntryGetsWhatTheServerAnswered() async throws {
        let transport = ScriptedTransport { _, number in .init(json: #"{"number":\#(number + 40)}"#) }
        let desk = try Desk(self, transport)
        let adopting: @Sendable (Receipt, inout Params) -> Void = { receipt, later in
            if later["reply"] == "draft" { later["reply"] = .number(JSONNumber(receipt.number)) }
        }
        let managers = [
            OutboxManager("message", MessageManager.self, adopting: adopting) { MessageManager() }
        ]
        desk.network.set(false)
        let outbox = try desk.start(managers)
        try await outbox.send(MessageManager.self, with: ["text": "a"])
        try await outbox.send(MessageManager.self, with: ["text": "b", "reply": "draft"])
        desk.network.set(true)
        await outbox.wait { outbox.entries.isEmpty }
        XCTAssertEqual(transport.requests.map { $0.text("reply") }, ["", "41"])
    }

    // MARK: Failures

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
        let next = try await restart(desk, outbox)
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
        desk.policy = OutboxPolicy(attempts: 3, age: 1000, base: 8)
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
        desk.policy = OutboxPolicy(attempts: 2, base: 1000)
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

    /// The next start of the app, after this one has ended.
    private func restart(_ desk: Desk, _ outbox: Outbox) async throws -> Outbox {
        outbox.lock?.release()
        outbox.lock = nil
        let next = try desk.start()
        try await next.drain()
        return next
    }
}

extension Outbox {
    var failures: [OutboxFailure.Reason] {
        states.compactMap { if case .dead(let failure) = $0 { failure.reason } else { nil } }
    }
}

extension APIRequest {
    /// A member of the JSON body.
    func text(_ name: String) -> String {
        guard case .data(let data) = body, case .object(let members)? = try? JSONValue(parsing: data) else {
            return ""
        }
        return members[name]?.string ?? members[name]?.canonicalText ?? ""
    }
}
