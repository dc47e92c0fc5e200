import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingOutbox

/// Entries and transfers of a user, on a device that is locked, so that its user is not known.
@MainActor
final class LockedSessionTests: XCTestCase {
    private let locked = CredentialStoreError(.deviceLocked, message: "The Keychain is locked.")

    private final class Store: CredentialStore {
        let error = Locked<CredentialStoreError?>(nil)
        let memory = MemoryCredentialStore()

        func read(_ key: String) throws(CredentialStoreError) -> Data? {
            if let error = error.current { throw error }
            return memory.read(key)
        }
        func write(_ data: Data, for key: String) throws(CredentialStoreError) {
            if let error = error.current { throw error }
            memory.write(data, for: key)
        }
        func remove(_ key: String) throws(CredentialStoreError) {
            if let error = error.current { throw error }
            memory.remove(key)
        }
    }

    func testAnEntryWaitsUntilItsUserIsKnown() async throws {
        let (transport, store) = (ScriptedTransport(), Store())
        let desk = try Desk(self, transport)
        desk.session = TokenSession(store: store)
        desk.logIn("ann")
        try await desk.session.save()
        desk.network.set(false)
        let outbox = try desk.start()
        try await outbox.send(MessageManager.self, with: ["text": "before"])
        try await outbox.drain()

        store.error.current = locked
        desk.session = TokenSession(store: store)
        desk.network.set(true)
        let asked = Locked(0)
        let observers = NotificationObservers()
        observers.observe(.tokenSessionLoginRequired) { _ in asked.withLock { $0 += 1 } }
        let next = try await desk.restart(after: outbox)
        XCTAssertEqual(next.states, [.waiting(.user)])
        await assertThrows(.sessionUnavailable(locked)) {
            try await next.send(MessageManager.self, with: ["text": "meanwhile"])
        }
        XCTAssertEqual(transport.requests.count, 0)
        store.error.current = nil
        await next.wait { next.entries.isEmpty }
        XCTAssertEqual(transport.texts, ["before"])
        XCTAssertEqual(transport.requests.map { $0.headers["Authorization"] }, ["Bearer token-ann"])
        XCTAssertEqual(asked.current, 0)
    }

    func testATransferWaitsUntilItsUserIsKnown() async throws {
        let store = Store()
        let desk = try BackgroundDesk(self, user: nil)
        desk.desk.session = TokenSession(store: store)
        desk.desk.logIn("ann")
        try await desk.desk.session.save()
        try await desk.launch()
        try await desk.handOver(VideoManager.self, ["id": 7])
        desk.stop()

        store.error.current = locked
        desk.desk.session = TokenSession(store: store)
        let next = try await desk.launch()
        await next.wait { next.transfers.map(\.state) == [.waiting(.user)] }
        do {
            try await next.start(VideoManager.self, with: ["id": 8])
            XCTFail("Its user is not known.")
        } catch {
            XCTAssertEqual(error, .sessionUnavailable(locked))
        }
        desk.daemon.end(200, file: Data("film".utf8))
        XCTAssertEqual(desk.witness.told, [])
        store.error.current = nil
        await desk.witness.wait(for: 1)
        XCTAssertEqual(desk.witness.told, ["video 4"])
        XCTAssertEqual(desk.daemon.orders.count, 1)
    }
}
