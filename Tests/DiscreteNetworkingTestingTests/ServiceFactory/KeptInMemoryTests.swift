import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingTraffic

/// A test neither reads nor changes what the app stores on this machine.
@MainActor
final class KeptInMemoryTests: DeskCase {
    func testATestWithStubsTouchesNothing() async throws {
        let proxy = ApiProxy(stubbing: stubs, [.desk: DeskService.self, .staged: StagedService.self])
        let (manager, staged) = (DeskManager(), StagedManager())
        (manager.proxy, staged.proxy) = (proxy, proxy)
        stubs.on(
            DeskManager.self,
            answers: [.json([:]).adding("Set-Cookie", "visit=test; Max-Age=60"), .status(500), .json([:])])
        stubs.on(StagedManager.self, answer: .json([:]))
        _ = try await manager.load()
        try assertNothingOfTheDeveloper(stubs.requests.first)
        _ = try await staged.load()
        XCTAssertEqual(stubs.requests.last?.url.host, "live.example.com")
        XCTAssertNil(stubs.requests.last?.headers["Authorization"])
        _ = try? await manager.load()
        try await use(proxy)
        _ = try await manager.load()
        XCTAssertEqual(stubs.requests.last?.headers["Authorization"], "Bearer of-the-test")
        assertUntouched()
    }

    func testServicesMadeByClosuresAndFactoriesTouchNothing() async throws {
        let factory = ServiceFactory()
        // As the app registers them, with a store that was created before.
        let session = TokenSession(store: DeveloperDesk.credentials)
        await session.load()
        XCTAssertEqual(session.tokens, DeveloperDesk.sara)
        factory.register([.desk: { SharedSessionService(session: session) }])
        for proxy in [
            ApiProxy(stubbing: stubs, services: factory),
            ApiProxy(stubbing: stubs, [.desk: { SharedSessionService(session: session) }]),
        ] {
            let manager = DeskManager()
            manager.proxy = proxy
            stubs.on(DeskManager.self, answer: .json([:]))
            _ = try await manager.load()
            XCTAssertNil(stubs.requests.last?.headers["Authorization"])
            XCTAssertEqual(proxy.services.configuration(for: .desk)?.session, session, "the same object")
            session.adopt(SessionTokens(accessToken: "of-the-test"))
            _ = try await manager.load()
            XCTAssertEqual(stubs.requests.last?.headers["Authorization"], "Bearer of-the-test")
            try await session.logOut()
        }
        assertUntouched()
    }

    func testAServiceThatWasMadeBeforeForgetsWhatItRead() async throws {
        let factory = ServiceFactory()
        factory.register([.desk: DeskService.self, .staged: StagedService.self])
        let desk = try XCTUnwrap(factory.service(for: .desk) as? DeskService)
        let staged = try XCTUnwrap(factory.service(for: .staged) as? StagedService)
        XCTAssertEqual(desk.tokens.tokens, DeveloperDesk.sara)
        XCTAssertEqual(desk.spare.tokens, DeveloperDesk.sara)
        XCTAssertEqual(staged.environment.current, .sara)
        await desk.jar.load()
        factory.keepInMemory()
        XCTAssertNil(desk.tokens.tokens)
        XCTAssertNil(desk.spare.tokens)
        XCTAssertEqual(desk.jar.cookies, [])
        XCTAssertEqual(staged.environment.current, .live)
        XCTAssertTrue(factory.service(for: .desk) as? DeskService === desk)
        try await desk.tokens.logOut()
        try await desk.spare.logOut()
        desk.jar.removeAll()
        try await desk.jar.save()
        staged.use(.live, rememberedIn: DeveloperDesk.defaults)
        assertUntouched()
    }

