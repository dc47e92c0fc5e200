import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingOutbox

/// An entry, or a transfer, is of the user and the environment in which it was made, however long it waits to be stored.
@MainActor
final class EntryUserTests: XCTestCase {
    /// Where the store is held until the user has changed.
    private let (held, released) = (Meeting(of: 2), Meeting(of: 2))
    private var isMade = false

    /// Whether `send` has been called is seen by its asking for a manager.
    private func made<Manager: BaseAPIManager>(_ manager: Manager) -> Manager {
        isMade = true
        return manager
    }

    private func untilMade() async {
        isMade = false
        while !isMade { await Task.yield() }
    }

    private func change(_ desk: Desk) async throws {
        try await desk.session.logOut()
        desk.logIn("bob")
    }

    /// Holds the operations of an outbox, as the copy of a large file does.
    private func hold(_ outbox: Outbox) async throws -> Task<Void, any Error> {
        try await outbox.drain()
        let task = Task { [held, released] in
            try await outbox.inOrder { () async throws(OutboxError) in
                await held.arrive()
                await released.arrive()
            }
        }
        await held.arrive()
        return task
    }

    func testAMessageThatWaitsIsNotTheNextUsers() async throws {
        let transport = ScriptedTransport()
        let desk = try Desk(self, transport)
        let outbox = try desk.start([
            OutboxManager("message", MessageManager.self) { [self] _ in made(MessageManager()) }
        ])
        let copy = try await hold(outbox)
        let message = Task { try await outbox.send(MessageManager.self, with: ["text": "ann's"]) }
        await untilMade()
        try await change(desk)
        await released.arrive()
        await assertThrows(.loggedOut) { try await message.value }
        try await copy.value
        try await outbox.drain()
        XCTAssertEqual(desk.files, [])
        XCTAssertEqual(outbox.entries, [])
        XCTAssertEqual(transport.texts, [])

        try await outbox.send(MessageManager.self, with: ["text": "bob's"])
        await outbox.wait { outbox.entries.isEmpty }
        XCTAssertEqual(transport.requests.map { $0.headers["Authorization"] }, ["Bearer token-bob"])
    }

    /// A call without a session is nobody's, and is kept.
    func testACallWithoutASessionIsKept() async throws {
        let transport = ScriptedTransport()
        let desk = try Desk(self, transport)
        let outbox = try desk.start([
            OutboxManager("like", LikeManager.self) { [self] _ in made(LikeManager()) }
        ])
        let copy = try await hold(outbox)
        let like = Task { try await outbox.send(LikeManager.self, with: ["id": 1]) }
        await untilMade()
        try await change(desk)
        await released.arrive()
        _ = try await like.value
        try await copy.value
        await outbox.wait { outbox.entries.isEmpty }
        XCTAssertEqual(transport.requests.count, 1)
    }

