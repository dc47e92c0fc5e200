import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Tokens that come while a user is asked to log in: whose they are, and which calls go on with them.
@MainActor
final class SessionAdoptTests: XCTestCase {
    /// The user was asked to log in, and the app adopts what came of that, or of something else.
    func testDuringALoginTokensAreAdoptedForTheCallsThatWaitForIt() async {
        let ended = APIError.Kind.loginRequired
        let users: [(before: String?, after: String?, waiting: APIError.Kind?, other: APIError.Kind?)] = [
            (nil, nil, nil, ended), ("alice", nil, nil, ended), (nil, "bob", nil, ended),
            ("alice", "alice", nil, nil), ("alice", "bob", ended, ended),
        ]
        for (before, after, waitingKind, otherKind) in users {
            let login = ParkedLogin()
            let isBusy = Locked(true)
            let stack = SessionStack(TokenSession(login: login), isLoggedIn: false) { request, desk in
                guard request.url.path.hasSuffix("other"), isBusy.current else { return desk.answer(request) }
                return TransportResponse(request, json: "", status: 503)
            }
            stack.stack.change { $0.retry = .standard }
            stack.session.adopt(SessionTokens(accessToken: "illegal", user: before))
            let other = Task { [manager = stack.manager("other")] in await failure(manager)?.kind }
            await stack.stack.clock.waitForSleepers()
            let waiting = Task { [manager = stack.manager("waiting")] in await failure(manager)?.kind }
            await until { stack.session.waiting == 1 && login.count == 1 }
            isBusy.current = false
            var tokens = stack.desk.tokens()
            tokens.user = after
            stack.session.adopt(tokens)
            stack.stack.clock.advance(by: 60)
            let kinds = await [waiting, other].values
            XCTAssertEqual(kinds, [waitingKind, otherKind], "\(before ?? "-") to \(after ?? "-")")
            XCTAssertEqual(stack.visits["waiting"], waitingKind == nil ? 2 : 1)
            XCTAssertEqual(stack.visits["other"], otherKind == nil ? 1 : nil)
            login.answer(.cancelled)
        }
    }

    /// What the login itself returns is taken for the answer of the one who was asked, unless names differ.
    func testTokensReturnedByALoginAreForAllCalls() async {
        let login = ParkedLogin()
        let stack = SessionStack(TokenSession(login: login), isLoggedIn: false) { request, desk in
            let response = desk.answer(request)
            let isOther = request.url.path.hasSuffix("other") && response.status != 200
            return isOther ? TransportResponse(request, json: "", status: 503) : response
        }
        stack.stack.change { $0.retry = .standard }
        stack.session.adopt(SessionTokens(accessToken: "illegal"))
        let other = Task { [manager = stack.manager("other")] in await failure(manager)?.kind }
        await stack.stack.clock.waitForSleepers()
        let waiting = Task { [manager = stack.manager("waiting")] in await failure(manager)?.kind }
        await until { stack.session.waiting == 1 && login.count == 1 }
        login.answer(.loggedIn(stack.desk.tokens()))
        let first = await waiting.value
        XCTAssertNil(first)
        stack.stack.clock.advance(by: 60)
        let second = await other.value
        XCTAssertNil(second)
        XCTAssertEqual(stack.visits, ["waiting": 2, "other": 2])
    }

    /// One who waits for a login goes on for whoever was adopted, and ends when that one leaves.
    func testACallThatWaitedBelongsToWhoeverWasAdopted() async throws {
        let login = ParkedLogin()
        let stack = SessionStack(TokenSession(login: login), isLoggedIn: false) { request, desk in
            let response = desk.answer(request)
            return response.status == 401 ? response : TransportResponse(request, json: "", status: 503)
        }
        stack.stack.change { $0.retry = .standard }
        stack.session.adopt(SessionTokens(accessToken: "illegal"))
        let call = Task { [manager = stack.manager()] in await failure(manager)?.kind }
        await until { stack.session.waiting == 1 && login.count == 1 }
        stack.session.adopt(stack.desk.tokens())
        await stack.stack.clock.waitForSleepers()
        try await stack.session.logOut()
        stack.session.adopt(stack.desk.tokens())
        let kind = await call.value
        XCTAssertEqual(kind, .loginRequired)
        XCTAssertEqual(stack.visits["products"], 2)
        login.answer(.cancelled)
    }
}
