import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// A call belongs to the user for whom it was made, from its first step to its last.
@MainActor
final class SessionUserTests: XCTestCase {
    /// What happens while a call of Alice's waits.
    private enum Change: CaseIterable { case logout, logoutAndLogin, anotherLogin }

    private let session = TokenSession()

    private func stack(
        _ transport: any Transport, _ change: (inout TestService.Rules) -> Void = { _ in }
    ) -> Stack {
        session.adopt(SessionTokens(accessToken: "alice"))
        return Stack(transport) { [session] rules in
            rules.session = session
            change(&rules)
        }
    }

    private func make(_ change: Change) async throws {
        if change != .anotherLogin { try await session.logOut() }
        if change != .logout { session.adopt(SessionTokens(accessToken: "bob")) }
    }

    private func put(_ stack: Stack, _ change: (ProductManager) -> Void = { _ in }) -> Task<APIError?, Never>
    {
        let manager = stack.manager(ProductManager())
        manager.requestType = .put
        change(manager)
        return Task { await failure(manager) }
    }

    private nonisolated static func tokens(_ transport: ClosureTransport) -> [String?] {
        transport.requests.map { $0.headers["Authorization"] }
    }

    func testACallThatIsToBeRetriedEndsWithTheUser() async throws {
        for change in Change.allCases {
            let transport = ClosureTransport(json: "", status: 503)
            let stack = stack(transport) { $0.retry = .standard }
            let call = put(stack)
            await stack.clock.waitForSleepers()
            try await make(change)
            let error = await call.value
            XCTAssertEqual(error?.kind, .loginRequired, "\(change)")
            XCTAssertEqual(error?.underlying?.kind, .http(status: 503), "\(change)")
            XCTAssertEqual(Self.tokens(transport), ["Bearer alice"], "\(change)")
        }
    }

    func testOneThatTheServiceRepeatsToo() async throws {
        for change in Change.allCases {
            let transport = ClosureTransport(json: "", status: 503)
            let stack = stack(transport) { $0.intercept = { _ in .retry(after: 60) } }
            let call = put(stack)
            await stack.clock.waitForSleepers()
            try await make(change)
            let error = await call.value
            XCTAssertEqual(error?.kind, .loginRequired, "\(change)")
            XCTAssertEqual(Self.tokens(transport), ["Bearer alice"], "\(change)")
        }
    }

    func testADebouncedCallEndsWithTheUser() async throws {
        for change in Change.allCases {
            let transport = ClosureTransport(json: teapot)
            let stack = stack(transport)
            let call = put(stack) { $0.policy = .debounce(1) }
            await stack.clock.waitForSleepers()
            try await make(change)
            let error = await call.value
            XCTAssertEqual(error?.kind, .loginRequired, "\(change)")
            XCTAssertEqual(Self.tokens(transport), [], "\(change)")
        }
    }

    func testACallThatWaitsForTheNetworkEndsWithTheUser() async throws {
        for change in Change.allCases {
            let transport = ClosureTransport(json: teapot)
            let stack = stack(Wire(stub: transport))
            stack.reachability.isConnected = false
            let call = put(stack) { $0.ownNetwork = .waiting() }
            await until { stack.reachability.hasListeners }
            try await make(change)
            let error = await call.value
            XCTAssertEqual(error?.kind, .loginRequired, "\(change)")
            XCTAssertEqual(Self.tokens(transport), [], "\(change)")
        }
    }

    func testACallWhoseRequestIsBeingMadeEndsWithTheUser() async throws {
        for change in Change.allCases {
            let gate = Gate()
            let transport = ClosureTransport(json: teapot)
            let stack = stack(transport) { $0.adapt = { _, _ in await gate.pass() } }
            let call = put(stack)
            await gate.arrival()
            try await make(change)
            gate.open()
            let error = await call.value
            XCTAssertEqual(error?.kind, .loginRequired, "\(change)")
            XCTAssertEqual(Self.tokens(transport), [], "\(change)")
        }
    }

    /// Somebody else logs in just before the tokens are taken: no adapter, such as one that signs, sees the call with
    /// the next user's token.
    func testNoRequestIsMadeWithTheNextUsersToken() async {
        final class Successor: SessionLogin {
            func isLoggedIn(to session: TokenSession) -> Bool {
                session.adopt(SessionTokens(accessToken: "bob"))
                return true
            }
            func logIn(to session: TokenSession) async -> LoginOutcome { .cancelled }
        }
        let transport = ClosureTransport(json: teapot)
        let made = Locked(0)
        let stack = stack(transport) { $0.adapt = { _, _ in made.withLock { $0 += 1 } } }
        session.login = Successor()
        let error = await put(stack) { $0.needsLogin = true }.value
        XCTAssertEqual(error?.kind, .loginRequired)
        XCTAssertEqual(made.current, 0)
        XCTAssertEqual(Self.tokens(transport), [])
    }

