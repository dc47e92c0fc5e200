import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Renewals that need each other, and what outlives the renewal in which it began.
@MainActor
final class SessionCircleTests: XCTestCase {
    /// Two services of one proxy; the refresh of each calls the other.
    @MainActor
    private final class Pair {
        let proxy: ApiProxy
        let sessions: [TokenSession]
        let now = Locked(Date(timeIntervalSince1970: 0))
        private let identifiers: [ServiceIdentifier] = [.test, .other]

        /// - Parameter isKnown: whether the sessions know themselves that their tokens are expired.
        init(_ transport: ClosureTransport, isKnown: Bool) {
            let bothHaveBegun = Gate()
            let services = ServiceFactory()
            proxy = ApiProxy(transport: transport, services: services)
            let clock = now
            sessions = [ServiceIdentifier.other, .test].map { other in
                TokenSession(
                    policy: RefreshPolicy(ahead: 1, timeout: .infinity),
                    refresh: { tokens, proxy in
                        await bothHaveBegun.pass()
                        let manager = ProductManager()
                        manager.serviceIdentifier = other
                        manager.proxy = proxy
                        _ = try await manager.load()
                        return SessionTokens(accessToken: "new")
                    }, now: { clock.current })
            }
            Task {
                await bothHaveBegun.arrival(2)
                bothHaveBegun.open()
            }
            for (identifier, session) in zip(identifiers, sessions) {
                services.register([identifier: { TestService { $0.session = session } }])
                session.adopt(
                    SessionTokens(accessToken: "old", expiry: isKnown ? now.current + 60 : nil))
            }
            now.current += 120
        }

        func kinds() async -> [APIError.Kind?] {
            let calls = identifiers.map { identifier in
                let manager = ProductManager()
                manager.serviceIdentifier = identifier
                manager.proxy = proxy
                return Task { await failure(manager)?.kind }
            }
            return await calls.values
        }
    }

    func testRefreshesThatCallEachOthersServiceDoNotWaitForEachOther() async {
        let pair = Pair(
            ClosureTransport { request in
                let isNew = request.headers["Authorization"] == "Bearer new"
                return TransportResponse(request, json: teapot, status: isNew ? 200 : 401)
            }, isKnown: false)
        for kind in await pair.kinds() {
            // One refresh was rejected with 401, and there is no login; the other one depended on it.
            switch kind {
            case .loginRequired: break
            case .refreshFailed(.failed(let reason)):
                XCTAssertTrue(reason.contains("The user has to log in first"), reason)
            default: XCTFail("\(kind as Any)")
            }
        }
    }

    func testRefreshesInACircleUseTheCurrentTokens() async {
        let pair = Pair(ClosureTransport(json: teapot), isKnown: true)
        let kinds = await pair.kinds()
        XCTAssertEqual(kinds, [nil, nil])
        XCTAssertEqual(pair.sessions.map { $0.tokens?.accessToken }, ["new", "new"])
    }

    func testATaskThatOutlivesTheLoginInWhichItBeganIsHelpedAgain() async throws {
        let gate = Gate()
        let late = Locked<Task<APIError.Kind?, Never>?>(nil)
        let stack = Locked<SessionStack?>(nil)
        let login = LoginStub { _ in
            guard let stack = stack.current else { return .cancelled }
            late.current = Task {
                await gate.pass()
                return await failure(stack.manager("late"))?.kind
            }
            return .loggedIn(stack.desk.tokens())
        }
        let made = SessionStack(TokenSession(login: login, refresh: TokenSession.standardRefresh))
        stack.current = made
        made.desk.revoke()
        let first = await failure(made.manager())
        XCTAssertNil(first)
        made.desk.expire()
        gate.open()
        let task = try XCTUnwrap(late.current)
        let kind = await task.value
        XCTAssertNil(kind)
        XCTAssertEqual(made.refreshes, 1)
        stack.current = nil
    }

    func testATaskThatOutlivesTheRefreshInWhichItBeganIsHelpedAgain() async throws {
        let gate = Gate()
        let late = Locked<Task<APIError.Kind?, Never>?>(nil)
        let stack = SessionStack(
            TokenSession { tokens, proxy in
                if late.current == nil {
                    late.current = Task {
                        await gate.pass()
                        let manager = ProductManager()
                        manager.proxy = proxy
                        return await failure(manager)?.kind
                    }
                }
                return try await TokenSession.standardRefresh(tokens, proxy)
            })
        stack.desk.expire()
        let first = await failure(stack.manager())
        XCTAssertNil(first)
        stack.desk.expire()
        gate.open()
        let task = try XCTUnwrap(late.current)
        let kind = await task.value
        XCTAssertNil(kind)
        XCTAssertEqual(stack.refreshes, 2)
    }
}
