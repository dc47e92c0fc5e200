import DiscreteNetworkingTesting
import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

/// What is stored, read and written without a call.
@MainActor
final class StoredOutputTests: XCTestCase {
    private let article = Article(
        id: 7, title: "Ginkgo", likeCount: 3, publishedAt: Date(timeIntervalSince1970: 1.5))

    private func kind(_ work: () async throws -> Void) async -> APIError.Kind? {
        do {
            try await work()
            return nil
        } catch {
            return (error as? APIError)?.kind
        }
    }

    func testCachedOutputIsReadWithoutACall() async throws {
        let press = try Press()
        defer { press.stop() }
        var cached = try await press.articles.cache.output(with: ["id": 7])
        XCTAssertNil(cached)
        XCTAssertEqual(press.live.server.requests.count, 0)
        let loaded = try await press.articles.load(with: ["id": 7])
        cached = try await press.articles.cache.output(with: ["id": 7])
        XCTAssertEqual(cached, loaded)
        cached = try await press.articles.cache.output(with: ["id": 8])
        XCTAssertNil(cached)
        XCTAssertEqual(press.live.server.requests.count, 1)
    }

    func testAnOlderOutputIsReadIfItsAgeIsAllowed() async throws {
        let press = try Press()
        defer { press.stop() }
        _ = try await press.articles.load(with: ["id": 7])
        press.clock.advance(by: 200)
        var cached = try await press.articles.cache.output(with: ["id": 7])
        XCTAssertNil(cached)
        cached = try await press.articles.cache.output(with: ["id": 7], maxAge: 100)
        XCTAssertNil(cached)
        cached = try await press.articles.cache.output(with: ["id": 7], maxAge: .infinity)
        XCTAssertEqual(cached?.title, "live -")
    }

    /// The service has an envelope, snake case and dates as text, none of which the encoder knows.
    func testAStoredOutputIsReadByCachedOutputAndByACall() async throws {
        let press = try Press()
        defer { press.stop() }
        try await press.articles.cache.store(article, for: ["id": 7])
        let cached = try await press.articles.cache.output(with: ["id": 7])
        XCTAssertEqual(cached, article)
        let manager = press.articles
        let loaded = try await manager.load(with: ["id": 7])
        XCTAssertEqual(loaded, article)
        XCTAssertEqual(manager.response?.isFromCache, true)
        XCTAssertEqual(press.live.server.requests.count, 0)
        press.clock.advance(by: 200)
        let fresh = try await manager.load(with: ["id": 7])
        XCTAssertEqual(fresh.title, "live -")
    }