    func testACallWithAnExpiredTokenIsNotRepeatedForAnother() async throws {
        for change in Change.allCases {
            let gate = Gate()
            let transport = ClosureTransport { request in
                await gate.pass()
                return TransportResponse(request, json: "", status: 401)
            }
            let stack = stack(transport)
            let call = put(stack)
            await gate.arrival()
            try await make(change)
            gate.open()
            let error = await call.value
            XCTAssertEqual(error?.kind, .loginRequired, "\(change)")
            XCTAssertEqual(Self.tokens(transport), ["Bearer alice"], "\(change)")
        }
    }

    func testCallOfTheUserBeforeIsNotJoined() async throws {
        for change in Change.allCases {
            let gate = Gate()
            let transport = ClosureTransport { request in
                await gate.pass()
                return TransportResponse(request, json: teapot)
            }
            let stack = stack(transport)
            let manager = stack.manager(ProductManager())
            manager.policy = .ignoreNew
            manager.loadData()
            await gate.arrival()
            try await make(change)
            let other = Task { await failure(manager) }
            await gate.arrival(2)
            gate.open()
            _ = await other.value
            XCTAssertEqual(
                Self.tokens(transport), ["Bearer alice", change == .logout ? nil : "Bearer bob"], "\(change)")
        }
    }

    // MARK: Users with names

    func testTheSameUserMayGetNewTokens() async throws {
        let transport = ClosureTransport { request in
            let isNew = request.headers["Authorization"] == "Bearer new"
            return TransportResponse(request, json: teapot, status: isNew ? 200 : 503)
        }
        let stack = stack(transport) { $0.retry = .standard }
        session.adopt(SessionTokens(accessToken: "old", user: "alice"))
        let call = put(stack)
        await stack.clock.waitForSleepers()
        session.adopt(SessionTokens(accessToken: "new", user: "alice"))
        stack.clock.advance(by: 60)
        let error = await call.value
        XCTAssertNil(error)
        XCTAssertEqual(Self.tokens(transport), ["Bearer old", "Bearer new"])
    }

    func testALoginOfAnotherUserEndsTheCallsThatAskedForIt() async {
        for (user, kind) in [("alice", nil), ("bob", .loginRequired)] as [(String, APIError.Kind?)] {
            let desk = Locked<TokenDesk?>(nil)
            let login = LoginStub { _ in
                guard var tokens = desk.current?.tokens() else { return .cancelled }
                tokens.user = user
                return .loggedIn(tokens)
            }
            let stack = SessionStack(TokenSession(login: login))
            desk.current = stack.desk
            stack.session.adopt(SessionTokens(accessToken: "illegal", user: "alice"))
            let error = await failure(stack.manager())
            XCTAssertEqual(error?.kind, kind)
            XCTAssertEqual(stack.visits["products"], user == "alice" ? 2 : 1)
            let next = await failure(stack.manager())
            XCTAssertNil(next)
        }
    }

    func testARefreshKeepsTheUser() async {
        let stack = SessionStack()
        var tokens = stack.desk.tokens()
        tokens.user = "alice"
        stack.session.adopt(tokens)
        stack.desk.expire()
        let error = await failure(stack.manager())
        XCTAssertNil(error)
        XCTAssertEqual(stack.session.tokens?.user, "alice")
    }

    // MARK: What is no matter of users

    func testCallThatNeedsNoSessionSurvivesAChangeOfUser() async throws {
        let transport = ClosureTransport(json: teapot)
        let stack = stack(transport)
        let call = put(stack) {
            $0.policy = .debounce(1)
            $0.ownSessionUse = false
        }
        await stack.clock.waitForSleepers()
        try await make(.logoutAndLogin)
        stack.clock.advance(by: 1)
        let error = await call.value
        XCTAssertNil(error)
    }

    func testAnAnswerOnItsWayIsStillGivenToWhoeverAsked() async throws {
        let gate = Gate()
        let transport = ClosureTransport { request in
            await gate.pass()
            return TransportResponse(request, json: teapot)
        }
        let stack = stack(transport)
        let call = put(stack)
        await gate.arrival()
        try await make(.logoutAndLogin)
        gate.open()
        let error = await call.value
        XCTAssertNil(error)
    }

    func testACallThatNobodyHasMadeBelongsToWhoeverLogsInNext() async throws {
        let transport = ClosureTransport(json: teapot)
        let stack = stack(transport)
        try await make(.logout)
        let call = put(stack) { $0.policy = .debounce(1) }
        await stack.clock.waitForSleepers()
        session.adopt(SessionTokens(accessToken: "bob"))
        stack.clock.advance(by: 1)
        let error = await call.value
        XCTAssertNil(error)
        XCTAssertEqual(Self.tokens(transport), ["Bearer bob"])
    }
}
