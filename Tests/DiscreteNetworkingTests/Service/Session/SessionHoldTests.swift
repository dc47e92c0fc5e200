import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Calls that wait keep the rules of their manager's lifetime.
@MainActor
final class SessionHoldTests: XCTestCase {
    /// A session whose refresh stays at a gate.
    private static func stack(heldAt gate: Gate) -> SessionStack {
        let stack = SessionStack(
            TokenSession { tokens, proxy in
                await gate.pass()
                return try await TokenSession.standardRefresh(tokens, proxy)
            })
        stack.desk.expire()
        return stack
    }

    func testACancelledCallEndsAtOnce() async {
        let gate = Gate()
        let stack = Self.stack(heldAt: gate)
        let manager = stack.manager("cancelled")
        let screen = Screen()
        manager.delegate = screen
        let id = manager.loadData()
        // The other one's answer must not be there first: then this call would wait without a visit.
        await until { stack.session.waiting == 1 }
        let other = stack.start(1)
        await until { stack.session.waiting == 2 }
        manager.cancelRequest(id)
        await until { !screen.events.isEmpty }
        XCTAssertEqual(manager.error?.kind, .cancelled)
        await until { stack.session.waiting == 1 }
        gate.open()
        let kinds = await other.values
        XCTAssertEqual(kinds, [nil])
        XCTAssertEqual(stack.visits["cancelled"], 1)
        XCTAssertEqual(screen.events, ["failure"])
    }

    func testTheCallOfAReleasedManagerIsDropped() async {
        let gate = Gate()
        let stack = Self.stack(heldAt: gate)
        let outcomes = Locked<[APIError.Kind?]>([])
        var manager: ProductManager? = stack.manager("released")
        weak let released = manager
        manager?.loadData { result in outcomes.withLock { $0.append(result.kind) } }
        // The other one's answer must not be there first: then this call would wait without a visit.
        await until { stack.session.waiting == 1 }
        let other = stack.start(1)
        await until { stack.session.waiting == 2 }
        manager = nil
        XCTAssertNil(released)
        await until { stack.session.waiting == 1 }
        gate.open()
        let kinds = await other.values
        XCTAssertEqual(kinds, [nil])
        XCTAssertEqual(stack.visits["released"], 1)
        XCTAssertEqual(outcomes.current, [.cancelled])
    }

    func testALogoutCancelsTheRefresh() async throws {
        let (began, isCancelled) = (Gate(), Locked(false))
        let session = TokenSession { _, _ in
            await withTaskCancellationHandler {
                await began.pass()
                return SessionTokens(accessToken: "late")
            } onCancel: {
                isCancelled.current = true
            }
        }
        let stack = SessionStack(session)
        stack.desk.expire()
        let call = stack.start(1)
        await began.arrival()
        try await session.logOut()
        XCTAssertTrue(isCancelled.current)
        began.open()
        let kinds = await call.values
        XCTAssertEqual(kinds, [.loginRequired])
        XCTAssertNil(session.tokens)
    }

    /// The store of the session that the service names is read first: its tokens may be the rejected ones.
    func testAHoldForAnotherSessionRefreshesWhatItsStoreHas() async throws {
        let store = MemoryCredentialStore()
        let first = TokenSession(store: store)
        first.adopt(SessionTokens(accessToken: "old", refreshToken: "r"))
        try await first.save()
        let refreshes = Locked(0)
        let other = TokenSession(
            store: store,
            refresh: { _, _ in
                refreshes.withLock { $0 += 1 }
                return SessionTokens(accessToken: "new", refreshToken: "r")
            })
        let stack = Stack(
            ClosureTransport { request in
                TransportResponse(request, json: teapot, status: refreshes.current == 0 ? 401 : 200)
            }
        ) { $0.intercept = { _ in .holdUntilRefreshed(other) } }
        let product = try await stack.manager(ProductManager()).load()
        XCTAssertEqual(product.id, 7)
        XCTAssertEqual(refreshes.current, 1)
    }

    func testTheRefreshIsFinishedWhenNobodyWaitsAnyMore() async {
        let gate = Gate()
        let stack = Self.stack(heldAt: gate)
        var events = stack.session.events.makeAsyncIterator()
        let task = stack.start(1)
        await until { stack.session.waiting == 1 }
        task[0].cancel()
        let kinds = await task.values
        XCTAssertEqual(kinds, [.cancelled])
        await until { stack.session.waiting == 0 }
        gate.open()
        let first = await events.next()
        let second = await events.next()
        XCTAssertEqual([first, second], [.expired, .refreshed])
        XCTAssertEqual(stack.session.tokens?.accessToken, "token-2")
        XCTAssertEqual(stack.stack.proxy.requestIDs, [])
    }

    func testACancelledTaskThatOnlyBeginsToWaitDoesNotHang() async {
        let gate = Gate()
        let stack = Self.stack(heldAt: gate)
        let session = stack.session
        let proxy = stack.stack.proxy
        let waiting = Task {
            await until { Task.isCancelled }
            return await session.hold(
                .stub(), for: .refresh, since: session.snapshot.generation, over: proxy)
        }
        waiting.cancel()
        let answer = await waiting.value
        guard case .refused(let refusal) = answer else { return XCTFail("\(answer)") }
        XCTAssertEqual(refusal.kind, .cancelled)
        XCTAssertEqual(session.waiting, 0)
        gate.open()
        await until { !session.isRenewing }
    }

    func testATimeoutDoesNotRunWhileACallWaits() async {
        let gate = Gate()
        let stack = Self.stack(heldAt: gate)
        let manager = stack.manager()
        manager.ownTimeout = 0.05
        let call = Task { await failure(manager)?.kind }
        await until { stack.session.waiting == 1 }
        // Deadlines come in order: when this one is met, that of the call would have been.
        let later = Promise<Void>()
        _ = Deadlines.shared.schedule(after: 0.06) { later.fulfil(()) }
        await later.value
        XCTAssertEqual(stack.session.waiting, 1)
        gate.open()
        let kind = await call.value
        XCTAssertNil(kind)
    }
}
