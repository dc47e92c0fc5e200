import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Illegal tokens and missing logins: one question to the user, however many calls wait.
@MainActor
final class SessionLoginTests: XCTestCase {
    /// A session whose user logs in with good tokens, or as told, once a gate is open.
    private static func stack(
        isLoggedIn: Bool = true, _ outcome: LoginOutcome? = nil, gate: Gate? = nil,
        refresh: TokenSession.Refresh? = TokenSession.standardRefresh
    ) -> (SessionStack, LoginStub) {
        let desk = Locked<TokenDesk?>(nil)
        let login = LoginStub { _ in
            await gate?.pass()
            return outcome ?? desk.current.map { .loggedIn($0.tokens()) } ?? .cancelled
        }
        let stack = SessionStack(TokenSession(login: login, refresh: refresh), isLoggedIn: isLoggedIn)
        desk.current = stack.desk
        return (stack, login)
    }

    func testAHundredCallsWithAnIllegalTokenAskForOneLogin() async {
        let gate = Gate()
        let (stack, login) = Self.stack(gate: gate)
        stack.desk.revoke()
        let calls = stack.start(100)
        await until { stack.session.waiting == 100 }
        gate.open()
        let kinds = await calls.values
        XCTAssertEqual(Set(kinds), [nil])
        XCTAssertEqual(login.logins, 1)
        XCTAssertEqual(stack.refreshes, 0)
        XCTAssertEqual(Set(stack.visits.values), [2])
    }

    func testALoginThatDoesNotComeAboutEndsAllOfThem() async {
        for (outcome, kind) in [
            (.cancelled, .loginCancelled), (.failed(CancellationError()), .loginRequired),
        ]
            as [(LoginOutcome, APIError.Kind)]
        {
            let gate = Gate()
            let (stack, login) = Self.stack(outcome, gate: gate)
            stack.desk.revoke()
            let calls = stack.start(100)
            await until { stack.session.waiting == 100 }
            gate.open()
            let kinds = await calls.values
            XCTAssertEqual(Set(kinds), [kind])
            XCTAssertEqual(login.logins, 1)
            let next = await failure(stack.manager())
            XCTAssertEqual(next?.kind, kind)
            XCTAssertEqual(login.logins, 2, "the next call asks again")
        }
    }

