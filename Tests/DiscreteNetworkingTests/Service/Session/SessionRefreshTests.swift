import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Expired tokens: one refresh however many calls fail together.
@MainActor
final class SessionRefreshTests: XCTestCase {
    /// A wire on which the first so many calls meet before any of them is answered.
    private static func meeting(
        _ count: Int, _ gate: Gate
    ) -> @Sendable (APIRequest, TokenDesk) async -> TransportResponse {
        { request, desk in
            if request.url.path.contains("/item") { await gate.pass() }
            return desk.answer(request)
        }
    }

    func testACallWithAnExpiredTokenIsRepeatedWithANewOne() async throws {
        let stack = SessionStack()
        stack.desk.expire()
        let product = try await stack.manager().load()
        XCTAssertEqual(product.id, 7)
        XCTAssertEqual(
            stack.transport.requests.map { $0.headers["Authorization"] },
            ["Bearer token-1", nil, "Bearer token-2"])
        XCTAssertEqual(stack.session.tokens?.accessToken, "token-2")
        XCTAssertEqual(
            stack.session.tokens?.refreshToken, "refresh-token-1", "the answer left it out: the old one stays"
        )
    }

    /// A call with older tokens may be answered after one with newer tokens.
    func testALateAcceptanceOfOlderTokensHidesNoNewerOne() {
        let session = TokenSession()
        session.adopt(SessionTokens(accessToken: "t1"))
        let older = session.snapshot
        session.adopt(SessionTokens(accessToken: "t2"))
        let newer = session.snapshot
        XCTAssertFalse(newer.wasAccepted)
        newer.accept()
        older.accept()
        XCTAssertTrue(newer.wasAccepted)
        XCTAssertTrue(older.wasAccepted)
    }

    func testAHundredCallsRefreshOnce() async {
        let gate = Gate()
        let stack = SessionStack(answer: Self.meeting(100, gate))
        stack.desk.expire()
        let calls = stack.start(100)
        await gate.arrival(100)
        gate.open()
        let kinds = await calls.values
        XCTAssertEqual(kinds, Array(repeating: nil, count: 100))
        XCTAssertEqual(stack.refreshes, 1)
        XCTAssertEqual(Set(stack.visits.values), [2])
        XCTAssertEqual(stack.visits.count, 100)
    }

    func testACallThatStartedWithTheOlderTokenIsRepeatedWithoutASecondRefresh() async {
        let gate = Gate()
        let stack = SessionStack { request, desk in
            let response = desk.answer(request)
            if request.url.path.hasSuffix("item0"), response.status == 401 { await gate.pass() }
            return response
        }
        stack.desk.expire()
        let late = stack.start(1)
        await gate.arrival()
        let prompt = await failure(stack.manager("prompt"))
        XCTAssertNil(prompt)
        XCTAssertEqual(stack.refreshes, 1)
        gate.open()
        let kinds = await late.values
        XCTAssertEqual(kinds, [nil])
        XCTAssertEqual(stack.refreshes, 1)
        XCTAssertEqual(stack.visits["item0"], 2)
    }

    func testACallThatStartsDuringARefreshWaitsForIt() async {
        let gate = Gate()
        let stack = SessionStack { request, desk in
            if request.url.path.hasSuffix("/token") { await gate.pass() }
            return desk.answer(request)
        }
        stack.desk.expire()
        let first = stack.start(1)
        await gate.arrival()
        let second = Task { [manager = stack.manager("second")] in await failure(manager)?.kind }
        await until { stack.session.waiting == 2 }
        XCTAssertNil(stack.visits["second"])
        gate.open()
        let kinds = await (first + [second]).values
        XCTAssertEqual(kinds, [nil, nil])
        XCTAssertEqual(stack.visits, ["item0": 2, "second": 1])
    }

