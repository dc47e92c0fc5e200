import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// What a session writes over what, and again if it could not be written.
@MainActor
final class SessionWriteTests: XCTestCase {
    /// A store that another process changes just before this one writes, or whose disk is full.
    private final class Store: CredentialStore {
        let memory = MemoryCredentialStore()
        let other = Locked<(@Sendable (MemoryCredentialStore) -> Void)?>(nil)
        let error = Locked<CredentialStoreError?>(nil)
        let attempts = Locked(0)
        /// What was written, in turn.
        let written = AsyncStream<Void>.makeStream()

        func read(_ key: String) -> Data? { memory.read(key) }
        func write(_ data: Data, for key: String) throws(CredentialStoreError) {
            try begin()
            memory.write(data, for: key)
            written.continuation.yield()
        }
        func replace(
            _ old: Data?, with new: Data?, for key: String
        ) throws(CredentialStoreError) -> Bool {
            try begin()
            defer { written.continuation.yield() }
            return memory.replace(old, with: new, for: key)
        }
        func remove(_ key: String) throws(CredentialStoreError) {
            try begin()
            memory.remove(key)
        }
        private func begin() throws(CredentialStoreError) {
            attempts.withLock { $0 += 1 }
            if let error = error.current { throw error }
            let change = other.withLock { other in
                defer { other = nil }
                return other
            }
            change?(memory)
        }

        var tokens: SessionTokens? {
            memory.read("session").flatMap { try? JSONDecoder().decode(SessionTokens.self, from: $0) }
        }
        func keep(_ tokens: SessionTokens) {
            if let data = try? JSONEncoder().encode(tokens) { memory.write(data, for: "session") }
        }
    }

    private static let full = CredentialStoreError(.noSpace, message: "The disk is full.")
    private let store = Store()
    private let hers = SessionTokens(accessToken: "hers", refreshToken: "r", user: "her")

    private func stack() async throws -> SessionStack {
        let stack = SessionStack(TokenSession(store: store, refresh: TokenSession.standardRefresh))
        try await stack.session.save()
        return stack
    }

    /// The events up to now.
    private func heard(_ events: AsyncStream<SessionEvent>, of session: TokenSession) async -> [SessionEvent]
    {
        session.announce(.storeFailed(reason: "the end"))
        var heard: [SessionEvent] = []
        for await event in events {
            if event == .storeFailed(reason: "the end") { break }
            heard.append(event)
        }
        return heard
    }

    // MARK: Two processes

    func testARefreshDoesNotUndoALogoutOfAnotherProcess() async throws {
        let stack = try await stack()
        let events = stack.session.events
        stack.desk.expire()
        store.other.current = { $0.remove("session") }
        let kind = await failure(stack.manager())?.kind
        XCTAssertEqual(kind, .loginRequired)
        XCTAssertNil(store.tokens)
        XCTAssertNil(stack.session.tokens)
        let heard = await heard(events, of: stack.session)
        XCTAssertEqual(heard, [.expired, .loggedOut])
    }

    func testTokensThatAnotherProcessHasStoredAreNotWrittenAgain() async throws {
        let stack = try await stack()
        stack.desk.expire()
        let theirs = stack.desk.tokens()
        let content = StoredSession(tokens: theirs, subject: stack.session.snapshot.subject)
        store.memory.write(try JSONEncoder().encode(content), for: "session")
        let before = store.attempts.current
        let kind = await failure(stack.manager())?.kind
        XCTAssertNil(kind)
        XCTAssertEqual(stack.session.tokens, theirs)
        XCTAssertEqual(stack.refreshes, 0)
        try await stack.session.save()
        XCTAssertEqual(store.attempts.current, before)
    }

    func testARefreshDoesNotUndoALoginOfAnotherProcess() async throws {
        let stack = try await stack()
        let events = stack.session.events
        stack.desk.expire()
        let (store, hers) = (store, hers)
        store.other.current = { _ in store.keep(hers) }
        let kind = await failure(stack.manager())?.kind
        XCTAssertEqual(kind, .loginRequired, "the call is of the user before")
        XCTAssertEqual(store.tokens, hers)
        XCTAssertEqual(stack.session.tokens, hers)
        XCTAssertFalse(stack.visits.isEmpty)
        XCTAssertEqual(
            stack.transport.requests.filter { $0.headers["Authorization"] == "Bearer hers" }.count, 0)
        let heard = await heard(events, of: stack.session)
        XCTAssertEqual(heard, [.expired, .loggedIn])
    }

    func testALoginAndALogoutReplaceWhatAnotherProcessHasWritten() async throws {
        let stack = try await stack()
        let (store, hers) = (store, hers)
        store.other.current = { _ in store.keep(hers) }
        stack.session.adopt(SessionTokens(accessToken: "his"))
        try await stack.session.save()
        XCTAssertEqual(store.tokens?.accessToken, "his")
        store.other.current = { _ in store.keep(hers) }
        try await stack.session.logOut()
        XCTAssertNil(store.tokens)
    }

