import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

/// A credential store that cannot be read yet, as the Keychain before the first unlock of a device: it is not known who is
/// logged in.
@MainActor
final class SessionLockedTests: XCTestCase {
    private let locked = CredentialStoreError(.deviceLocked, message: "The Keychain is locked.")

    /// The next start of an app whose user is logged in, on a locked device.
    private func launch(
        _ error: CredentialStoreError? = nil, login: LoginStub? = nil,
        answer: (@Sendable (APIRequest, TokenDesk) async throws -> TransportResponse)? = nil
    ) async throws -> (SessionStack, LockableStore) {
        let store = LockableStore()
        let session = TokenSession(store: store, login: login, refresh: TokenSession.standardRefresh)
        let stack = SessionStack(session, isLoggedIn: false, answer: answer)
        let earlier = TokenSession(store: store)
        earlier.adopt(stack.desk.tokens())
        try await earlier.save()
        store.error.current = error ?? locked
        return (stack, store)
    }

    func testACallIsNotSentAndNobodyIsAskedToLogIn() async throws {
        for kind in [CredentialStoreError.Kind.deviceLocked, .busy] {
            let login = LoginStub { _ in .cancelled }
            let problem = CredentialStoreError(kind, message: "not now")
            let (stack, store) = try await launch(problem, login: login)
            var events = stack.session.events.makeAsyncIterator()
            let inside = stack.manager()
            inside.needsLogin = true
            for manager in [stack.manager(), inside] {
                let error = await failure(manager)
                XCTAssertEqual(error?.kind, .sessionUnavailable(reason: "not now"))
                XCTAssertEqual(error?.localizedDescription.contains("not now"), true)
            }
            XCTAssertEqual(stack.transport.requests.count, 0)
            XCTAssertEqual(login.logins, 0)
            store.error.current = nil
            let after = await failure(stack.manager())
            XCTAssertNil(after)
            XCTAssertEqual(stack.transport.requests.map { $0.headers["Authorization"] }, ["Bearer token-1"])
            let announced = [await events.next(), await events.next()]
            XCTAssertEqual(announced, [.storeFailed(reason: "not now"), .storeRead])
        }
    }

    func testAManagerWithoutTheSessionIsNotAffected() async throws {
        let (stack, _) = try await launch(answer: { request, _ in TransportResponse(request, json: teapot) })
        let manager = stack.manager()
        manager.ownSessionUse = false
        let error = await failure(manager)
        XCTAssertNil(error)
        XCTAssertEqual(stack.transport.requests.count, 1)
    }

    func testTheStoreIsReadAgainWithoutACall() async throws {
        let (stack, store) = try await launch()
        await stack.session.load()
        XCTAssertFalse(stack.session.isLoggedIn)
        let events = stack.session.events
        store.error.current = nil
        for await event in events {
            XCTAssertEqual(event, .storeRead)
            break
        }
        XCTAssertTrue(stack.session.isLoggedIn)
    }

    func testHoldersOfDataAreToldWhoIsLoggedInOnceTheStoreIsRead() async throws {
        final class Holder: UserDataHolder {
            let changes = Locked(0)
            let isInMemory = true
            func removeUserData(of session: TokenSession) {}
            func userMayHaveChanged() { changes.withLock { $0 += 1 } }
        }
        let (stack, store) = try await launch()
        await stack.session.load()
        let holder = Holder()
        TokenSession.userDataHolders.add { [weak holder] in holder }
        let events = stack.session.events
        store.error.current = nil
        for await event in events where event == .storeRead { break }
        XCTAssertGreaterThan(holder.changes.current, 0)
    }

    func testCallsDoNotPostponeTheNextReading() {
        var state = SessionState(hasStore: true)
        _ = state.couldNotLoad(locked, RefreshPolicy())
        for _ in 1...100 { _ = state.couldNotLoad(locked, RefreshPolicy(), isDue: true) }
        XCTAssertEqual(state.readPause, 1)
        _ = state.couldNotLoad(locked, RefreshPolicy())
        XCTAssertEqual(state.readPause, 2)
    }

    func testARequestIsNotBuiltWithoutItsUser() async throws {
        let (stack, store) = try await launch()
        do {
            _ = try await stack.manager().request(with: ["id": 7])
            XCTFail("It has no token.")
        } catch {
            XCTAssertEqual(error.kind, .sessionUnavailable(reason: "The Keychain is locked."))
        }
        store.error.current = nil
        let request = try await stack.manager().request(with: ["id": 7])
        XCTAssertEqual(request.headers["Authorization"], "Bearer token-1")
    }

    func testALoginOrALogoutNeedsNoReading() async throws {
        let (first, _) = try await launch()
        await first.session.load()
        first.session.adopt(first.desk.tokens())
        let error = await failure(first.manager())
        XCTAssertNil(error)
        let (second, store) = try await launch()
        await second.session.load()
        try? await second.session.logOut()
        store.error.current = nil
        try await second.session.save()
        XCTAssertEqual(store.values.current, [:])
    }

    func testAStoredOutputWaitsUntilItsUserIsKnown() async throws {
        let (store, disk) = (LockableStore(), MemoryCache())
        func start() -> SessionStack {
            SessionStack(
                TokenSession(store: store, refresh: TokenSession.standardRefresh), isLoggedIn: false,
                disk: disk)
        }
        let first = start()
        first.session.adopt(first.desk.tokens())
        try await first.session.save()
        func manager(_ stack: SessionStack) -> ProductManager {
            let manager = stack.manager()
            manager.ownCache = .disk
            return manager
        }
        _ = try await manager(first).load(with: ["id": 7])
        store.error.current = locked
        let next = start()
        do {
            _ = try await manager(next).cache.output(with: ["id": 7])
            XCTFail("It is somebody's.")
        } catch {
            XCTAssertEqual(error.kind, .sessionUnavailable(reason: "The Keychain is locked."))
        }
        let (shown, readings) = (manager(next), store.readings)
        let outputs = shown.cache.outputs(with: ["id": 7])
        let read = Task { () -> String? in
            for try await output in outputs { return output?.name }
            return nil
        }
        await until { store.readings > readings }
        store.error.current = nil
        await next.session.load()
        let name = try await read.value
        XCTAssertEqual(name, "青花瓷茶壶", "the first element is the user's, and not nobody's")
        withExtendedLifetime(shown) {}
    }
}