    func testATokenThatIsExpiredAgainIsReportedNotLooped() async {
        let gate = Gate()
        let stack = SessionStack { request, desk in
            if request.url.path.contains("/item") { await gate.pass() }
            let response = desk.answer(request)
            if request.url.path.hasSuffix("/token") { desk.expire() }
            return response
        }
        stack.desk.expire()
        let calls = stack.start(100)
        await gate.arrival(100)
        gate.open()
        let kinds = await calls.values
        XCTAssertEqual(kinds, Array(repeating: .http(status: 401), count: 100))
        XCTAssertEqual(stack.refreshes, 1)
        XCTAssertEqual(Set(stack.visits.values), [2])
    }

    func testTheRequestIsGeneratedAnewAndTheAttemptIsCounted() async {
        let attempts = Locked<[Int]>([])
        let seen = Locked<[String?]>([])
        let stack = SessionStack()
        stack.stack.change { rules in
            rules.adapt = { request, call in
                attempts.withLock { $0.append(call.attempt) }
                request.headers["Attempt"] = "\(call.attempt)"
            }
            rules.problem = { failure in
                seen.withLock { $0.append(failure.request?.headers["Attempt"]) }
                return SessionProblem.byBody(failure, at: "id")
            }
        }
        stack.desk.expire()
        let error = await failure(stack.manager())
        XCTAssertNil(error)
        XCTAssertEqual(attempts.current, [1, 1, 2], "the call, the refresh, the call")
        XCTAssertEqual(Set(seen.current), ["1"], "the failure shows what was sent")
    }

    func testAFailedAttemptIsAskedAboutOnce() async {
        let status = Locked<Int?>(nil)
        let stack = SessionStack { request, desk in
            let response = desk.answer(request)
            return status.current.map { TransportResponse(request, json: "{}", status: $0) } ?? response
        }
        let asked = Locked<[Int?]>([])
        stack.stack.change { rules in
            rules.problem = { failure in
                asked.withLock { $0.append(failure.response?.status) }
                return SessionProblem.byStatus(failure)
            }
        }
        stack.desk.expire()
        let expired = await failure(stack.manager())
        XCTAssertNil(expired)
        XCTAssertEqual(asked.current, [401])
        status.current = 403
        let refused = await failure(stack.manager())
        XCTAssertEqual(refused?.kind, .http(status: 403))
        XCTAssertEqual(asked.current, [401, 403])
        let other = stack.manager()
        other.ownSessionUse = false
        _ = await failure(other)
        XCTAssertEqual(asked.current, [401, 403], "without the session, no token was rejected")
    }

    func testProposedARefreshLeavesTheServiceItsRepeats() async {
        let failures = Locked(1)
        let stack = SessionStack { request, desk in
            let response = desk.answer(request)
            guard request.url.path.hasSuffix("/products"), response.status == 200,
                failures.withLock({
                    $0 -= 1
                    return $0
                }) >= 0
            else { return response }
            return TransportResponse(request, json: "", status: 503)
        }
        stack.stack.change { rules in
            rules.retryLimit = 1
            rules.intercept = { $0.response?.status == 503 ? .retry : .report }
        }
        stack.desk.expire()
        let error = await failure(stack.manager())
        XCTAssertNil(error)
        XCTAssertEqual(stack.refreshes, 1)
    }

    func testTheSessionActsWhateverElseTheServiceIntercepts() async {
        let stack = SessionStack()
        let seen = Locked<[APIError.Kind]>([])
        stack.stack.change { rules in
            rules.intercept = { failure in
                seen.withLock { $0.append(failure.error.kind) }
                return failure.response?.status == 503 ? .retry(after: 1) : .report
            }
        }
        stack.desk.expire()
        let error = await failure(stack.manager())
        XCTAssertNil(error)
        XCTAssertEqual(stack.refreshes, 1)
        XCTAssertEqual(seen.current, [], "the session has dealt with it")
    }

