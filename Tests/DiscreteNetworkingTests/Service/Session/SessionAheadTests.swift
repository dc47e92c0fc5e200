import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Refreshing before the token is expired.
@MainActor
final class SessionAheadTests: XCTestCase {
    private static let start = Date(timeIntervalSince1970: 1_000_000)

    /// Logged in at the start with a token for an hour, to be refreshed in its last minute.
    private static func stack(
        _ now: Locked<Date>, ahead: TimeInterval = 60, expiry: TimeInterval = 3600,
        refresh: @escaping TokenSession.Refresh = TokenSession.standardRefresh
    ) -> SessionStack {
        let session = TokenSession(
            policy: RefreshPolicy(ahead: ahead), refresh: refresh, now: { now.current })
        let stack = SessionStack(session, isLoggedIn: false)
        session.adopt(stack.desk.tokens(expiry: start + expiry))
        return stack
    }

    func testInTheLastMinuteACallRefreshesInTheBackground() async {
        let now = Locked(Self.start)
        let gate = Gate()
        let stack = Self.stack(now) { tokens, proxy in
            await gate.pass()
            return try await TokenSession.standardRefresh(tokens, proxy)
        }
        now.current = Self.start + 3539
        _ = await failure(stack.manager())
        XCTAssertFalse(stack.session.isRenewing)
        now.current = Self.start + 3540
        // Nobody waits: the token is good.
        for _ in 0..<3 {
            let error = await failure(stack.manager())
            XCTAssertNil(error)
        }
        XCTAssertEqual(stack.transport.requests.last?.headers["Authorization"], "Bearer token-1")
        gate.open()
        await until { !stack.session.isRenewing }
        _ = await failure(stack.manager())
        XCTAssertEqual(stack.transport.requests.last?.headers["Authorization"], "Bearer token-2")
        XCTAssertEqual(stack.refreshes, 1)
    }

    func testAfterItsEndNoCallGoesOutWithTheToken() async {
        let now = Locked(Self.start)
        let stack = Self.stack(now)
        now.current = Self.start + 3600
        let error = await failure(stack.manager())
        XCTAssertNil(error)
        XCTAssertEqual(stack.visits["products"], 1)
        XCTAssertEqual(stack.refreshes, 1)
    }

    func testOffMeansOff() async {
        let now = Locked(Self.start)
        let stack = Self.stack(now, ahead: 0)
        now.current = Self.start + 4000
        let error = await failure(stack.manager())
        XCTAssertNil(error)
        XCTAssertEqual(stack.refreshes, 0)
    }

    func testAnAdoptedTokenThatExpiresSoonIsRefreshedAtTheFirstCall() async {
        let now = Locked(Self.start)
        let stack = Self.stack(now, expiry: 30)
        for _ in 0..<3 {
            let error = await failure(stack.manager())
            XCTAssertNil(error)
            await until { !stack.session.isRenewing }
        }
        XCTAssertEqual(stack.refreshes, 1)
        XCTAssertEqual(stack.transport.requests.last?.headers["Authorization"], "Bearer token-2")
    }

    func testAnAdoptedTokenThatHasExpiredIsRefreshedBeforeTheFirstCall() async {
        let now = Locked(Self.start)
        let stack = Self.stack(now, expiry: -30)
        for _ in 0..<3 {
            let error = await failure(stack.manager())
            XCTAssertNil(error)
        }
        XCTAssertEqual(stack.refreshes, 1)
        XCTAssertEqual(
            Set(stack.transport.requests.compactMap { $0.headers["Authorization"] }), ["Bearer token-2"])
    }

    /// A token that a refresh yields may be short-lived, or the clock of the device wrong.
    func testARefreshedTokenThatIsShortLivedIsNotRefreshedWithEveryCall() async {
        for expiry in [30, -30] as [TimeInterval] {
            let now = Locked(Self.start)
            let refreshes = Locked(0)
            let stack = Self.stack(now, expiry: -30) { tokens, _ in
                refreshes.withLock { $0 += 1 }
                return SessionTokens(accessToken: tokens.accessToken, expiry: Self.start + expiry)
            }
            for _ in 0..<3 { _ = await failure(stack.manager()) }
            XCTAssertEqual(refreshes.current, 1)
        }
    }

    func testARefreshAheadThatFailsHurtsNobodyBeforeTheEnd() async {
        let now = Locked(Self.start)
        let attempts = Locked(0)
        for problem in [CancellationError(), SessionProblem.invalid] as [any Error] {
            attempts.current = 0
            now.current = Self.start
            let stack = Self.stack(now) { _, _ in
                attempts.withLock { $0 += 1 }
                throw problem
            }
            now.current = Self.start + 3540
            for _ in 0..<3 {
                let error = await failure(stack.manager())
                XCTAssertNil(error)
                await until { !stack.session.isRenewing }
            }
            XCTAssertEqual(attempts.current, 1)
            now.current = Self.start + 3600
            let error = await failure(stack.manager())
            XCTAssertEqual(
                error?.kind, problem is SessionProblem ? .loginRequired : .refreshFailed(.cancelled))
            XCTAssertEqual(attempts.current, 2)
        }
    }

    func testACallThatFailsDuringARefreshAheadWaitsForIt() async {
        let now = Locked(Self.start)
        let gate = Gate()
        let stack = Self.stack(now) { _, _ in
            await gate.pass()
            throw CancellationError()
        }
        now.current = Self.start + 3540
        stack.desk.expire()
        let call = stack.start(1)
        await until { stack.session.waiting == 1 }
        gate.open()
        let kinds = await call.values
        XCTAssertEqual(kinds, [.refreshFailed(.cancelled)], "somebody waited, so the failure is told")
    }

    func testWhenSomebodyWaitsForItTheUserIsAskedToo() async {
        let now = Locked(Self.start)
        let gate = Gate()
        let stack = Self.stack(now) { _, _ in
            await gate.pass()
            throw SessionProblem.invalid
        }
        let login = LoginStub { _ in .cancelled }
        stack.session.login = login
        now.current = Self.start + 3540
        stack.desk.expire()
        let call = stack.start(1)
        await until { stack.session.waiting == 1 }
        gate.open()
        let kinds = await call.values
        XCTAssertEqual(kinds, [.loginCancelled])
        XCTAssertEqual(login.logins, 1)
    }
}
