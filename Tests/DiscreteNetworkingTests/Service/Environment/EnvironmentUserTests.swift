import DiscreteNetworkingTesting
import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCaching
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
        do {
            try await work.run { _ = try await press.manager(LikeManager()).load(with: ["id": 2]) }
            XCTFail("sent for b")
        } catch {
            XCTAssertEqual((error as? APIError)?.kind, .loginRequired)
        }
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
        do {
            try await work.run { _ = try await press.manager(LikeManager()).load(with: ["id": 2]) }
            XCTFail("sent")
        } catch {
            XCTAssertEqual((error as? APIError)?.kind, .loginRequired)
        }
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

    // MARK: What a call makes stale

    /// An article in both environments, and a like that the app switches during.
    private func pressWithArticles() async throws -> Press {
        let press = try Press(stages: Stage.allCases)
        for stage in Stage.allCases {
            press.service.environment.current = stage
            let article = try await press.articles.load(with: ["id": 7])
            XCTAssertEqual(article.likeCount, 0)
        }
        press.service.environment.current = .staging
        press.backends[.staging]!.onLike.current = { [service = press.service] in
            service.environment.current = .live
        }
        return press
    }

    /// The number of likes, and whether it is cached.
    private func shown(_ press: Press, at stage: Stage) async throws -> (Int, Bool) {
        press.service.environment.current = stage
        let manager = press.articles
        let count = try await manager.load(with: ["id": 7]).likeCount
        return (count, manager.response?.isFromCache == true)
    }

    func testAResponseIsMadeStaleWhereTheCallWasSent() async throws {
        let press = try await pressWithArticles()
        defer { press.stop() }
        let like = press.manager(LikeManager())
        like.stale = { _ in [StaleOutput(ArticleManager(), with: ["id": 7])] }
        try await like.load(with: ["id": 7])
        let staging = try await shown(press, at: .staging)
        XCTAssertTrue(staging == (1, false), "\(staging)")
        let live = try await shown(press, at: .live)
        XCTAssertTrue(live == (0, true), "\(live)")
    }

    /// Which request it was is not known without the user; all of the endpoint are removed.
    func testAResponseIsMadeStaleAlsoIfItsUserHasLeft() async throws {
        let press = try Press(session: TokenSession(store: MemoryCredentialStore()))
        defer { press.stop() }
        press.session?.adopt(SessionTokens(accessToken: "a", user: "a"))
        _ = try await press.articles.load(with: ["id": 7])
        press.live.onLike.current = { [session = press.session] in
            session?.adopt(SessionTokens(accessToken: "b", user: "b"))
        }
        let like = press.manager(LikeManager())
        like.stale = { _ in [StaleOutput(ArticleManager(), with: ["id": 7])] }
        _ = await failure(like, with: ["id": 7])
        press.session?.adopt(SessionTokens(accessToken: "a", user: "a"))
        let article = try await press.articles.load(with: ["id": 7])
        XCTAssertEqual(article.likeCount, 1)
    }

    func testAnExpectedChangeIsNotConfirmedByAnotherEnvironment() async throws {
        let press = try await pressWithArticles()
        defer { press.stop() }
        press.backends[.staging]!.status.current = 503
        let like = press.manager(LikeManager())
        like.retries = true
        try await like.load(with: ["id": 7]) { cache in
            cache.update(ArticleManager(), with: ["id": 7]) { $0.likeCount = 99 }
        }
        XCTAssertEqual(press.proxy.caches.responses.changes.layeredCount, 0)
        let live = try await shown(press, at: .live)
        XCTAssertTrue(live == (1, false), "\(live)")
        let staging = try await shown(press, at: .staging)
        XCTAssertEqual(staging.0, 0)
    }

    func testAnExpectedChangeIsConfirmedInItsOwnEnvironment() async throws {
        let press = try await pressWithArticles()
        defer { press.stop() }
        try await press.manager(LikeManager()).load(with: ["id": 7]) { cache in
            cache.update(ArticleManager(), with: ["id": 7]) { $0.likeCount = 1 }
        }
        let staging = try await shown(press, at: .staging)
        XCTAssertTrue(staging == (1, true), "\(staging)")
    }
}
