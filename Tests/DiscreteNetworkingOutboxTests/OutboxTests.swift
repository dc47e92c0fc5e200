import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingOutbox

/// Calls that are taken, and the order in which they are sent.
@MainActor
final class OutboxTests: XCTestCase {
    // MARK: Taking

    func testAnEntryIsOnTheDiskWhenSendReturns() async throws {
        let transport = ScriptedTransport()
        let desk = try Desk(self, transport)
        desk.network.set(false)
        let outbox = try desk.start()
        let entry = try await outbox.send(MessageManager.self, with: ["room": 7, "text": "你好"])
        XCTAssertEqual(desk.files.count, 1)
        XCTAssertEqual(entry.params, ["room": 7, "text": "你好"])
        XCTAssertEqual(entry.user, "ann")
        XCTAssertEqual(entry.lane, "room 7")
        let file = try String(
            contentsOf: desk.folder.appendingPathComponent(desk.files[0]), encoding: .utf8)
        XCTAssertFalse(file.contains("token-ann"), "a token is made when the entry is sent")
        desk.network.set(true)
        await outbox.wait { outbox.entries.isEmpty }
        XCTAssertEqual(desk.files, [])
        XCTAssertEqual(outbox.entries, [])
        XCTAssertEqual(desk.told, [1], "the manager was told before the entry was removed")
        XCTAssertEqual(transport.requests[0].headers["Authorization"], "Bearer token-ann")
        XCTAssertEqual(transport.keys, ["\"\(entry.key)\""])
    }

    func testTheFirstEventOfAnEntryIsThatItIsQueued() async throws {
        let desk = try Desk(self, ScriptedTransport())
        let outbox = try desk.start()
        let events = outbox.events
        let entry = try await outbox.send(MessageManager.self)
        for await event in events {
            guard case .queued(let queued) = event else { return XCTFail("\(event)") }
            XCTAssertEqual(queued.id, entry.id)
            break
        }
    }

    func testRefusedEntryThrows() async throws {
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
        // The first requests of all lanes wait for each other.
        let meeting = Meeting(of: 4)
        let transport = ScriptedTransport { request, _ in
            let room = request.text("room")
            let count = running.withLock { running in
                running[room, default: 0] += 1
                return running[room]
            }
            XCTAssertEqual(count, 1, "one at a time")
            await meeting.arrive()
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
            OutboxManager("message", MessageManager.self, adopting: adopting) { _ in MessageManager() }
        ]
        desk.network.set(false)
        let outbox = try desk.start(managers)
        try await outbox.send(MessageManager.self, with: ["text": "a"])
        try await outbox.send(MessageManager.self, with: ["text": "b", "reply": "draft"])
        desk.network.set(true)
        await outbox.wait { outbox.entries.isEmpty }
        XCTAssertEqual(transport.requests.map { $0.text("reply") }, ["", "41"])
    }
}