    func testTheErrorOfTheLoginIsUnderlying() async {
        let stack = Locked<Stack?>(nil)
        let login = LoginStub { _ in
            guard let manager = stack.current?.manager(RefreshManager()) else { return .cancelled }
            do {
                return .loggedIn(SessionTokens(try await manager.load()))
            } catch {
                return .failed(error)
            }
        }
        let made = SessionStack(TokenSession(login: login)) { request, desk in
            guard request.url.path.hasSuffix("/token") else { return desk.answer(request) }
            return TransportResponse(request, json: #"{"message":"Wrong password"}"#, status: 403)
        }
        stack.current = made.stack
        made.desk.revoke()
        let error = await failure(made.manager())
        XCTAssertEqual(error?.kind, .loginRequired)
        XCTAssertEqual(error?.underlying?.kind, .http(status: 403))
        XCTAssertEqual(error?.underlying?.methodName, "token")
        XCTAssertEqual(error?.response?.status, 401, "its own response, and not the login's")
        let text = error?.localizedDescription ?? ""
        XCTAssertTrue(text.contains(": The user has to log in first"), text)
        XCTAssertTrue(text.contains("test/token "), text)
        XCTAssertTrue(text.contains("403 (forbidden)"), text)
    }

    func testProposedTheLoginsAnswerIsNotTheCalls() async {
        let stack = Locked<Stack?>(nil)
        let login = LoginStub { _ in
            guard let manager = stack.current?.manager(RefreshManager()) else { return .cancelled }
            do {
                return .loggedIn(SessionTokens(try await manager.load()))
            } catch {
                return .failed(error)
            }
        }
        let made = SessionStack(TokenSession(login: login), isLoggedIn: false) { request, desk in
            TransportResponse(request, json: #"{"message":"Wrong password"}"#, status: 403)
        }
        stack.current = made.stack
        let manager = made.manager()
        manager.needsLogin = true
        let error = await failure(manager)
        XCTAssertEqual(error?.kind, .loginRequired)
        XCTAssertEqual(error?.underlying?.kind, .http(status: 403))
        XCTAssertNil(error?.response, "it was never sent")
    }

    func testAnErrorOfAnotherKindIsNamedByItsType() async {
        struct WrongFinger: Error { let secret = "s3cr3t" }
        let (stack, _) = Self.stack(.failed(WrongFinger()))
        stack.desk.revoke()
        let error = await failure(stack.manager())
        XCTAssertEqual(error?.kind, .loginRequired)
        XCTAssertEqual(error?.underlying?.kind, .loginFailed(reason: "it threw a WrongFinger."))
        XCTAssertEqual(error?.underlying?.underlying?.kind, .http(status: 401), "why the user was asked")
        XCTAssertEqual(error?.description.contains("WrongFinger"), true)
        XCTAssertEqual(error?.description.contains("s3cr3t"), false)
    }

    func testWithoutAnybodyWhoLogsInTheCallsEnd() async {
        let stack = SessionStack()
        stack.desk.revoke()
        let error = await failure(stack.manager())
        XCTAssertEqual(error?.kind, .loginRequired)
        XCTAssertEqual(error?.underlying?.kind, .http(status: 401))
    }

    func testATokenThatIsIllegalAgainIsReported() async {
        let (stack, login) = Self.stack(.loggedIn(SessionTokens(accessToken: "forged")))
        stack.desk.revoke()
        let error = await failure(stack.manager())
        XCTAssertEqual(error?.kind, .http(status: 401))
        XCTAssertEqual(login.logins, 1)
        XCTAssertEqual(stack.visits["products"], 2)
    }

    func testAnExpiredTokenWhoseSuccessorIsIllegalIsRefreshedThenAskedFor() async {
        let (stack, login) = Self.stack(refresh: { _, _ in SessionTokens(accessToken: "forged") })
        stack.desk.expire()
        let error = await failure(stack.manager())
        XCTAssertNil(error)
        XCTAssertEqual(login.logins, 1)
        XCTAssertEqual(stack.visits["products"], 3)
    }

    // MARK: Expired, and nothing to refresh

    func testWithoutATokenALoginIsAskedFor() async {
        let (stack, login) = Self.stack(isLoggedIn: false)
        let error = await failure(stack.manager())
        XCTAssertNil(error)
        XCTAssertEqual(login.logins, 1)
    }

    func testWithoutARefreshALoginIsAskedFor() async {
        let (stack, login) = Self.stack(refresh: nil)
        stack.desk.expire()
        let error = await failure(stack.manager())
        XCTAssertNil(error)
        XCTAssertEqual(login.logins, 1)
    }

    func testARefreshMayFindOutThatALoginIsNeeded() async {
        let gate = Gate()
        let (stack, login) = Self.stack(gate: gate, refresh: { _, _ in throw SessionProblem.invalid })
        stack.desk.expire()
        let calls = stack.start(100)
        await until { stack.session.waiting == 100 }
        gate.open()
        let kinds = await calls.values
        XCTAssertEqual(Set(kinds), [nil])
        XCTAssertEqual(login.logins, 1)
    }

    /// RFC 6749 section 5.2
    func testARefreshTokenThatIsNoLongerGoodAsksForALogin() async {
        let desk = Locked<TokenDesk?>(nil)
        let login = LoginStub { _ in desk.current.map { .loggedIn($0.tokens()) } ?? .cancelled }
        let session = TokenSession(login: login, refresh: TokenSession.standardRefresh)
        let stack = SessionStack(session) { request, desk in
            guard request.url.path.hasSuffix("/token") else { return desk.answer(request) }
            let json = #"{"error":"invalid_grant","error_description":"Token revoked"}"#
            return TransportResponse(request, json: json, status: 400)
        }
        desk.current = stack.desk
        stack.desk.expire()
        let error = await failure(stack.manager())
        XCTAssertNil(error)
        XCTAssertEqual(login.logins, 1)
    }

    /// RFC 6749 section 5.2, and what backends answer that do not follow it.
    func testARejectedRefreshTokenAsksForALoginOnce() async {
        for (status, json) in [
            (400, "{}"), (401, ""), (403, #"{"error":"expired"}"#), (200, #"{"id":"expired_access_token"}"#),
        ] {
            let desk = Locked<TokenDesk?>(nil)
            let login = LoginStub { _ in desk.current.map { .loggedIn($0.tokens()) } ?? .cancelled }
            let session = TokenSession(login: login, refresh: TokenSession.standardRefresh)
            let stack = SessionStack(session) { request, desk in
                guard request.url.path.hasSuffix("/token") else { return desk.answer(request) }
                return TransportResponse(request, json: json, status: status)
            }
            desk.current = stack.desk
            stack.desk.expire()
            let calls = (0..<5).map { _ in Task { await failure(stack.manager()) } }
            for call in calls {
                let error = await call.value
                XCTAssertNil(error, "\(status)")
            }
            XCTAssertEqual(login.logins, 1, "\(status)")
        }
    }

    /// A backend that rotates refresh tokens takes a second use for theft (RFC 9700 section 4.14.2).
    func testARejectedRefreshTokenIsNotSentAgain() async {
        let (sent, accepts) = (Locked(0), Locked(false))
        let session = TokenSession(refresh: TokenSession.standardRefresh)
        let stack = SessionStack(session) { request, desk in
            guard request.url.path.hasSuffix("/token") else { return desk.answer(request) }
            sent.withLock { $0 += 1 }
            guard accepts.current else {
                return TransportResponse(request, json: #"{"error":"invalid_grant"}"#, status: 400)
            }
            return TransportResponse(
                request, json: #"{"access_token":"\#(desk.tokens().accessToken)","token_type":"bearer"}"#)
        }
        stack.desk.expire()
        for _ in 0..<8 {
            let error = await failure(stack.manager())
            XCTAssertEqual(error?.kind, .loginRequired)
        }
        XCTAssertEqual(sent.current, 1)
        accepts.current = true
        session.adopt(stack.desk.tokens())
        stack.desk.expire()
        let error = await failure(stack.manager())
        XCTAssertNil(error)
        XCTAssertEqual(sent.current, 2, "another token may be sent")
    }

    func testARefreshThatFailsForAnotherReasonAsksForNoLogin() async {
        for status in [404, 429, 500, 503] {
            let login = LoginStub { _ in .cancelled }
            let session = TokenSession(login: login, refresh: TokenSession.standardRefresh)
            let stack = SessionStack(session) { request, desk in
                guard request.url.path.hasSuffix("/token") else { return desk.answer(request) }
                return TransportResponse(request, json: "{}", status: status)
            }
            stack.desk.expire()
            let error = await failure(stack.manager())
            guard case .refreshFailed? = error?.kind else { return XCTFail("\(error as Any)") }
            XCTAssertEqual(login.logins, 0)
        }
    }

    func testOtherErrorsOfARefreshAskForNoLogin() async {
        for code in ["invalid_client", "unauthorized_client", "invalid_request", "server_error"] {
            let login = LoginStub { _ in .cancelled }
            let session = TokenSession(login: login, refresh: TokenSession.standardRefresh)
            let stack = SessionStack(session) { request, desk in
                guard request.url.path.hasSuffix("/token") else { return desk.answer(request) }
                return TransportResponse(request, json: #"{"error":"\#(code)"}"#, status: 400)
            }
            stack.desk.expire()
            let error = await failure(stack.manager())
            guard case .refreshFailed? = error?.kind else { return XCTFail("\(error as Any)") }
            XCTAssertEqual(login.logins, 0)
        }
    }

    func testTheTimeoutOfARefreshIsNotThatOfALogin() async {
        let login = LoginStub { _ in
            // Deadlines come in order: when this one is met, that of the refresh would have been.
            let later = Promise<Void>()
            _ = Deadlines.shared.schedule(after: 0.06) { later.fulfil(()) }
            await later.value
            return .cancelled
        }
        let session = TokenSession(
            login: login, policy: RefreshPolicy(timeout: 0.05),
            refresh: { _, _ in throw SessionProblem.invalid })
        let stack = SessionStack(session)
        stack.desk.expire()
        let error = await failure(stack.manager())
        XCTAssertEqual(error?.kind, .loginCancelled)
    }

    // MARK: No permission

    func testWithAGoodTokenAMissingPermissionIsReported() async {
        let (stack, login) = Self.stack()
        stack.stack.change { $0.problem = { _ in .forbidden } }
        stack.desk.expire()
        let error = await failure(stack.manager())
        XCTAssertEqual(error?.kind, .http(status: 401))
        XCTAssertEqual(login.logins, 0)
    }

    // MARK: Managers that require a login

    func testACallThatRequiresALoginDoesNotGoOutBefore() async {
        let gate = Gate()
        let (stack, login) = Self.stack(isLoggedIn: false, gate: gate)
        let managers = (0..<100).map { stack.manager("item\($0)") }
        for manager in managers { manager.needsLogin = true }
        let calls = managers.map { manager in Task { await failure(manager)?.kind } }
        await until { stack.session.waiting == 100 }
        XCTAssertEqual(stack.visits, [:])
        gate.open()
        let kinds = await calls.values
        XCTAssertEqual(Set(kinds), [nil])
        XCTAssertEqual(login.logins, 1)
        XCTAssertEqual(Set(stack.visits.values), [1])
    }

    func testACancelledLoginEndsItWithoutAnyTraffic() async {
        let (stack, _) = Self.stack(isLoggedIn: false, .cancelled)
        let manager = stack.manager()
        manager.needsLogin = true
        let error = await failure(manager)
        XCTAssertEqual(error?.kind, .loginCancelled)
        XCTAssertNil(error?.underlying)
        XCTAssertEqual(stack.visits, [:])
    }

    func testTheAppMaySayWhoIsLoggedIn() async {
        final class Guest: SessionLogin {
            func isLoggedIn(to session: TokenSession) -> Bool {
                session.tokens?.accessToken.hasPrefix("guest") == false
            }
            func logIn(to session: TokenSession) async -> LoginOutcome { .cancelled }
        }
        let stack = SessionStack(TokenSession(login: Guest()))
        let manager = stack.manager()
        manager.needsLogin = true
        let member = await failure(manager)
        XCTAssertNil(member)
        stack.session.adopt(SessionTokens(accessToken: "guest-1"))
        let guest = await failure(manager)
        XCTAssertEqual(guest?.kind, .loginCancelled)
    }

    func testWithoutASessionThereIsNothingToLogInTo() async {
        let stack = Stack(ClosureTransport(json: teapot))
        let manager = stack.manager(ProductManager())
        manager.needsLogin = true
        let error = await failure(manager)
        guard case .invalidRequest(let reason)? = error?.kind else { return XCTFail("\(error as Any)") }
        XCTAssertTrue(reason.contains("has no session"), reason)
    }

    func testOtherCallsGoOutWhileTheUserLogsIn() async {
        let gate = Gate()
        let (stack, _) = Self.stack(isLoggedIn: false, gate: gate)
        stack.stack.change { rules in
            rules.problem = { $0.call.methodName == "private" ? .invalid : nil }
        }
        let waiting = Task { [manager = stack.manager("private")] in await failure(manager)?.kind }
        await until { stack.session.waiting == 1 }
        // The captcha of the login screen, for example.
        let other = await failure(stack.manager("public"))
        XCTAssertEqual(other?.kind, .http(status: 401))
        gate.open()
        let kind = await waiting.value
        XCTAssertNil(kind)
    }

    // MARK: Logging in and out by other ways

    func testTokensFromElsewhereReleaseWhoeverWaits() async {
        let gate = Gate()
        let (stack, login) = Self.stack(.cancelled, gate: gate)
        stack.desk.revoke()
        let calls = stack.start(10)
        await until { stack.session.waiting == 10 }
        await gate.arrival()
        stack.session.adopt(stack.desk.tokens())
        let kinds = await calls.values
        XCTAssertEqual(Set(kinds), [nil])
        gate.open()
        XCTAssertEqual(login.logins, 1)
        XCTAssertEqual(
            stack.session.tokens?.accessToken, "token-2", "the login that was overtaken counts no more")
    }

    func testALogoutEndsWhoeverWaits() async throws {
        let gate = Gate()
        let (stack, login) = Self.stack(gate: gate)
        stack.desk.revoke()
        let calls = stack.start(10)
        await until { stack.session.waiting == 10 }
        try await stack.session.logOut()
        let kinds = await calls.values
        XCTAssertEqual(Set(kinds), [.loginRequired])
        XCTAssertEqual(login.logouts, 1)
        gate.open()
        XCTAssertNil(stack.session.tokens)
    }

    func testNoCallOfTheUserBeforeIsRepeatedForTheOneAfter() async throws {
        let gate = Gate()
        let stack = SessionStack { request, desk in
            let response = desk.answer(request)
            if response.status == 401 { await gate.pass() }
            return response
        }
        stack.desk.expire()
        let late = stack.start(1)
        await gate.arrival()
        try await stack.session.logOut()
        stack.session.adopt(stack.desk.tokens())
        gate.open()
        let kinds = await late.values
        XCTAssertEqual(kinds, [.loginRequired])
        XCTAssertEqual(stack.visits["item0"], 1)
    }
}
