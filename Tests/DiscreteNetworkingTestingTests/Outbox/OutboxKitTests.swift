import DiscreteNetworking
import DiscreteNetworkingOutbox
import DiscreteNetworkingTesting
import Foundation
import XCTest

/// A test of an app's outbox, without a disk and without waiting.
@MainActor
final class OutboxKitTests: XCTestCase {
    private final class NoteService: Service {
        var baseURL: URL { URL(string: "https://notes.example.com")! }
    }

    private final class NoteManager: APIManager<NoContent> {
        let serviceIdentifier: ServiceIdentifier = "notes"
        let methodName = "notes"
        let requestType = HTTPMethod.post
    }

    private final class OtherManager: APIManager<NoContent> {
        let serviceIdentifier: ServiceIdentifier = "notes"
        let methodName = "others"
        let requestType = HTTPMethod.post
    }

    private let clock = TestClock()
    private let stubs = StubTransport()

    private func makeOutbox() throws -> Outbox {
        let services = ServiceFactory()
        services.register(["notes": NoteService.self])
        return try Outbox.inMemory(
            proxy: ApiProxy(transport: stubs, services: services, clock: clock),
            managers: [OutboxManager("note", NoteManager.self) { _ in NoteManager() }])
    }

    func testEntriesAreSentAsTheClockIsAdvanced() async throws {
        stubs.on(NoteManager.self, answers: [.status(503), .status(503), .status(204)])
        let outbox = try makeOutbox()
        let start = clock.now
        try await outbox.send(NoteManager.self, with: ["text": "a"])
        assertQueued(NoteManager.self, with: ["text": "a"], in: outbox)
        try await outbox.drain(advancing: clock)
        assertQueued(NoteManager.self, in: outbox, count: 0)
        XCTAssertEqual(stubs.requests.count, 3)
        XCTAssertGreaterThan(clock.now.timeIntervalSince(start), 1.4, "two delays")
    }

    func testADeadEntryEndsTheDrainAndIsQueued() async throws {
        stubs.on(NoteManager.self, answer: .status(422))
        let outbox = try makeOutbox()
        try await outbox.send(NoteManager.self)
        try await outbox.drain(advancing: clock)
        let entries = assertQueued(NoteManager.self, in: outbox)
        guard case .dead(let failure)? = entries.first?.state else { return XCTFail("\(entries)") }
        XCTAssertEqual(failure.status, 422)
        try await outbox.discard(entries[0].id)
        assertQueued(NoteManager.self, in: outbox, count: 0)
    }

    func testAMissingEntryIsReportedWithWhatThereIs() async throws {
        stubs.on(NoteManager.self, answer: .status(422))
        let outbox = try makeOutbox()
        try await outbox.send(NoteManager.self, with: ["text": "pr1vate", "room": 7])
        await assertCaught("0 entries of NoteManager with these params, expected 1", "other values of: text")
        {
            assertQueued(NoteManager.self, with: ["text": "b", "room": 7], in: outbox)
        }
        let failures = await collectFailures {
            assertQueued(NoteManager.self, with: ["text": "b"], in: outbox)
        }
        XCTAssertFalse(failures.map(\.message).joined().contains("pr1vate"))
        await assertCaught("no OutboxManager of OtherManager") {
            assertQueued(OtherManager.self, in: outbox)
        }
    }
}
