import Foundation
import Observation
import XCTest

@testable import DiscreteNetworkingCore

/// What a manager has loaded belongs to the user for whom it was loaded.
@MainActor
final class UserDataTests: XCTestCase {
    private let session = TokenSession()
    private let gate = Gate()

    private func stack(_ transport: any Transport = ClosureTransport(json: teapot)) -> Stack {
        session.adopt(SessionTokens(accessToken: "alice", user: "alice"))
        return Stack(transport) { [session] in $0.session = session }
    }

    private func isEmpty(_ manager: ProductManager) -> Bool {
        manager.output == nil && manager.response == nil && manager.error == nil
    }

    func testALogoutEmptiesTheManager() async throws {
        let manager = stack().manager(ProductManager())
        _ = try await manager.load()
        let isTold = Locked(false)
        if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *) {
            withObservationTracking {
                _ = manager.output
            } onChange: {
                isTold.current = true
            }
        }
        XCTAssertFalse(isEmpty(manager))
        try await session.logOut()
        XCTAssertTrue(isEmpty(manager))
        XCTAssertTrue(isTold.current, "a view that shows it is told")
    }

    func testAnErrorWithItsResponseIsForgottenToo() async throws {
        let manager = stack(ClosureTransport(json: #"{"user":"alice"}"#, status: 404)).manager(
            ProductManager())
        _ = await failure(manager)
        XCTAssertNotNil(manager.error?.response)
        try await session.logOut()
        XCTAssertTrue(isEmpty(manager))
    }

    func testAnotherLoginEmptiesItToo() async throws {
        let manager = stack().manager(ProductManager())
        _ = try await manager.load()
        session.adopt(SessionTokens(accessToken: "bob", user: "bob"))
        await until { self.isEmpty(manager) }
        _ = try await manager.load()
        XCTAssertEqual(manager.output?.id, 7, "what is Bob's stays")
    }

    func testNewTokensOfTheSameUserDoNot() async throws {
        let manager = stack().manager(ProductManager())
        _ = try await manager.load()
        session.adopt(SessionTokens(accessToken: "newer", user: "alice"))
        let other = stack().manager(ProductManager())
        _ = try await other.load()
        XCTAssertNotNil(manager.output)
    }

    func testLogoutKeepsOutputsThatNeedNoSession() async throws {
        let manager = stack().manager(ProductManager())
        manager.ownSessionUse = false
        _ = try await manager.load()
        try await session.logOut()
        XCTAssertNotNil(manager.output)
    }

    func testAnAnswerAfterTheLogoutIsToldAndForgotten() async throws {
        let transport = ClosureTransport { [gate] request in
            await gate.pass()
            return TransportResponse(request, json: teapot)
        }
        let manager = stack(transport).manager(ProductManager())
        let call = Task { try await manager.load() }
        await gate.arrival()
        try await session.logOut()
        gate.open()
        let product = try await call.value
        XCTAssertEqual(product.id, 7)
        XCTAssertTrue(isEmpty(manager))
    }

    func testTheErrorOfACallThatTheLogoutEndsStays() async throws {
        let stack = stack(ClosureTransport(json: "", status: 503))
        stack.change { $0.retry = .standard }
        let manager = stack.manager(ProductManager())
        let call = Task { await failure(manager) }
        await stack.clock.waitForSleepers()
        try await session.logOut()
        _ = await call.value
        XCTAssertEqual(manager.error?.kind, .loginRequired)
    }

    func testAReleasedManagerIsNotRemembered() async throws {
        var manager: ProductManager? = stack().manager(ProductManager())
        _ = try await manager?.load()
        XCTAssertEqual(session.state.withLock { $0.watchers.count }, 1)
        manager = nil
        XCTAssertEqual(session.state.withLock { $0.watchers.count }, 0)
    }

    func testAListIsForgotten() async throws {
        let stack = stack(TileServer(30).transport)
        let manager = stack.manager(TileManager(.number(size: 10)))
        _ = try await manager.load()
        _ = try await manager.nextPage()
        XCTAssertEqual(manager.items.count, 20)
        try await session.logOut()
        XCTAssertEqual(manager.items.count, 0)
        XCTAssertNil(manager.currentPage)
        XCTAssertNil(manager.output)
        session.adopt(SessionTokens(accessToken: "bob", user: "bob"))
        do throws(APIError) {
            _ = try await manager.nextPage()
            XCTFail("Bob's page, but of Alice's list")
        } catch {
            XCTAssertEqual(error.kind, .loginRequired)
        }
        XCTAssertNil(manager.refreshCurrentPage(completion: nil))
        _ = try await manager.reload()
        _ = try await manager.nextPage()
        XCTAssertEqual(manager.items.count, 20)
    }

    // MARK: Calls that join others

    private func parked() -> (transport: ClosureTransport, tokens: Locked<[String?]>) {
        let tokens = Locked<[String?]>([])
        let transport = ClosureTransport { [gate] request in
            tokens.withLock { $0.append(request.headers["Authorization"]) }
            await gate.pass()
            return TransportResponse(
                request,
                json: request.url.lastPathComponent == "tiles" ? TileServer(3).answer { _ in nil } : teapot)
        }
        return (transport, tokens)
    }

    func testACallJoinsNoneThatWasMadeForAnotherUser() async throws {
        let (transport, tokens) = parked()
        let manager = stack(transport).manager(ProductManager())
        manager.policy = .ignoreNew
        let first = manager.loadData()
        await gate.arrival()
        session.adopt(SessionTokens(accessToken: "bob", user: "bob"))
        XCTAssertNotEqual(manager.loadData(), first)
        await gate.arrival(2)
        XCTAssertEqual(tokens.current, ["Bearer alice", "Bearer bob"])
        gate.open()
        await until { !manager.isLoading }
    }

    /// Nor does a page of a list.
    func testAPageJoinsNoneThatWasMadeForAnotherUser() async throws {
        let (transport, tokens) = parked()
        let manager = stack(transport).manager(TileManager(.number(size: 10)))
        let first = manager.loadFirstPage(completion: nil)
        XCTAssertEqual(manager.loadFirstPage(completion: nil), first)
        await gate.arrival()
        session.adopt(SessionTokens(accessToken: "bob", user: "bob"))
        XCTAssertNotEqual(manager.loadFirstPage(completion: nil), first)
        await gate.arrival(2)
        XCTAssertEqual(tokens.current, ["Bearer alice", "Bearer bob"])
        gate.open()
        await until { !manager.isLoading }
    }

    /// The users of other sessions are none of this one's.
    func testAChangeElsewhereMakesNoOtherCall() async throws {
        let (transport, tokens) = parked()
        for usesSession in [true, false] {
            let manager = stack(transport).manager(ProductManager())
            manager.policy = .ignoreNew
            manager.ownSessionUse = usesSession
            let first = manager.loadData()
            let elsewhere = TokenSession()
            elsewhere.adopt(SessionTokens(accessToken: "a", user: "a"))
            elsewhere.adopt(SessionTokens(accessToken: "b", user: "b"))
            XCTAssertEqual(manager.loadData(), first)
            gate.open()
            await until { !manager.isLoading }
        }
        XCTAssertEqual(tokens.current.count, 2)
    }

    // MARK: What a session does for a call

    /// It neither begins a renewal for a call of an earlier user, nor has it wait for that of the next one.
    func testACallOfAnEarlierUserNeedsNothing() throws {
        var state = SessionState(hasStore: false)
        let policy = RefreshPolicy()
        _ = state.replace(SessionTokens(accessToken: "alice"), at: Date(), policy)
        let call = ProductManager().call([:])
        guard case .begin = state.answer(to: call, since: state.generation) else {
            return XCTFail("Alice is there")
        }
        _ = state.replace(SessionTokens(accessToken: "bob"), at: Date(), policy)
        for isRenewing in [false, true] {
            state.renewal = isRenewing ? state.begin(.refresh) : nil
            guard case .settled(let refusal?) = state.answer(to: call, since: state.generation) else {
                return XCTFail("Alice has left; renewing: \(isRenewing)")
            }
            XCTAssertEqual(refusal.kind, .loginRequired)
        }
    }
}
