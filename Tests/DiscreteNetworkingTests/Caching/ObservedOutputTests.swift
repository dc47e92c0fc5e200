import DiscreteNetworkingTesting
import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

#if canImport(Observation)
    import Observation
#endif

/// Screens that show what is stored.
@MainActor
final class ObservedOutputTests: XCTestCase {
    private let ginkgo = Article(id: 7, title: "Ginkgo")

    func testAChangeAnywhereIsSeenByEveryScreen() async throws {
        let press = try Press()
        defer { press.stop() }
        let managers = [press.articles, press.articles]
        let screens = managers.map { Reading($0.cache.outputs(with: ["id": 7])) }
        let elsewhere = press.articles
        let other = Reading(elsewhere.cache.outputs(with: ["id": 8]))
        func expect(_ titles: [String?]) async {
            await until { screens.allSatisfy { $0.seen.map { $0?.title } == titles } }
        }
        await expect([nil])
        _ = try await press.articles.load(with: ["id": 7])
        await expect([nil, "live -"])
        try await press.articles.cache.store(ginkgo, for: ["id": 7])
        await expect([nil, "live -", "Ginkgo"])
        await press.articles.cache.remove(with: ["id": 7])
        await expect([nil, "live -", "Ginkgo", nil])
        try await press.articles.cache.store(ginkgo, for: ["id": 7])
        await expect([nil, "live -", "Ginkgo", nil, "Ginkgo"])
        await press.proxy.caches.remove(.service(.press))
        await expect([nil, "live -", "Ginkgo", nil, "Ginkgo", nil])
        XCTAssertEqual(other.seen, [nil])
        withExtendedLifetime((managers, elsewhere)) {}
    }

    /// Outputs without `==` are compared by what the server has sent.
    func testTheSameResponseWithAnotherDateIsNotShownAgain() async throws {
        struct Heading: Codable, Sendable {
            let title: String
        }
        let press = HeldPress()
        func manager() -> PressManager<Heading> { press.manager(PressManager<Heading>()) }
        let screenManager = manager()
        let screen = Reading(screenManager.cache.outputs(with: ["id": 7]))
        await until { screen.seen.count == 1 }
        for (title, count) in [("a", 2), ("a", 2), ("b", 3)] {
            press.title.current = title
            press.clock.advance(by: 1)
            _ = try await manager().load(with: ["id": 7], ignoringCache: true)
            await until { screen.seen.last??.title == title }
            XCTAssertEqual(screen.seen.count, count)
        }
        withExtendedLifetime(screenManager) {}
    }

    func testAScreenShowsTheUserOfTheSessionOnly() async throws {
        let session = TokenSession()
        let press = try Press(session: session)
        defer { press.stop() }
        session.adopt(SessionTokens(accessToken: "alice"))
        let manager = press.articles
        let screen = Reading(manager.cache.outputs(with: ["id": 7]))
        _ = try await press.articles.load(with: ["id": 7])
        await until { screen.seen.last??.title == "live alice" }
        try await session.logOut()
        await until { screen.seen.last == .some(nil) }
        session.adopt(SessionTokens(accessToken: "bob"))
        _ = try await press.articles.load(with: ["id": 7])
        await until { screen.seen.last??.title == "live bob" }
        session.adopt(SessionTokens(accessToken: "carol"))
        await until { screen.seen.last == .some(nil) }
        XCTAssertEqual(screen.seen.compactMap { $0?.title }, ["live alice", "live bob"])
        withExtendedLifetime(manager) {}
    }

    func testAScreenThatNeedsALoginShowsNothingWithoutOne() async throws {
        final class OwnArticleManager: PressManager<Article> {
            override var requiresLogin: Bool { true }
        }
        let session = TokenSession()
        let press = try Press(session: session)
        defer { press.stop() }
        let manager = press.manager(OwnArticleManager())
        let screen = Reading(manager.cache.outputs(with: ["id": 7]))
        await until { screen.seen == [nil] }
        session.adopt(SessionTokens(accessToken: "alice"))
        try await manager.cache.store(ginkgo, for: ["id": 7])
        await until { screen.seen == [nil, ginkgo] }
        try await session.logOut()
        await until { screen.seen == [nil, ginkgo, nil] }
    }

    func testAScreenShowsTheEnvironmentOfNow() async throws {
        let press = try Press(stages: [.live, .staging])
        defer { press.stop() }
        let manager = press.articles
        let screen = Reading(manager.cache.outputs(with: ["id": 7]))
        _ = try await press.articles.load(with: ["id": 7])
        await until { screen.seen.last??.title == "live -" }
        press.service.environment.current = .staging
        await until { screen.seen.last == .some(nil) }
        _ = try await press.articles.load(with: ["id": 7])
        await until { screen.seen.last??.title == "staging -" }
        press.service.environment.current = .live
        await until { screen.seen.last??.title == "live -" }
        withExtendedLifetime(manager) {}
    }