    func testAPhotoIsNotKeptForAUserWhoLeavesWhileItIsCopied() async throws {
        let transport = ScriptedTransport()
        let desk = try Desk(self, transport)
        let store = HeldStore(held, released)
        let outbox = try Outbox(
            store, desk.proxy(),
            [OutboxManager("picture", PictureManager.self) { files in PictureManager(files["picture"]) }],
            desk.policy)
        try await outbox.drain()
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data("picture".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let photo = Task { try await outbox.send(PictureManager.self, files: ["picture": file]) }
        await held.arrive()
        try await change(desk)
        await released.arrive()
        await assertThrows(.loggedOut) { try await photo.value }
        try await outbox.drain()
        XCTAssertEqual(store.kept.current, 1)
        let left = try await store.memory.read(except: [])
        XCTAssertEqual(left.count, 0)
        XCTAssertEqual(store.names.current.filter { store.isThere($0) }, [])
        XCTAssertEqual(transport.texts, [])
    }

    func testAMessageThatWaitsKeepsItsEnvironment() async throws {
        let transport = ScriptedTransport()
        let desk = try Desk(self, transport)
        let stage = EnvironmentSwitch("live")
        let outbox = try desk.start(
            [OutboxManager("like", LikeManager.self) { [self] _ in made(LikeManager()) }],
            over: desk.proxy { EntryEnvironmentTests.StagedChat(stage) })
        let copy = try await hold(outbox)
        let like = Task { try await outbox.send(LikeManager.self, with: ["id": 1]) }
        await untilMade()
        stage.current = "test"
        await released.arrive()
        let entry = try await like.value
        try await copy.value
        XCTAssertEqual(entry.environment, "live")
        try await outbox.drain()
        XCTAssertEqual(transport.texts, [])
    }

    func testATransferThatWaitsIsNotTheNextUsers() async throws {
        let desk = try BackgroundDesk(self)
        desk.stop()
        let session = HeldSession(desk.daemon.session(), held, released)
        let transfers = try BackgroundTransfers(
            identifier: desk.identifier, folder: desk.desk.folder, proxy: desk.desk.proxy(),
            managers: [
                BackgroundTransferManager("message", MessageManager.self) { [self] in made(MessageManager()) }
            ],
            session: { session })
        desk.running = transfers
        await held.arrive()
        let transfer = Task { try await transfers.start(MessageManager.self) }
        await untilMade()
        try await change(desk.desk)
        await released.arrive()
        do {
            _ = try await transfer.value
            XCTFail("taken")
        } catch {
            XCTAssertEqual(error as? BackgroundTransferError, .loggedOut)
        }
        XCTAssertEqual(desk.names(".transfer"), [])
        XCTAssertEqual(desk.daemon.tasks, [])
    }
}

/// A store whose copies take as long as a test says.
private final class HeldStore: OutboxStore {
    let memory = OutboxMemory()
    let kept = Locked(0)
    let names = Locked<[String]>([])
    private let held: Meeting
    private let released: Meeting

    init(_ held: Meeting, _ released: Meeting) { (self.held, self.released) = (held, released) }

    var numbers: EntryNumbers { memory.numbers }

    func isThere(_ name: String) -> Bool { FileManager.default.fileExists(atPath: url(of: name).path) }

    func read(except known: Set<String>) async throws(CredentialStoreError) -> [FoundEntry] {
        try await memory.read(except: known)
    }

    func mayHaveChanged() async throws(CredentialStoreError) -> Bool { try await memory.mayHaveChanged() }

    func write(_ records: [EntryRecord]) async throws(CredentialStoreError) {
        try await memory.write(records)
    }

    func keep(_ file: URL, as name: String) async throws(CredentialStoreError) {
        try await memory.keep(file, as: name)
        kept.withLock { $0 += 1 }
        names.withLock { $0.append(name) }
        await held.arrive()
        await released.arrive()
    }

    func url(of name: String) -> URL { memory.url(of: name) }

    func remove(_ names: [String]) async throws(CredentialStoreError) { try await memory.remove(names) }

    func lock() async throws(CredentialStoreError) -> CredentialLock? { try await memory.lock() }

    func tidy() async throws(CredentialStoreError) {}
}

/// A session of the system that lists its tasks when a test says.
private struct HeldSession: BackgroundSession {
    private let session: any BackgroundSession
    private let held: Meeting
    private let released: Meeting

    init(_ session: any BackgroundSession, _ held: Meeting, _ released: Meeting) {
        (self.session, self.held, self.released) = (session, held, released)
    }

    func connect(to delegate: any BackgroundSessionDelegate) { session.connect(to: delegate) }
    func make(_ order: BackgroundOrder) async throws(TransportError) { try await session.make(order) }
    func resume(_ description: String) async { await session.resume(description) }
    func cancel(_ description: String) async -> Data? { await session.cancel(description) }
    func close() { session.close() }

    func tasks() async -> [BackgroundTask] {
        await held.arrive()
        await released.arrive()
        return await session.tasks()
    }
}