    func testAStoredOutputOutlivesTheProxy() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let first = try Press(disk: DiskCache(folder: folder.url))
        defer { first.stop() }
        let manager = first.articles
        manager.ownPolicy = .disk
        try await manager.cache.store(article, for: ["id": 7])
        let services = ServiceFactory()
        services.register([.press: { [service = first.service] in service }])
        let other = ArticleManager()
        other.ownPolicy = .memoryAndDisk
        other.proxy = ApiProxy(
            services: services, caches: CacheTiers(disk: DiskCache(folder: folder.url)), clock: first.clock)
        let cached = try await other.cache.output(with: ["id": 7])
        XCTAssertEqual(cached, article)
        other.ownPolicy = CachePolicy(disk: 180, version: "2")
        let ofOtherVersion = try await other.cache.output(with: ["id": 7])
        XCTAssertNil(ofOtherVersion)
    }

    func testEveryKindOfOutputIsReadAsItWas() async throws {
        let press = try Press()
        defer { press.stop() }
        func check<Output: Codable & Sendable & Equatable>(_ output: Output) async throws {
            let manager = press.manager(PressManager<Output>())
            try await manager.cache.store(output, for: ["id": "\(Output.self)"])
            let cached = try await manager.cache.output(with: ["id": "\(Output.self)"])
            XCTAssertEqual(cached, output)
        }
        try await check(Data([0, 255, 10]))
        try await check("{\"code\":")
        try await check(7)
        try await check([Double.infinity, 0.1])
        try await check(["a": Date(timeIntervalSince1970: 0.1)])
        try await check(JSONValue.array([.null, .string("ü")]))
        let optional = press.manager(PressManager<Article?>())
        try await optional.cache.store(nil, for: ["id": 1])
        let none = try await optional.cache.output(with: ["id": 1])
        XCTAssertEqual(none, .some(nil))
    }

    // MARK: What cannot be stored

    func testAManagerThatStoresNothingSaysSo() async throws {
        let press = try Press()
        defer { press.stop() }
        let manager = press.articles
        manager.ownPolicy = .none
        let kinds = [
            await kind { _ = try await manager.cache.output(with: ["id": 7]) },
            await kind { try await manager.cache.store(article, for: ["id": 7]) },
        ]
        for kind in kinds {
            guard case .notCached(.notCacheable(let reason))? = kind else { return XCTFail("no reason") }
            XCTAssertTrue(reason.contains("PressManager<Article> has no cache policy"), reason)
        }
        let tokens = press.manager(PressManager<TokenResponse>())
        let kind = await kind {
            _ = try await tokens.cache.output(with: ["id": 7])
        }
        XCTAssertEqual(
            kind, .notCached(.notCacheable("the responses of PressManager<TokenResponse> are secret")))
    }

    func testAServerThatForbidsStoringIsNamed() async throws {
        let press = try Press(headers: ["Cache-Control": "no-store"])
        defer { press.stop() }
        _ = try await press.articles.load(with: ["id": 7])
        let kind = await kind {
            _ = try await press.articles.cache.output(with: ["id": 7])
        }
        XCTAssertEqual(kind, .notCached(.storingForbidden))
        try await press.articles.cache.store(article, for: ["id": 7])
        let cached = try await press.articles.cache.output(with: ["id": 7])
        XCTAssertEqual(cached, article, "the app may store what the server may not have stored")
    }

    func testAnOutputThatDoesNotDecodeWhatItEncodesIsRefused() async throws {
        struct Lopsided: Codable, Sendable {
            enum CodingKeys: String, CodingKey { case number }
            let number: Int
            init(number: Int) { self.number = number }
            init(from decoder: any Decoder) throws {
                let text = try decoder.container(keyedBy: CodingKeys.self)
                    .decode(String.self, forKey: .number)
                number = Int(text) ?? 0
            }
        }
        let press = try Press()
        defer { press.stop() }
        let manager = press.manager(PressManager<Lopsided>())
        let kind = await kind {
            try await manager.cache.store(Lopsided(number: 1), for: ["id": 7])
        }
        guard case .notCached(.notCacheable(let reason))? = kind else { return XCTFail("\(kind as Any)") }
        XCTAssertTrue(reason.contains("does not decode what it encodes"), reason)
    }

    func testNoOutputOfAnEncryptedEndpointIsOnTheDisk() async throws {
        final class Sealed: PressManager<Article> {
            override var bodyTransform: (any BodyTransform)? { SealedBodies() }
        }
        let press = try Press()
        defer { press.stop() }
        let manager = press.manager(Sealed())
        try await manager.cache.store(article, for: ["id": 7])
        let cached = try await manager.cache.output(with: ["id": 7])
        XCTAssertEqual(cached, article)
        manager.ownPolicy = .memoryAndDisk
        let kind = await kind {
            try await manager.cache.store(article, for: ["id": 7])
        }
        guard case .notCached(.notCacheable)? = kind else { return XCTFail("\(kind as Any)") }
    }

    // MARK: The mode without a network

    func testACallForTheCacheOnlySendsNothing() async throws {
        let press = try Press()
        defer { press.stop() }
        let manager = press.articles
        manager.ownPolicy = CachePolicy(.cacheOnly)
        for ignoringCache in [false, true] {
            let kind = await kind {
                _ = try await manager.load(with: ["id": 7], ignoringCache: ignoringCache)
            }
            XCTAssertEqual(kind, .notCached(.nothingStored))
        }
        manager.ownPolicy = CachePolicy(.cacheOnly, memory: nil)
        let withoutCache = await kind {
            _ = try await manager.load(with: ["id": 7])
        }
        guard case .notCached(.notCacheable)? = withoutCache else { return XCTFail("\(withoutCache as Any)") }
        XCTAssertEqual(press.live.server.requests.count, 0)
        _ = try await press.articles.load(with: ["id": 7])
        manager.ownPolicy = CachePolicy(.cacheOnly)
        let article = try await manager.load(with: ["id": 7], ignoringCache: true)
        XCTAssertEqual(article.title, "live -")
        press.clock.advance(by: 181)
        let kind = await kind { _ = try await manager.load(with: ["id": 7]) }
        XCTAssertEqual(kind, .notCached(.expired(age: 181)))
        XCTAssertEqual(press.live.server.requests.count, 1)
    }

    // MARK: Users and environments

    func testNoUserReadsWhatAnotherHasStored() async throws {
        let session = TokenSession()
        let press = try Press(session: session)
        defer { press.stop() }
        session.adopt(SessionTokens(accessToken: "alice"))
        try await press.articles.cache.store(article, for: ["id": 7])
        session.adopt(SessionTokens(accessToken: "bob"))
        var cached = try await press.articles.cache.output(with: ["id": 7])
        XCTAssertNil(cached)
        session.adopt(SessionTokens(accessToken: "alice"))
        cached = try await press.articles.cache.output(with: ["id": 7])
        XCTAssertEqual(cached, article)
        try await session.logOut()
        session.adopt(SessionTokens(accessToken: "alice"))
        cached = try await press.articles.cache.output(with: ["id": 7])
        XCTAssertNil(cached)
    }

    /// A disk that does something while it is read.
    private final class EventfulDisk: ResponseCache {
        let cache = MemoryCache()
        let event = Locked<(@Sendable () -> Void)?>(nil)
        func response(for key: CacheKey) -> CachedResponse? {
            defer { event.current?() }
            return cache.response(for: key)
        }
        func store(_ response: CachedResponse, for key: CacheKey) { cache.store(response, for: key) }
        func remove(_ scope: CacheScope) { cache.remove(scope) }
    }

    func testAUserWhoComesWhileTheDiskIsReadGetsNothing() async throws {
        let session = TokenSession()
        let disk = EventfulDisk()
        let press = try Press(session: session, disk: disk)
        defer { press.stop() }
        session.adopt(SessionTokens(accessToken: "alice"))
        let manager = press.articles
        manager.ownPolicy = .disk
        try await manager.cache.store(article, for: ["id": 7])
        disk.event.current = { session.adopt(SessionTokens(accessToken: "bob")) }
        let cached = try await manager.cache.output(with: ["id": 7])
        XCTAssertNil(cached)
    }

    func testAnOutputOfOneEnvironmentIsNotReadInAnother() async throws {
        let disk = EventfulDisk()
        let press = try Press(stages: [.live, .staging], disk: disk)
        defer { press.stop() }
        let manager = press.articles
        manager.ownPolicy = .disk
        try await manager.cache.store(article, for: ["id": 7])
        press.service.environment.current = .staging
        var cached = try await manager.cache.output(with: ["id": 7])
        XCTAssertNil(cached)
        press.service.environment.current = .live
        disk.event.current = { [service = press.service] in service.environment.current = .staging }
        cached = try await manager.cache.output(with: ["id": 7])
        XCTAssertNil(cached, "the environment was left while the disk was read")
    }

    func testAnOutputStoredDuringALogoutIsGone() async throws {
        let session = TokenSession()
        let press = try Press(session: session)
        defer { press.stop() }
        session.adopt(SessionTokens(accessToken: "alice"))
        let storing = Task { try? await press.articles.cache.store(article, for: ["id": 7]) }
        try await session.logOut()
        await storing.value
        session.adopt(SessionTokens(accessToken: "alice"))
        let cached = try await press.articles.cache.output(with: ["id": 7])
        XCTAssertNil(cached)
    }
}