    func testServiceInterceptsFailuresThatTheSessionCannotSolve() async {
        let stack = SessionStack(answer: { request, desk in
            request.url.path.hasSuffix("/token")
                ? desk.answer(request)
                : TransportResponse(request, json: #"{"id":"expired_access_token"}"#, status: 401)
        })
        let seen = Locked<[APIError.Kind]>([])
        stack.stack.change { rules in
            rules.intercept = { failure in
                seen.withLock { $0.append(failure.error.kind) }
                return .swallow
            }
        }
        let error = await failure(stack.manager())
        XCTAssertEqual(error?.kind, .swallowed)
        XCTAssertEqual(seen.current, [.http(status: 401)], "after the refresh")
        XCTAssertEqual(stack.refreshes, 1)
    }

    /// Leaves what its session could help to its own interception.
    private final class OwnWay: Service {
        let baseURL = URL(string: "https://api.example.com")!
        let configuration = ServiceConfiguration(session: TokenSession { tokens, _ in tokens })
        func sessionProblem(in failure: FailureContext) -> SessionProblem? { nil }
        func intercept(_ failure: FailureContext) async -> FailureDisposition { .swallow }
    }

    func testAServiceMayDecideAboutATokenItself() async {
        let services = ServiceFactory()
        services.register([.test: OwnWay.self])
        services.configuration(for: .test)?.session?.adopt(SessionTokens(accessToken: "a"))
        let transport = ClosureTransport(json: "", status: 401)
        let manager = ProductManager()
        manager.proxy = ApiProxy(transport: transport, services: services)
        let error = await failure(manager)
        XCTAssertEqual(error?.kind, .swallowed)
        XCTAssertEqual(transport.requests.count, 1)
    }

    func testAServiceMayHoldACallByItself() async {
        let stack = SessionStack()
        stack.stack.change { rules in
            rules.problem = { _ in nil }
            rules.intercept = { [session = stack.session] in
                $0.response?.status == 401 ? .holdUntilRefreshed(session) : .report
            }
        }
        stack.desk.expire()
        let error = await failure(stack.manager())
        XCTAssertNil(error)
        XCTAssertEqual(stack.refreshes, 1)
    }

    // MARK: Several services

    func testSessionsDoNotWaitForEachOther() async {
        let gate = Gate()
        let slow = SessionStack { request, desk in
            if request.url.path.hasSuffix("/token") { await gate.pass() }
            return desk.answer(request)
        }
        let quick = SessionStack()
        slow.desk.expire()
        quick.desk.expire()
        let waiting = slow.start(1)
        await gate.arrival()
        let error = await failure(quick.manager())
        XCTAssertNil(error)
        XCTAssertEqual(slow.session.waiting, 1)
        gate.open()
        let kinds = await waiting.values
        XCTAssertEqual(kinds, [nil])
    }

    func testServicesMayShareASession() async {
        let gate = Gate()
        let stack = SessionStack(answer: Self.meeting(2, gate))
        let services = stack.stack.proxy.services
        let rules = stack.stack.service.rules.current
        services.register([.other: { TestService { $0 = rules } }])
        stack.desk.expire()
        let one = stack.manager("item1")
        let other = stack.manager("item2")
        other.serviceIdentifier = .other
        let calls = [one, other].map { manager in Task { await failure(manager)?.kind } }
        await gate.arrival(2)
        gate.open()
        let kinds = await calls.values
        XCTAssertEqual(kinds, [nil, nil])
        XCTAssertEqual(stack.refreshes, 1)
    }

    // MARK: Managers

    func testAManagerMayOptOut() async {
        let stack = SessionStack()
        stack.desk.expire()
        let manager = stack.manager()
        manager.ownSessionUse = false
        let error = await failure(manager)
        XCTAssertEqual(error?.kind, .http(status: 401))
        XCTAssertNil(stack.transport.requests[0].headers["Authorization"])
        XCTAssertEqual(stack.refreshes, 0)
    }

    func testEvenByItsServiceAManagerThatOptedOutIsNotHeld() async {
        let stack = SessionStack()
        stack.stack.change { rules in
            rules.intercept = { [session = stack.session] _ in .holdUntilRefreshed(session) }
        }
        stack.desk.expire()
        let manager = stack.manager()
        manager.ownSessionUse = false
        let error = await failure(manager)
        XCTAssertEqual(error?.kind, .http(status: 401))
        XCTAssertEqual(stack.refreshes, 0)
    }
}