    func testAManagerThatStoresNothingEndsWithTheReason() async throws {
        let press = try Press(headers: ["Cache-Control": "no-store"])
        defer { press.stop() }
        let manager = press.articles
        let forbidden = Reading(manager.cache.outputs(with: ["id": 7]))
        await until { forbidden.seen.count == 1 }
        _ = try await press.articles.load(with: ["id": 7])
        await until { forbidden.hasEnded }
        XCTAssertEqual((forbidden.error as? APIError)?.kind, .notCached(.storingForbidden))
        let careless = press.articles
        careless.ownPolicy = .none
        let screen = Reading(careless.cache.outputs(with: ["id": 7]))
        await until { screen.hasEnded }
        guard case .notCached(.notCacheable)? = (screen.error as? APIError)?.kind else {
            return XCTFail("no reason")
        }
        withExtendedLifetime(manager) {}
    }

    // MARK: Ends

    func testASequenceEndsWithItsManagerAndWithItsTask() async throws {
        let press = try Press()
        defer { press.stop() }
        var manager: ArticleManager? = press.articles
        let screens = [7, 8].compactMap { id in manager.map { Reading($0.cache.outputs(with: ["id": id])) } }
        await until { screens.allSatisfy { $0.seen.count == 1 } }
        XCTAssertEqual(press.proxy.caches.responses.changes.counts.observers, 2)
        screens[0].cancel()
        await until { screens[0].hasEnded }
        XCTAssertFalse(screens[1].hasEnded)
        weak let released = manager
        manager = nil
        await until { screens[1].hasEnded }
        XCTAssertNil(released)
        await until { press.proxy.caches.responses.changes.counts == (0, 0) }
    }

    func testASequenceThatNobodyReadsIsForgotten() async throws {
        let press = try Press()
        defer { press.stop() }
        let manager = press.articles
        for id in 0..<1000 { _ = manager.cache.outputs(with: ["id": id]) }
        XCTAssertEqual(press.proxy.caches.responses.changes.counts.observers, 0)
        XCTAssertEqual(manager.watchers.count, 0)
    }

    func testManyScreensSeeAChangeAndLeaveNothing() async throws {
        let count = FullLength.rounds(2000, of: 10_000)
        let press = try Press()
        defer { press.stop() }
        let manager = press.articles
        try await manager.cache.store(ginkgo, for: ["id": 7])
        var screens: [Reading<Article?>] = []
        for _ in 0..<count { screens.append(Reading(manager.cache.outputs(with: ["id": 7]))) }
        await until { screens.allSatisfy { $0.seen.count == 1 } }
        XCTAssertEqual(press.proxy.caches.responses.changes.counts.observers, count)
        XCTAssertEqual(press.proxy.caches.responses.changes.counts.keys, 1)
        try await manager.cache.store(Article(id: 7, title: "Oak"), for: ["id": 7])
        await until { screens.allSatisfy { $0.seen.last??.title == "Oak" } }
        for screen in screens { screen.cancel() }
        await until { screens.allSatisfy(\.hasEnded) }
        screens = []
        await until { press.proxy.caches.responses.changes.counts == (0, 0) }
        XCTAssertEqual(manager.watchers.count, 0)
    }

    // MARK: Following

    func testAFollowingManagerShowsWhatOthersStore() async throws {
        let session = TokenSession()
        let press = try Press(session: session)
        defer { press.stop() }
        session.adopt(SessionTokens(accessToken: "alice"))
        let manager = press.articles
        let following = Task { try await manager.cache.follow(with: ["id": 7]) }
        try await press.articles.cache.store(ginkgo, for: ["id": 7])
        await until { manager.output == ginkgo }
        await press.articles.cache.remove()
        await until { manager.output == nil }
        try await press.articles.cache.store(ginkgo, for: ["id": 7])
        await until { manager.output == ginkgo }
        following.cancel()
        try await following.value
        try await session.logOut()
        XCTAssertNil(manager.output, "what was shown of a user is forgotten with the user")
    }

    func testAFollowingManagerThatLoadsShowsTheSame() async throws {
        let press = try Press()
        defer { press.stop() }
        let manager = press.articles
        let following = Task { try await manager.cache.follow(with: ["id": 7]) }
        _ = try await manager.load(with: ["id": 7])
        await until { manager.output?.title == "live -" }
        following.cancel()
        try await following.value
    }

    func testAFollowingManagerThatLoadsShowsWhatIsNotConfirmedYet() async throws {
        let press = HeldPress()
        press.title.current = "a"
        let manager = press.articles
        let following = Task { try await manager.cache.follow(with: ["id": 7]) }
        _ = try await manager.load(with: ["id": 7])
        let call = press.append("b", number: 1)
        await until { manager.output?.title == "ab" }
        _ = try await manager.load(with: ["id": 7], ignoringCache: true)
        await until { manager.output?.title == "ab" }
        press.answer(1, status: 500)
        _ = await call.value
        await until { manager.output?.title == "a" }
        following.cancel()
        try await following.value
    }

    #if canImport(Observation)
        @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
        func testAViewThatReadsTheOutputIsDrawnAgain() async throws {
            let press = try Press()
            defer { press.stop() }
            let manager = press.articles
            let following = Task { try await manager.cache.follow(with: ["id": 7]) }
            let changed = Locked(false)
            withObservationTracking {
                _ = manager.output
            } onChange: {
                changed.current = true
            }
            try await press.articles.cache.store(ginkgo, for: ["id": 7])
            await until { manager.output == ginkgo }
            XCTAssertTrue(changed.current)
            following.cancel()
            try await following.value
        }
    #endif
}
