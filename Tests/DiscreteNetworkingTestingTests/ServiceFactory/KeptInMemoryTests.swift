import DiscreteNetworkingContracts
import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworking

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A test, a contract check and a preview neither read nor change what the app stores on this machine.
@MainActor
final class KeptInMemoryTests: XCTestCase {
    private let stubs = StubTransport()
    private var before: [String: String] = [:]

    /// What the developer did with the app before: the files and the choice of an environment.
    override func setUp() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("desk-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        DeveloperDesk.folder.current = folder
        addTeardownBlock {
            try? FileManager.default.removeItem(at: folder)
            DeveloperDesk.defaults.removePersistentDomain(forName: DeveloperDesk.suite)
        }
        let app = ServiceFactory()
        app.register([.desk: DeskService.self, .staged: StagedService.self])
        let desk = try XCTUnwrap(app.service(for: .desk) as? DeskService)
        desk.tokens.adopt(DeveloperDesk.sara)
        desk.spare.adopt(DeveloperDesk.sara)
        try await desk.tokens.save()
        try await desk.spare.save()
        let turn = await desk.jar.turn(for: desk.tokens.loadedSnapshot, of: desk.tokens)
        turn.keep(["visit=sara; Max-Age=3600"], from: desk.baseURL)
        try await desk.jar.save()
        try desk.device.write(Data("phone".utf8), for: "device")
        let staged = try XCTUnwrap(app.service(for: .staged) as? StagedService)
        staged.use(.sara, rememberedIn: DeveloperDesk.defaults)
        app.configuration(for: .staged)?.session?.adopt(DeveloperDesk.sara)
        try await app.configuration(for: .staged)?.session?.save()
        before = DeveloperDesk.files
        XCTAssertGreaterThanOrEqual(before.count, 5, "\(before.keys)")
    }

    private func assertUntouched(_ line: UInt = #line) {
        let now = DeveloperDesk.files
        XCTAssertEqual(Set(now.keys), Set(before.keys), line: line)
        for (name, content) in before { XCTAssertEqual(now[name], content, name, line: line) }
        XCTAssertEqual(
            DeveloperDesk.defaults.dictionaryRepresentation().values.compactMap { $0 as? String }
                .filter { $0 == "sara" }, ["sara"], line: line)
    }

    /// Whatever a test does with a service.
    private func use(_ proxy: ApiProxy) async throws {
        let desk = try XCTUnwrap(proxy.services.service(for: .desk) as? DeskService)
        desk.jar.removeAll()
        try await desk.jar.save()
        try await desk.tokens.logOut()
        desk.tokens.adopt(SessionTokens(accessToken: "of-the-test", user: "test"))
        try await desk.tokens.save()
        desk.responses.remove(.all)
        let key = await DeskManager().cacheKey(over: proxy)
        desk.responses.store(
            CachedResponse(
                url: desk.baseURL, status: 200, headers: [:], body: Data("{}".utf8), storedAt: Date(),
                version: ""), for: key)
        XCTAssertNotNil(desk.responses.response(for: key), "it is a cache all the same")
        let staged = try XCTUnwrap(proxy.services.service(for: .staged) as? StagedService)
        staged.use(.live, rememberedIn: DeveloperDesk.defaults)
        try await proxy.services.configuration(for: .staged)?.session?.logOut()
        staged.environment.current = .sara
        staged.useRememberedEnvironment(in: DeveloperDesk.defaults)
        XCTAssertEqual(staged.environment.current, .live, "it remembers the choice of the test")
    }

    private func assertNothingOfTheDeveloper(_ request: APIRequest?, _ line: UInt = #line) throws {
        let request = try XCTUnwrap(request, line: line)
        XCTAssertNil(request.headers["Authorization"], line: line)
        XCTAssertNil(request.headers["Cookie"], line: line)
        XCTAssertEqual(request.headers["X-Spare"], "none", line: line)
        XCTAssertNil(request.headers["X-Device"], line: line)
        XCTAssertNil(request.headers["X-Again"], line: line)
    }

    // MARK: Stubs

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

    /// A session that many services of the app share.
    final class SharedSessionService: Service {
        let baseURL = URL(string: "https://desk.example.com")!
        private let session: TokenSession
        init() { session = TokenSession(store: DeveloperDesk.credentials) }
        init(session: TokenSession) { self.session = session }
        var configuration: ServiceConfiguration { ServiceConfiguration(session: session) }
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

