import DiscreteNetworkingTesting
import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// A call belongs to the user for whom it was made, in whichever environment it ends. The servers say who has sent what.
@MainActor
final class EnvironmentUserTests: XCTestCase {
    private func token(_ user: String?, named isNamed: Bool = true) -> SessionTokens? {
        user.map { SessionTokens(accessToken: $0, user: isNamed ? $0 : nil) }
    }

    /// Logs in a user of an environment; `nil` for nobody.
    private func logIn(_ tokens: SessionTokens?, _ press: Press, at stage: Stage) {
        press.service.environment.current = stage
        _ = press.proxy.services.configuration(for: .press)
        if let tokens { press.session?.adopt(tokens) }
    }

    private func likes(_ press: Press, at stage: Stage) -> [String] {
        press.backends[stage]!.server.requests.filter { $0.method == "POST" }.map {
            $0.header("Authorization") ?? "-"
        }
    }

    /// Likes in staging, which answers 503 after the app has switched to live.
    /// - Parameters:
    ///   - late: Who logs in at live only then.
    /// - Returns: What live has received, and the error.
    private func crossing(
        _ staging: SessionTokens?, _ live: SessionTokens?, late: SessionTokens? = nil
    ) async throws -> (live: [String], error: APIError.Kind?) {
        let press = try Press(session: TokenSession(store: MemoryCredentialStore()), stages: Stage.allCases)
        defer { press.stop() }
        logIn(live, press, at: .live)
        logIn(staging, press, at: .staging)
        let backend = press.backends[.staging]!
        backend.status.current = 503
        backend.onLike.current = { [service = press.service, session = press.session] in
            service.environment.current = .live
            if let late { session?.adopt(late) }
        }
        let like = press.manager(LikeManager())
        like.retries = true
        let error = await failure(like, with: ["id": 7])
        XCTAssertEqual(likes(press, at: .staging).count, 1)
        return (likes(press, at: .live), error?.kind)
    }

    func testARetryIsNotSentForAnotherUserOfTheNewEnvironment() async throws {
        let before = try await crossing(token("a"), token("b"))
        XCTAssertEqual(before.live, [])
        XCTAssertEqual(before.error, .loginRequired)
        let late = try await crossing(token("a"), nil, late: token("b"))
        XCTAssertEqual(late.live, [])
        XCTAssertEqual(late.error, .loginRequired)
        // Tokens that name nobody may be anybody's.
        let unnamed = try await crossing(token("a"), token("b", named: false))
        XCTAssertEqual(unnamed.live, [])
        XCTAssertEqual(unnamed.error, .loginRequired)
    }

    func testARetryGoesOnForTheSameUser() async throws {
        let same = try await crossing(
            SessionTokens(accessToken: "1", user: "a"), SessionTokens(accessToken: "2", user: "a"))
        XCTAssertEqual(same.live, ["Bearer 2"])
        XCTAssertNil(same.error)
        // An app that names no users has said nothing of another one.
        let unnamed = try await crossing(token("1", named: false), token("2", named: false))
        XCTAssertEqual(unnamed.live, ["Bearer 2"])
        XCTAssertNil(unnamed.error)
        let nobody = try await crossing(nil, token("b"))
        XCTAssertEqual(nobody.live, ["Bearer b"])
        XCTAssertNil(nobody.error)
        let noToken = try await crossing(token("a"), nil)
        XCTAssertEqual(noToken.live, ["-"])
        XCTAssertNil(noToken.error)
    }

    /// As a loop over pages or events makes them.
    func testLaterCallsOfWorkAreForTheUserAtItsBeginning() async throws {
        let press = try Press(session: TokenSession(store: MemoryCredentialStore()), stages: Stage.allCases)
        defer { press.stop() }
        logIn(token("b"), press, at: .live)
        logIn(token("a"), press, at: .staging)
        let work = UserWork()
        defer { work.end() }
        try await work.run { _ = try await press.manager(LikeManager()).load(with: ["id": 1]) }
        press.service.environment.current = .live
        let refusal = await work.run { await failure(press.manager(LikeManager()), with: ["id": 2]) }
        XCTAssertEqual(refusal?.kind, .loginRequired)
        try await press.manager(LikeManager()).load(with: ["id": 3])
        press.service.environment.current = .staging
        try await work.run { _ = try await press.manager(LikeManager()).load(with: ["id": 4]) }
        XCTAssertEqual(likes(press, at: .staging), ["Bearer a", "Bearer a"])
        XCTAssertEqual(likes(press, at: .live), ["Bearer b"])
    }

    func testTheUserOfTheFirstEnvironmentMayHaveLeft() async throws {
        let press = try Press(session: TokenSession(store: MemoryCredentialStore()), stages: Stage.allCases)
        defer { press.stop() }
        logIn(token("a"), press, at: .live)
        logIn(token("a"), press, at: .staging)
        let work = UserWork()
        defer { work.end() }
        // Now it is not known any more for whom the work was.
        press.session?.adopt(SessionTokens(accessToken: "c", user: "c"))
        press.session?.adopt(SessionTokens(accessToken: "a", user: "a"))
        press.service.environment.current = .live
        let refusal = await work.run { await failure(press.manager(LikeManager()), with: ["id": 2]) }
        XCTAssertEqual(refusal?.kind, .loginRequired)
        XCTAssertEqual(likes(press, at: .live), [])
    }

    func testOnlyTheLastSwitchesAreKept() {
        let environment = EnvironmentSwitch(Stage.live)
        let first = UserEpoch.now
        XCTAssertEqual(environment.name(at: first), "live")
        var epochs: [UserEpoch] = []
        for number in 0..<250 {
            environment.current = number.isMultiple(of: 2) ? .staging : .live
            epochs.append(UserEpoch.now)
        }
        for (number, epoch) in epochs.enumerated().suffix(100) {
            XCTAssertEqual(environment.name(at: epoch), number.isMultiple(of: 2) ? "staging" : "live")
        }
        XCTAssertEqual(Mirror(reflecting: environment).children.count, 0)
    }
}
