import DiscreteNetworkingTesting
import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

/// What a call makes stale.
@MainActor
final class InvalidationTests: XCTestCase {
    private func gets(_ press: Press) -> Int {
        press.live.server.requests.filter { $0.method == "GET" }.count
    }

    func testAScreenLoadsAgainWhatACallHasMadeStale() async throws {
        let press = try Press()
        defer { press.stop() }
        let managers = [press.articles, press.articles]
        let screens = managers.map { Reading($0.cache.outputs(with: ["id": 7])) }
        let elsewhere = press.articles
        let other = Reading(elsewhere.cache.outputs(with: ["id": 8]))
        _ = try await press.articles.load(with: ["id": 7])
        _ = try await press.articles.load(with: ["id": 8])
        await until { (screens + [other]).allSatisfy { $0.seen.last??.likeCount == 0 } }
        let like = press.manager(LikeManager())
        like.stale = { [StaleOutput(ArticleManager(), with: ["id": $0["id"]])] }
        try await like.load(with: ["id": 7])
        await until { screens.allSatisfy { $0.seen.last??.likeCount == 1 } }
        XCTAssertEqual(gets(press), 3, "once for all screens of a response")
        for screen in screens {
            XCTAssertFalse(screen.seen.dropFirst().contains(nil), "shown until it is loaded again")
        }
        XCTAssertEqual(other.seen.last??.likeCount, 0)
        withExtendedLifetime((managers, elsewhere)) {}
    }

    func testAScreenLoadsAgainOverTheProxyThatItReadsFrom() async throws {
        let press = try Press()
        defer { press.stop() }
        let manager = press.articles
        let screen = Reading(manager.cache.outputs(with: ["id": 7]))
        _ = try await press.articles.load(with: ["id": 7])
        await until { screen.seen.last??.likeCount == 0 }
        manager.proxy = ApiProxy(transport: ClosureTransport(json: "{}"), services: ServiceFactory())
        let like = press.manager(LikeManager())
        like.stale = { [StaleOutput(ArticleManager(), with: ["id": $0["id"]])] }
        try await like.load(with: ["id": 7])
        await until { screen.seen.last??.likeCount == 1 }
        withExtendedLifetime(manager) {}
    }

    func testStaleResponseThatNoScreenShowsIsRemoved() async throws {
        let press = try Press()
        defer { press.stop() }
        for id in [7, 8] { _ = try await press.articles.load(with: ["id": id]) }
        let like = press.manager(LikeManager())
        like.stale = { _ in [StaleOutput(ArticleManager())] }
        try await like.load(with: ["id": 7])
        for id in [7, 8] {
            let cached = try await press.articles.cache.output(with: ["id": id], maxAge: .infinity)
            XCTAssertNil(cached)
        }
        XCTAssertEqual(gets(press), 2)
    }

