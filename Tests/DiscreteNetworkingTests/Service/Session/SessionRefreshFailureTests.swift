import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Refreshes that bring nothing: everybody who waits is told why, once.
@MainActor
final class SessionRefreshFailureTests: XCTestCase {
    private struct Outage: Error { let secret = "s3cr3t" }

    /// A hundred calls that wait for one refresh.
    /// - Parameter meanwhile: what happens once all of them wait.
    private static func hundred(
        _ stack: SessionStack, _ meanwhile: @MainActor () async -> Void
    ) async -> [APIError.Kind?] {
        stack.desk.expire()
        let calls = stack.start(100)
        await until { stack.session.waiting == 100 }
        await meanwhile()
        return await calls.values
    }

    func testARefreshThatFailsEndsAllOfThemWithTheReason() async {
        let gate = Gate()
        let stack = SessionStack { request, desk in
            guard request.url.path.hasSuffix("/token") else { return desk.answer(request) }
            await gate.pass()
            return TransportResponse(request, json: #"{"error":"unavailable"}"#, status: 503)
        }
        let kinds = await Self.hundred(stack) { gate.open() }
        guard case .refreshFailed(.failed(let reason))? = kinds[0] else {
            return XCTFail("\(kinds[0] as Any)")
        }
        XCTAssertTrue(reason.hasPrefix("test/token: The server responded to POST "), reason)
        XCTAssertTrue(reason.contains(" with status 503 (service unavailable)"), reason)
        XCTAssertEqual(Set(kinds).count, 1)
        XCTAssertEqual(gate.arrivals, 1)
        XCTAssertEqual(Set(stack.visits.values), [1])
        XCTAssertEqual(stack.session.tokens?.accessToken, "token-1", "a failure loses no token")
    }

    func testTheErrorCarriesTheFailureThatTheCallWaitedFor() async {
        let session = TokenSession { _, _ in throw Outage() }
        let stack = SessionStack(session)
        stack.desk.expire()
        let error = await failure(stack.manager())
        XCTAssertEqual(error?.kind, .refreshFailed(.failed(reason: "it threw a Outage.")))
        XCTAssertEqual(error?.underlying?.kind, .http(status: 401))
        XCTAssertEqual(error?.response?.status, 401)
        XCTAssertEqual(error?.description.contains("s3cr3t"), false)
    }

    func testTheNextCallTriesAgain() async {
        let fails = Locked(true)
        let session = TokenSession { tokens, proxy in
            if fails.current { throw Outage() }
            return try await TokenSession.standardRefresh(tokens, proxy)
        }
        let stack = SessionStack(session)
        stack.desk.expire()
        let first = await failure(stack.manager())
        XCTAssertEqual(first?.kind, .refreshFailed(.failed(reason: "it threw a Outage.")))
        fails.current = false
        let second = await failure(stack.manager())
        XCTAssertNil(second)
    }

    func testACallOnItsWayDuringAFailedRefreshEndsWithTheSameReason() async {
        let gate = Gate()
        let refreshes = Locked(0)
        let session = TokenSession { _, _ in
            refreshes.withLock { $0 += 1 }
            throw Outage()
        }
        let stack = SessionStack(session) { request, desk in
            if request.url.path.hasSuffix("item0") { await gate.pass() }
            return desk.answer(request)
        }
        stack.desk.expire()
        let late = stack.start(1)
        await gate.arrival()
        let prompt = await failure(stack.manager())
        gate.open()
        let kinds = await late.values
        XCTAssertEqual(kinds, [prompt?.kind])
        XCTAssertEqual(refreshes.current, 1)
    }

    func testARefreshThatHangsIsGivenUp() async {
        let gate = Gate()
        let session = TokenSession(
            policy: RefreshPolicy(timeout: 0.01, limit: .max),
            refresh: { tokens, _ in
                await gate.pass()
                return SessionTokens(accessToken: "too late")
            })
        let stack = SessionStack(session)
        stack.desk.expire()
        let kinds = await stack.start(100).values
        XCTAssertEqual(Set(kinds), [.refreshFailed(.timedOut)])
        gate.open()
        XCTAssertFalse(session.isRenewing)
        XCTAssertEqual(session.tokens?.accessToken, "token-1")
    }

    func testARefreshThatIsCancelledEndsAllOfThem() async {
        let gate = Gate()
        let stack = SessionStack { request, desk in
            if request.url.path.hasSuffix("/token") { await gate.pass() }
            return desk.answer(request)
        }
        let kinds = await Self.hundred(stack) {
            await gate.arrival()
            let waiting = stack.stack.proxy.requestIDs
            // The refresh is the call that was made last.
            if let refresh = waiting.last { stack.stack.proxy.cancelRequest(refresh) }
        }
        gate.open()
        XCTAssertEqual(Set(kinds), [.refreshFailed(.cancelled)])
    }

    func testAStormIsLimited() async {
        let now = Locked(Date(timeIntervalSince1970: 0))
        let session = TokenSession(
            policy: RefreshPolicy(limit: 2, window: 60), refresh: TokenSession.standardRefresh,
            now: { now.current })
        let stack = SessionStack(session) { request, desk in
            let response = desk.answer(request)
            if request.url.path.hasSuffix("/token") { desk.expire() }
            return response
        }
        stack.desk.expire()
        for expected in [nil, nil, RefreshFailure.tooMany(limit: 2, window: 60)] {
            let error = await failure(stack.manager())
            XCTAssertEqual(error?.kind, expected.map { .refreshFailed($0) } ?? .http(status: 401))
        }
        XCTAssertEqual(stack.refreshes, 2)
        now.withLock { $0 += 59 }
        let early = await failure(stack.manager())
        XCTAssertEqual(early?.kind, .refreshFailed(.tooMany(limit: 2, window: 60)))
        now.withLock { $0 += 1 }
        let later = await failure(stack.manager())
        XCTAssertEqual(later?.kind, .http(status: 401))
        XCTAssertEqual(stack.refreshes, 3)
        _ = await failure(stack.manager())
        XCTAssertEqual(stack.refreshes, 4)
        // Back by a year: what began in the future does not count.
        now.withLock { $0 -= 365 * 86_400 }
        _ = await failure(stack.manager())
        XCTAssertEqual(stack.refreshes, 5)
    }

    func testARefreshWhoseTokenWorkedDoesNotCountAgainstTheLimit() async {
        let session = TokenSession(
            policy: RefreshPolicy(limit: 2, window: 60), refresh: TokenSession.standardRefresh,
            now: { Date(timeIntervalSince1970: 0) })
        let stack = SessionStack(session)
        for _ in 0..<10 {
            stack.desk.expire()
            let error = await failure(stack.manager())
            XCTAssertNil(error)
        }
        XCTAssertEqual(stack.refreshes, 10)
    }

    func testATokenThatTheServerKnewWorkedWhateverElseWasWrong() async {
        let session = TokenSession(
            policy: RefreshPolicy(limit: 1, window: 60), refresh: TokenSession.standardRefresh,
            now: { Date(timeIntervalSince1970: 0) })
        let stack = SessionStack(session) { request, desk in
            let response = desk.answer(request)
            guard request.url.path.hasSuffix("/products"), response.status == 200 else { return response }
            return TransportResponse(request, json: "", status: 404)
        }
        for _ in 0..<3 {
            stack.desk.expire()
            let error = await failure(stack.manager())
            XCTAssertEqual(error?.kind, .http(status: 404))
        }
    }

    func testACallThatIsPartOfTheRefreshDoesNotWaitForIt() async {
        let inner = Locked<APIError.Kind?>(nil)
        let session = TokenSession { _, proxy in
            let manager = ProductManager()
            manager.proxy = proxy
            inner.current = await failure(manager)?.kind
            throw Outage()
        }
        let stack = SessionStack(session)
        stack.desk.expire()
        let error = await failure(stack.manager())
        XCTAssertEqual(inner.current, .http(status: 401))
        XCTAssertEqual(error?.kind, .refreshFailed(.failed(reason: "it threw a Outage.")))
    }

    func testNorDoesItAfterATimeoutAndARepeat() async {
        let gate = Gate()
        let inner = Locked<APIError.Kind?>(nil)
        let session = TokenSession { _, proxy in
            let manager = ProductManager()
            manager.proxy = proxy
            manager.methodName = "slow"
            manager.ownTimeout = 0.01
            inner.current = await failure(manager)?.kind
            throw Outage()
        }
        let stack = SessionStack(session) { request, desk in
            if request.url.path.hasSuffix("slow") { await gate.pass() }
            return desk.answer(request)
        }
        stack.stack.change { rules in
            rules.intercept = { failure in
                if failure.error.kind == .timedOut { gate.open() }
                return failure.error.kind == .timedOut ? .retry : .report
            }
        }
        stack.desk.expire()
        _ = await failure(stack.manager())
        XCTAssertEqual(inner.current, .http(status: 401))
    }
}