    func testARefreshReplacesDataThatIsNoSession() async throws {
        let stack = try await stack()
        stack.desk.expire()
        store.other.current = { $0.write(Data("[1]".utf8), for: "session") }
        let error = await failure(stack.manager())
        XCTAssertNil(error)
        XCTAssertEqual(store.tokens?.accessToken, "token-2")
    }

    func testAStoreThatAlwaysChangesIsBusy() async throws {
        final class Restless: CredentialStore {
            let memory = MemoryCredentialStore()
            func read(_ key: String) -> Data? { memory.read(key) }
            func write(_ data: Data, for key: String) { memory.write(data, for: key) }
            func replace(_ old: Data?, with new: Data?, for key: String) -> Bool { false }
            func remove(_ key: String) { memory.remove(key) }
        }
        let stack = SessionStack(TokenSession(store: Restless(), refresh: TokenSession.standardRefresh))
        try await stack.session.save()
        stack.desk.expire()
        let error = await failure(stack.manager())
        XCTAssertNil(error)
        let problem = await saveError(stack)
        XCTAssertEqual(problem?.kind, .busy)
    }

    /// Why the tokens are not stored.
    private func saveError(_ stack: SessionStack) async -> CredentialStoreError? {
        do {
            try await stack.session.save()
            return nil
        } catch {
            return error
        }
    }

    // MARK: A write that fails

    func testTokensThatCouldNotBeWrittenAreWrittenBeforeTheNextCallIsSent() async throws {
        let stored = Locked<[String?]>([])
        let session = TokenSession(store: store, refresh: TokenSession.standardRefresh)
        let stack = SessionStack(session) { [store] request, desk in
            stored.withLock { $0.append(store.tokens?.accessToken) }
            return desk.answer(request)
        }
        try await stack.session.save()
        let events = stack.session.events
        stack.desk.expire()
        store.error.current = Self.full
        for _ in 1...3 {
            let error = await failure(stack.manager())
            XCTAssertNil(error)
            let problem = await saveError(stack)
            XCTAssertEqual(problem, Self.full)
        }
        XCTAssertEqual(store.tokens?.accessToken, "token-1")
        store.error.current = nil
        let error = await failure(stack.manager())
        XCTAssertNil(error)
        XCTAssertEqual(store.tokens?.accessToken, "token-2")
        XCTAssertEqual(stored.current.last, "token-2")
        let attempts = store.attempts.current
        _ = await failure(stack.manager())
        try await stack.session.save()
        XCTAssertEqual(store.attempts.current, attempts, "what is stored is not written")
        let heard = await heard(events, of: stack.session)
        XCTAssertEqual(heard, [.expired, .storeFailed(reason: "The disk is full."), .refreshed])
    }

    func testTokensThatCouldNotBeWrittenAreWrittenWithoutACall() async throws {
        store.error.current = Self.full
        let session = TokenSession(store: store)
        var events = session.events.makeAsyncIterator()
        session.adopt(hers)
        while await events.next() != .storeFailed(reason: "The disk is full.") {}
        store.error.current = nil
        var written = store.written.stream.makeAsyncIterator()
        await written.next()
        XCTAssertEqual(store.tokens, hers)
    }

    func testCallsThatTriedInVainDoNotPostponeTheNextWrite() async throws {
        let stack = try await stack()
        stack.desk.expire()
        store.error.current = Self.full
        for _ in 1...100 {
            let error = await failure(stack.manager())
            XCTAssertNil(error)
        }
        store.error.current = nil
        for await _ in store.written.stream where store.tokens?.accessToken == "token-2" { break }
    }

    func testThePausesDoubleUpToFourMinutes() {
        var state = SessionState(hasStore: true)
        let pauses = (1...11).map { _ in
            _ = state.couldNotWrite(nil, Self.full)
            return state.writePause
        }
        XCTAssertEqual(pauses, [1, 2, 4, 8, 16, 32, 64, 128, 256, 256, 256])
        state.wrote(nil)
        _ = state.couldNotWrite(nil, Self.full)
        XCTAssertEqual(state.writePause, 1)
        for _ in 1...100 { _ = state.couldNotWrite(nil, Self.full, isDue: true) }
        XCTAssertEqual(state.writePause, 1, "calls do not postpone the next write")
    }

    func testALogoutThatCouldNotBeWrittenDoesNotUndoALaterLoginElsewhere() async throws {
        let stack = try await stack()
        store.error.current = Self.full
        do {
            try await stack.session.logOut()
            XCTFail("The tokens are still there.")
        } catch {
            XCTAssertEqual(error, Self.full)
        }
        store.error.current = nil
        store.keep(hers)
        try await stack.session.save()
        XCTAssertEqual(store.tokens, hers)
        XCTAssertEqual(stack.session.tokens, hers)
    }

    func testALogoutThatCouldNotBeWrittenIsWrittenLater() async throws {
        let stack = try await stack()
        store.error.current = Self.full
        try? await stack.session.logOut()
        XCTAssertNotNil(store.tokens)
        store.error.current = nil
        try await stack.session.save()
        XCTAssertNil(store.tokens)
    }
}
