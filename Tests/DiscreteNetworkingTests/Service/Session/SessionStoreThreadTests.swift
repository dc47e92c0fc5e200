import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// A store that may stall is nobody's business but that of a queue of its own.
@MainActor
final class SessionStoreThreadTests: XCTestCase {
    /// A store that counts what is done to it, and on which thread.
    private final class Store: CredentialStore {
        let watched = Locked<ObjectIdentifier?>(nil)
        let trespasses = Locked(0)
        let reads = Locked(0)
        let error = Locked<CredentialStoreError?>(nil)
        private let memory = MemoryCredentialStore()

        private func note() throws(CredentialStoreError) {
            if watched.current == ObjectIdentifier(Thread.current) { trespasses.withLock { $0 += 1 } }
            if let error = error.current { throw error }
        }
        func read(_ key: String) throws(CredentialStoreError) -> Data? {
            reads.withLock { $0 += 1 }
            try note()
            return memory.read(key)
        }
        func write(_ data: Data, for key: String) throws(CredentialStoreError) {
            try note()
            memory.write(data, for: key)
        }
        func remove(_ key: String) throws(CredentialStoreError) {
            try note()
            memory.remove(key)
        }
    }

    func testAdoptingAndAskingWhoIsLoggedInUseNoStore() {
        let store = Store()
        let login = LoginStub { _ in .cancelled }
        let session = TokenSession(store: store, login: login)
        store.watched.current = ObjectIdentifier(Thread.current)
        XCTAssertFalse(login.isLoggedIn(to: session))
        session.adopt(SessionTokens(accessToken: "a"))
        XCTAssertTrue(login.isLoggedIn(to: session))
        store.watched.current = nil
        XCTAssertEqual(store.trespasses.current, 0)
    }

    func testAStoreThatFailsIsReadOnceAndAnnouncedOnce() async {
        let store = Store()
        store.error.current = CredentialStoreError(.unavailable, message: "No store today.")
        let stack = SessionStack(
            TokenSession(store: store, refresh: TokenSession.standardRefresh), isLoggedIn: false)
        let events = stack.session.events
        for number in 0..<3 {
            let manager = stack.manager("item\(number)")
            _ = await failure(manager)
            XCTAssertNil(stack.session.tokens)
        }
        store.error.current = nil
        stack.session.adopt(SessionTokens(accessToken: "a"))
        var heard: [SessionEvent] = []
        for await event in events {
            heard.append(event)
            if event == .loggedIn { break }
        }
        XCTAssertEqual(heard.filter { $0 == .storeFailed(reason: "No store today.") }.count, 1, "\(heard)")
        XCTAssertEqual(store.reads.current, 1)
    }
}
