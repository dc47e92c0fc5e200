import DiscreteNetworkingTesting
import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

/// What a call changes in caches is changed in the environment where the call has ended.
@MainActor
final class CallEffectTests: XCTestCase {
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