    // MARK: Creation

    /// A damaged credential is moved aside when it is read.
    func testCreatingAServiceReadsNothing() throws {
        for file in before.keys where file.hasSuffix(".credential") {
            try Data("damaged".utf8).write(to: DeveloperDesk.folder.current.appendingPathComponent(file))
        }
        before = DeveloperDesk.files
        let app = ServiceFactory()
        app.register([.desk: DeskService.self, .staged: StagedService.self])
        XCTAssertNotNil(app.configuration(for: .desk)?.session)
        XCTAssertNotNil(app.configuration(for: .staged)?.session)
        assertUntouched()
    }

    // MARK: Samples

    final class SampledManager: APIManager<JSONValue> {
        let serviceIdentifier = ServiceIdentifier.desk
        let methodName = "sampled"
        let requestType = HTTPMethod.get
        var status = 200
        override var requiresLogin: Bool { true }
        override var sample: SampleResponse? {
            SampleResponse(status: status, headers: ["Set-Cookie": "sample=1; Max-Age=60"]) { _ in
                Data("{}".utf8)
            }
        }
    }

    func testASampleNeedsNoLoginAndTouchesNothing() async throws {
        let refreshes = Locked(0)
        let session = TokenSession(store: DeveloperDesk.credentials) { tokens, _ in
            refreshes.withLock { $0 += 1 }
            return tokens
        }
        let app = ServiceFactory()
        app.register([.desk: { SharedSessionService(session: session) }])
        let manager = SampledManager()
        manager.proxy = ApiProxy(transport: stubs, services: app)
        manager.sampleMode = .immediate
        _ = try await manager.load()
        XCTAssertFalse(session.isLoggedIn, "the store was not read")
        manager.status = 401
        await assertFails(manager, .http(status: 401))
        XCTAssertEqual(refreshes.current, 0)
        XCTAssertEqual(stubs.requests.count, 0)
        let preview = ServiceFactory()
        preview.register([.desk: DeskService.self])
        preview.keepInMemory()
        manager.proxy = ApiProxy(services: preview)
        manager.proxy.sampleMode = .immediate
        (manager.sampleMode, manager.status) = (nil, 200)
        _ = try await manager.load()
        let jar = try XCTUnwrap(preview.configuration(for: .desk)?.cookies)
        XCTAssertEqual(jar.cookies, [])
        assertUntouched()
    }

    // MARK: Contracts

    func testARecordingThatAServiceBringsIsNotWritten() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("desk-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let status = await ContractCheck(
            services: [.desk: { DeskService() }], managers: [.init(DeskManager())],
            transport: SilentTransport()
        ).run(["--contracts", folder.path], out: { _ in }, error: { _ in })
        XCTAssertEqual(status, 2)
        assertUntouched()
    }

    func testAContractCheckTouchesNothing() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("desk-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        stubs.on(.path("/papers"), answers: [.json([:]), .json([:]), .status(500)])
        let lines = Locked<[String]>([])
        let status = await ContractCheck(
            services: [.desk: DeskService.self, .staged: StagedService.self],
            managers: [.init(DeskManager()), .init(StagedManager()), .init(DeskManager(), name: "again")],
            transport: stubs,
            prepare: { [self] proxy in
                let manager = DeskManager()
                manager.proxy = proxy
                await assertRequest(
                    of: manager, .get, "https://desk.example.com/papers",
                    headers: ["Authorization": nil, "Cookie": nil, "X-Device": nil])
                try await use(proxy)
            }
        ).run(
            ["--record", "--contracts", folder.path], out: { line in lines.withLock { $0.append(line) } },
            error: { line in lines.withLock { $0.append(line) } })
        XCTAssertEqual(status, 2, "\(lines.current)")
        XCTAssertEqual(
            stubs.requests.map(\.url.host), ["desk.example.com", "live.example.com", "desk.example.com"])
        XCTAssertEqual(stubs.requests.first?.headers["Authorization"], "Bearer of-the-test")
        assertUntouched()
    }
}

extension DeskManager {
    fileprivate func cacheKey(over proxy: ApiProxy) async -> CacheKey {
        self.proxy = proxy
        return await proxy.cacheKey(of: call([:]))!
    }
}