    func testAResponseThatWasRequestedBeforeItBecameStaleIsNotStored() async throws {
        let gate = Gate()
        let services = ServiceFactory()
        let service = PressService([.live: URL(string: "https://press.example.com")!])
        services.register([.press: { service }])
        let transport = ClosureTransport { request in
            guard request.method == .get else { return TransportResponse(request, json: #"{"code":0}"#) }
            await gate.pass()
            return TransportResponse(
                request, json: #"{"code":0,"data":{"id":7,"title":"","like_count":0}}"#)
        }
        let proxy = ApiProxy(
            transport: transport, services: services, caches: CacheTiers(),
            reachability: ManualReachability(), clock: TestClock())
        let (articles, like) = (ArticleManager(), LikeManager())
        (articles.proxy, like.proxy) = (proxy, proxy)
        let load = Task { try await articles.load(with: ["id": 7]) }
        await gate.arrival()
        like.stale = { _ in [StaleOutput(ArticleManager())] }
        try await like.load(with: ["id": 7])
        gate.open()
        _ = try await load.value
        let cached = try await articles.cache.output(with: ["id": 7], maxAge: .infinity)
        XCTAssertNil(cached)
    }

    func testACallThatTheServerHasRefusedMakesNothingStale() async throws {
        let press = try Press()
        defer { press.stop() }
        _ = try await press.articles.load(with: ["id": 7])
        let like = press.manager(LikeManager())
        like.stale = { _ in [StaleOutput(ArticleManager())] }
        for (status, isKept) in [(409, true), (500, false)] {
            press.live.status.current = status
            _ = try? await like.load(with: ["id": 7])
            let cached = try await press.articles.cache.output(with: ["id": 7])
            XCTAssertEqual(cached != nil, isKept, "\(status)")
        }
    }

    func testAStaleResponseIsNotServedToACall() async throws {
        let press = try Press()
        defer { press.stop() }
        let manager = press.articles
        manager.ownPolicy = CachePolicy(.cacheOnly)
        let screen = Reading(manager.cache.outputs(with: ["id": 7]))
        _ = try await press.articles.load(with: ["id": 7])
        await until { screen.seen.last??.likeCount == 0 }
        let like = press.manager(LikeManager())
        like.stale = { _ in [StaleOutput(ArticleManager())] }
        try await like.load(with: ["id": 7])
        let fresh = try await press.articles.cache.output(with: ["id": 7])
        XCTAssertNil(fresh)
        let stale = try await press.articles.cache.output(with: ["id": 7], maxAge: .infinity)
        XCTAssertEqual(stale?.likeCount, 0)
        let loaded = try await press.articles.load(with: ["id": 7])
        XCTAssertEqual(loaded.likeCount, 1)
        withExtendedLifetime(manager) {}
    }

    /// The change is in the response that is loaded again, and must not be applied to it twice.
    func testAChangeThatIsLoadedAgainCountsOnce() async throws {
        let press = try Press()
        defer { press.stop() }
        let manager = press.articles
        let screen = Reading(manager.cache.outputs(with: ["id": 7]))
        _ = try await press.articles.load(with: ["id": 7])
        await until { screen.seen.last??.likeCount == 0 }
        for count in 1...5 {
            let like = press.manager(LikeManager())
            like.stale = { [StaleOutput(ArticleManager(), with: ["id": $0["id"]])] }
            try await like.load(with: ["id": 7]) { cache in
                cache.update(ArticleManager(), with: ["id": 7]) { $0.likeCount += 1 }
            }
            await until { gets(press) == count + 1 && !manager.isLoading }
            let cached = try await press.articles.cache.output(with: ["id": 7])
            XCTAssertEqual(cached?.likeCount, count)
        }
        let counts = screen.seen.compactMap { $0?.likeCount }
        XCTAssertEqual(counts.max(), 5)
        XCTAssertEqual(counts, Set(counts).sorted(), "each of them once")
    }

    func testAResponseThatWasOnItsWayBeforeTheChangeIsNotStored() async throws {
        let gate = Gate()
        let services = ServiceFactory()
        let service = PressService([.live: URL(string: "https://press.example.com")!])
        services.register([.press: { service }])
        let likes = Locked(0)
        let transport = ClosureTransport { request in
            if request.method == .post {
                likes.withLock { $0 += 1 }
                return TransportResponse(request, json: #"{"code":0,"data":null}"#)
            }
            let count = likes.current
            if request.url.query == "slow=1" { await gate.pass() }
            return TransportResponse(
                request, json: #"{"code":0,"data":{"id":7,"title":"","like_count":\#(count)}}"#)
        }
        let proxy = ApiProxy(
            transport: transport, services: services, caches: CacheTiers(disk: NoCache()),
            reachability: ManualReachability())
        final class SlowManager: PressManager<Article> {}
        let slow = SlowManager()
        slow.proxy = proxy
        try await slow.cache.store(Article(id: 7, title: ""), for: ["id": 7, "slow": 1])
        let loading = Task { try await slow.load(with: ["id": 7, "slow": 1], ignoringCache: true) }
        await gate.arrival()
        let like = LikeManager()
        like.proxy = proxy
        try await like.load(with: ["id": 7]) { cache in
            cache.update(SlowManager(), with: ["id": 7, "slow": 1]) { $0.likeCount += 1 }
        }
        gate.open()
        let late = try await loading.value
        XCTAssertEqual(late.likeCount, 0)
        let cached = try await slow.cache.output(with: ["id": 7, "slow": 1])
        XCTAssertEqual(cached?.likeCount, 1)
    }

    func testManagersThatNameEachOtherDoNotRecur() async throws {
        let press = try Press()
        defer { press.stop() }
        final class Mutual: PressManager<NoContent> {
            override var methodName: String { "articles/{id}/likes" }
            override var requestType: HTTPMethod { .post }
            override func invalidates(with params: Params) -> [StaleOutput] { [StaleOutput(Mutual())] }
        }
        let manager = press.manager(Mutual())
        try await manager.load(with: ["id": 7])
        XCTAssertEqual(press.live.likes.current, 1)
    }
}
