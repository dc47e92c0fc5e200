import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Tokens that outlive the app.
@MainActor
final class SessionStoreTests: XCTestCase {
    private static let full = CredentialStoreError(.noSpace, message: "The disk is full.")

    func testTokensAreThereAfterARelaunch() async throws {
        let store = LockableStore()
        let tokens = SessionTokens(
            accessToken: "a", refreshToken: "r", expiry: Date(timeIntervalSince1970: 7))
        let first = TokenSession(store: store)
        first.adopt(tokens)
        try await first.save()
        XCTAssertEqual(TokenSession(store: store).tokens, tokens)
        XCTAssertNil(TokenSession(store: store, key: "another").tokens)
    }

    func testSavingASessionThatWasNotReadKeepsItsTokens() async throws {
        let store = LockableStore()
        let tokens = SessionTokens(accessToken: "a", refreshToken: "r")
        let earlier = TokenSession(store: store)
        earlier.adopt(tokens)
        try await earlier.save()
        try await TokenSession(store: store).save()
        XCTAssertEqual(try store.tokens(), tokens)

        let locked = TokenSession(store: store)
        store.error.current = CredentialStoreError(.deviceLocked, message: "The device is locked.")
        await locked.load()
        store.error.current = nil
        try await locked.save()
        XCTAssertEqual(try store.tokens(), tokens, "a store that could not be read is not emptied")
    }

    func testTheFirstCallReadsTheStore() async throws {
        let store = LockableStore()
        let session = TokenSession(store: store)
        let stack = SessionStack(session, isLoggedIn: false)
        let earlier = TokenSession(store: store)
        earlier.adopt(stack.desk.tokens())
        try await earlier.save()
        let error = await failure(stack.manager())
        XCTAssertNil(error)
        XCTAssertEqual(stack.transport.requests[0].headers["Authorization"], "Bearer token-1")
    }

    func testARefreshIsKept() async throws {
        let store = LockableStore()
        let stack = SessionStack(TokenSession(store: store, refresh: TokenSession.standardRefresh))
        stack.desk.expire()
        _ = await failure(stack.manager())
        XCTAssertEqual(try store.tokens()?.accessToken, "token-2")
        XCTAssertEqual(try store.tokens()?.refreshToken, "refresh-token-1")
    }

    func testALogoutRemovesEveryTrace() async throws {
        let store = LockableStore()
        let session = TokenSession(store: store)
        session.adopt(SessionTokens(accessToken: "a"))
        try await session.save()
        try await session.logOut()
        XCTAssertNil(session.tokens)
        XCTAssertEqual(store.values.current, [:])
        XCTAssertNil(TokenSession(store: store).tokens)
    }

    func testALogoutBeforeTheFirstReadDoesToo() async throws {
        let store = LockableStore()
        let earlier = TokenSession(store: store)
        earlier.adopt(SessionTokens(accessToken: "a"))
        try await earlier.save()
        let session = TokenSession(store: store)
        try await session.logOut()
        XCTAssertNil(session.tokens)
        XCTAssertEqual(store.values.current, [:])
    }

    func testARefreshThatEndsAfterTheLogoutBringsNothingBack() async throws {
        let store = LockableStore()
        let gate = Gate()
        let session = TokenSession(store: store) { _, _ in
            await gate.pass()
            return SessionTokens(accessToken: "late")
        }
        let stack = SessionStack(session)
        stack.desk.expire()
        let call = stack.start(1)
        await gate.arrival()
        let task = session.state.withLock { $0.renewal?.task }
        try await session.logOut()
        let kinds = await call.values
        XCTAssertEqual(kinds, [.loginRequired])
        gate.open()
        await task?.value
        XCTAssertNil(session.tokens)
        XCTAssertEqual(store.values.current, [:])
    }

    func testAStoreThatFailsIsReportedAndTheSessionGoesOn() async {
        let store = LockableStore()
        store.error.current = Self.full
        let session = TokenSession(store: store)
        var events = session.events.makeAsyncIterator()
        XCTAssertNil(session.tokens)
        session.adopt(SessionTokens(accessToken: "a"))
        let heard = [await events.next(), await events.next(), await events.next()]
        let failed = SessionEvent.storeFailed(reason: "The disk is full.")
        XCTAssertEqual(heard, [failed, .loggedIn, failed])
        XCTAssertEqual(session.tokens?.accessToken, "a")
        do {
            try await session.logOut()
            XCTFail("The token is still in the store.")
        } catch {
            XCTAssertEqual(error, Self.full)
        }
        XCTAssertNil(session.tokens)
    }

    /// The Keychain before the first unlock, for example.
    func testAStoreThatCannotBeReadYetIsReadLater() async throws {
        let store = LockableStore()
        let earlier = TokenSession(store: store)
        earlier.adopt(SessionTokens(accessToken: "a"))
        try await earlier.save()
        let session = TokenSession(store: store)
        store.error.current = CredentialStoreError(.deviceLocked, message: "The Keychain is locked.")
        XCTAssertNil(session.tokens)
        store.error.current = nil
        XCTAssertEqual(session.tokens?.accessToken, "a")
    }

    func testForeignDataIsReportedAndLeftAlone() async throws {
        let store = LockableStore()
        store.values.current = ["session": Data("[1]".utf8)]
        let session = TokenSession(store: store)
        var events = session.events.makeAsyncIterator()
        XCTAssertNil(session.tokens)
        XCTAssertNil(session.tokens)
        let first = await events.next()
        XCTAssertEqual(
            first,
            .storeFailed(
                reason: "The stored session cannot be decoded; the next login overwrites it."))
        XCTAssertEqual(store.values.current, ["session": Data("[1]".utf8)])
        session.adopt(SessionTokens(accessToken: "a"))
        let second = await events.next()
        XCTAssertEqual(second, .loggedIn, "it is reported once")
        try await session.save()
        XCTAssertEqual(try store.tokens()?.accessToken, "a")
    }
}