    func testTokensOfEachEnvironmentStayInMemory() async throws {
        let proxy = ApiProxy(stubbing: stubs, [.staged: StagedService.self])
        let staged = try XCTUnwrap(proxy.services.service(for: .staged) as? StagedService)
        for (stage, token) in [(StagedService.Stage.live, "live"), (.sara, "mine")] {
            staged.environment.current = stage
            let session = try XCTUnwrap(proxy.services.configuration(for: .staged)?.session)
            XCTAssertNil(session.tokens, token)
            session.adopt(SessionTokens(accessToken: token))
            try await session.save()
        }
        assertUntouched()
    }

    func testAMemoryStoreThatATestGivesStays() async throws {
        final class Given: Service {
            let baseURL = URL(string: "https://desk.example.com")!
            let configuration: ServiceConfiguration
            init() { configuration = ServiceConfiguration() }
            init(store: any CredentialStore) {
                configuration = ServiceConfiguration(session: TokenSession(store: store))
            }
        }
        let store = MemoryCredentialStore()
        let before = TokenSession(store: store)
        before.adopt(SessionTokens(accessToken: "given"))
        try await before.save()
        let manager = DeskManager()
        manager.proxy = ApiProxy(stubbing: stubs, [.desk: { Given(store: store) }])
        await assertRequest(
            of: manager, .get, "https://desk.example.com/papers", headers: ["Authorization": "Bearer given"])
    }

    func testALogoutOfATestLeavesTheCachesOfOtherProxiesAlone() async throws {
        let session = TokenSession(store: DeveloperDesk.credentials)
        let app = ServiceFactory()
        app.register([.desk: { SharedSessionService(session: session) }])
        let disk = MemoryCache()
        let shared = ApiProxy(transport: stubs, services: app, caches: CacheTiers(disk: disk))
        let key = await DeskManager().cacheKey(over: shared)
        disk.store(
            CachedResponse(
                url: URL(string: "https://desk.example.com")!, status: 200, headers: [:], body: Data(),
                storedAt: Date(), version: ""), for: key)
        let proxy = ApiProxy(stubbing: stubs, [.desk: { SharedSessionService(session: session) }])
        try await proxy.services.configuration(for: .desk)?.session?.logOut()
        XCTAssertNotNil(disk.response(for: key))
        XCTAssertNotNil(shared)
    }

    func testTheCachesOfAProxyAreInMemory() {
        let services = ServiceFactory()
        let proxy = ApiProxy(transport: stubs, services: services)
        XCTAssertTrue(proxy.caches.disk is DiskCache)
        services.keepInMemory()
        XCTAssertTrue(proxy.caches.disk is MemoryCache)
        XCTAssertTrue(proxy.caches.disk as AnyObject === proxy.caches.disk as AnyObject, "kept")
        let own = DiskCache(folder: DeveloperDesk.folder.current)
        let chosen = ApiProxy(transport: stubs, services: services, caches: CacheTiers(disk: own))
        XCTAssertTrue(chosen.caches.disk as AnyObject === own)
    }

    /// What the test itself does is real.
    func testTheCodeOfTheTestStoresWhatItSays() async throws {
        let recorder = TrafficRecorder()
        let proxy = ApiProxy(stubbing: stubs, [.desk: DeskService.self])
        let file = DeveloperDesk.folder.current.appendingPathComponent("of the test.har")
        proxy.addObserver(WritingObserver(recorder: recorder, file: file))
        stubs.on(DeskManager.self, answer: .json([:]))
        let manager = DeskManager()
        manager.proxy = proxy
        let read = await withCheckedContinuation { continuation in
            manager.loadData(with: [:]) { _ in
                continuation.resume(returning: try? DeveloperDesk.credentials.read("device"))
            }
        }
        XCTAssertEqual(read, Data("phone".utf8))
        XCTAssertTrue(FileManager.default.fileExists(atPath: file.path))
    }

    private struct WritingObserver: APICallObserver {
        let recorder: TrafficRecorder
        let file: URL
        func observe(_ event: APICallEvent) { try? recorder.write(to: file) }
    }
}
