import DiscreteNetworkingTesting
import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

/// One session, declared once: each environment has tokens of its own.
@MainActor
final class EnvironmentSessionTests: XCTestCase {
    final class Shop: EnvironmentService {
        let environment = EnvironmentSwitch(Stage.staging)
        let hosts: [Stage: URL]
        let configuration: ServiceConfiguration

        convenience init() { self.init(hosts: [:], store: MemoryCredentialStore()) }

        init(hosts: [Stage: URL], store: any CredentialStore) {
            self.hosts = hosts
            configuration = ServiceConfiguration(session: TokenSession(store: store), cookies: CookieJar())
        }

        func endpoint(in stage: Stage) -> ServiceEndpoint {
            ServiceEndpoint(baseURL: hosts[stage] ?? URL(string: "https://\(stage).example.com")!)
        }
    }

    private func proxy(_ shop: Shop, _ transport: (any Transport)? = nil) -> ApiProxy {
        let services = ServiceFactory()
        services.register([.test: { shop }])
        return ApiProxy(
            transport: transport ?? ClosureTransport(json: #"{"stage":""}"#), services: services,
            caches: CacheTiers(disk: NoCache()), reachability: ManualReachability())
    }

    private func manager(_ proxy: ApiProxy) -> StagedManager {
        let manager = StagedManager()
        manager.proxy = proxy
        return manager
    }

    func testSwitchingBackFindsTheUserLoggedIn() async throws {
        let transport = ClosureTransport(json: #"{"stage":""}"#)
        let shop = Shop()
        let proxy = proxy(shop, transport)
        let session = try XCTUnwrap(proxy.services.configuration(for: .test)?.session)
        session.adopt(SessionTokens(accessToken: "staging"))
        shop.environment.current = .live
        XCTAssertFalse(session.isLoggedIn)
        XCTAssertNil(session.tokens)
        _ = try await manager(proxy).load(with: ["number": 1])
        session.adopt(SessionTokens(accessToken: "live"))
        _ = try await manager(proxy).load(with: ["number": 1])
        shop.environment.current = .staging
        XCTAssertEqual(session.tokens?.accessToken, "staging")
        _ = try await manager(proxy).load(with: ["number": 1])
        try await session.logOut()
        XCTAssertFalse(session.isLoggedIn)
        shop.environment.current = .live
        XCTAssertEqual(session.tokens?.accessToken, "live")
        XCTAssertEqual(
            transport.requests.map { $0.headers["Authorization"] }, [nil, "Bearer live", "Bearer staging"])
    }

    func testAnObserverIsToldOfTheSessionThatTheAppKnows() async throws {
        struct Watching: APICallObserver {
            let dispositions: Locked<[FailureDisposition]>
            func observe(_ event: APICallEvent) {
                guard case .failed(_, let disposition) = event.kind else { return }
                dispositions.withLock { $0.append(disposition) }
            }
        }
        let proxy = proxy(Shop(), ClosureTransport(json: "{}", status: 401))
        let session = try XCTUnwrap(proxy.services.configuration(for: .test)?.session)
        session.adopt(SessionTokens(accessToken: "staging"))
        let watching = Watching(dispositions: Locked([]))
        proxy.addObserver(watching)
        do {
            _ = try await manager(proxy).load(with: ["number": 1])
            XCTFail("There is no login.")
        } catch {
            XCTAssertEqual(error.kind, .loginRequired)
        }
        XCTAssertEqual(watching.dispositions.current, [.holdUntilRefreshed(session)])
    }

    func testTheStoreHasAKeyForEachEnvironment() async throws {
        let store = MemoryCredentialStore()
        let shop = Shop(hosts: [:], store: store)
        let first = proxy(shop)
        var session = try XCTUnwrap(first.services.configuration(for: .test)?.session)
        session.adopt(SessionTokens(accessToken: "staging"))
        try await session.save()
        shop.environment.current = .live
        session.adopt(SessionTokens(accessToken: "live"))
        try await session.save()
        XCTAssertNil(store.read("session"))
        XCTAssertNotNil(store.read("session@staging"))
        XCTAssertNotNil(store.read("session@live"))

        // The next start of the app, at live.
        let next = Shop(hosts: [:], store: store)
        next.environment.current = .live
        let second = proxy(next)
        session = try XCTUnwrap(second.services.configuration(for: .test)?.session)
        await session.load()
        XCTAssertEqual(session.tokens?.accessToken, "live")
        next.environment.current = .staging
        await session.load()
        XCTAssertEqual(session.tokens?.accessToken, "staging")
        withExtendedLifetime((first, second)) {}
    }

    /// 200 calls in flight, a server for each environment: none sees the token or cookie of the other.
    func testNoServerSeesATokenOfTheOtherEnvironment() async throws {
        let gate = LoopbackGate()
        let servers = try Dictionary(
            uniqueKeysWithValues: Stage.allCases.map { stage in
                (
                    stage,
                    try LoopbackServer { _ in
                        LoopbackResponse.json(#"{"stage":"\#(stage)"}"#)
                            .adding("Set-Cookie", "stage=\(stage)").delayed(until: gate)
                    }
                )
            })
        defer { for server in servers.values { server.stop() } }
        let shop = Shop(hosts: servers.mapValues(\.baseURL), store: MemoryCredentialStore())
        let proxy = proxy(shop, StandardTransport.make())
        let session = proxy.services.configuration(for: .test)?.session
        for stage in Stage.allCases {
            shop.environment.current = stage
            session?.adopt(SessionTokens(accessToken: "\(stage)"))
        }
        // Half of the calls are in flight in each environment.
        let calls = Stage.allCases.flatMap { stage in
            shop.environment.current = stage
            return (0..<100).map { number in
                let manager = manager(proxy)
                manager.loadData(with: ["number": number])
                return manager
            }
        }
        shop.environment.current = .staging
        await until { servers.values.contains { $0.requests.count > 0 } }
        shop.environment.current = .live
        gate.open()
        await until { calls.allSatisfy { !$0.isLoading } }
        shop.environment.current = .staging
        _ = try await manager(proxy).load(with: ["number": 0])
        shop.environment.current = .live
        _ = try await manager(proxy).load(with: ["number": 0])
        XCTAssertEqual(calls.compactMap(\.error).count, 0)
        for (stage, server) in servers {
            let tokens = Set(server.requests.map { $0.header("Authorization") ?? "none" })
            XCTAssertEqual(tokens, ["Bearer \(stage)"])
            let cookies = Set(server.requests.compactMap { $0.header("Cookie") })
            XCTAssertTrue(cookies.isSubset(of: ["stage=\(stage)"]), "\(stage): \(cookies)")
        }
        XCTAssertEqual(servers.values.map(\.requests.count).reduce(0, +), 202)
    }

    func testTheLoginOfOneEnvironmentIsNotThatOfAnother() async throws {
        let shop = Shop()
        let transport = ClosureTransport { request in
            let isLoggedIn = request.headers["Authorization"] != nil
            return TransportResponse(request, json: #"{"stage":""}"#, status: isLoggedIn ? 200 : 401)
        }
        let proxy = proxy(shop, transport)
        let session = try XCTUnwrap(proxy.services.configuration(for: .test)?.session)
        let login = StagedLogin()
        session.login = login
        _ = try await manager(proxy).load(with: ["number": 1])
        shop.environment.current = .live
        _ = try await manager(proxy).load(with: ["number": 1])
        XCTAssertTrue(login.sessions.allSatisfy { $0 === session }, "the session that the app knows")
        XCTAssertEqual(login.sessions.count, 2)
        XCTAssertEqual(
            transport.requests.compactMap { $0.headers["Authorization"] },
            ["Bearer login-1", "Bearer login-2"])
    }

    func testAnAdoptedTokenThatHasExpiredIsRefreshedBeforeTheFirstCall() async throws {
        let desk = TokenDesk()
        let transport = ClosureTransport { desk.answer($0) }
        let session = TokenSession(policy: RefreshPolicy(ahead: 10), refresh: TokenSession.standardRefresh)
        let stack = Stack(transport) { $0.session = session }
        for expiry in [-1.0, 5] {
            session.adopt(desk.tokens(expiry: Date() + expiry))
            desk.expire()
            let before = transport.requests.count
            if expiry > 0 {
                // Valid still: the refresh runs in the background of the call, which is repeated here.
                _ = try await stack.manager(ProductManager()).load(with: ["id": 7])
            } else {
                _ = try await stack.manager(ProductManager()).load(with: ["id": 7])
                XCTAssertEqual(
                    transport.requests[before...].map(\.url.lastPathComponent), ["token", "detail"])
            }
        }
        XCTAssertEqual(desk.book.current.refreshes, 2)
    }
}

/// Logs in with a new token each time.
@MainActor
private final class StagedLogin: SessionLogin {
    private(set) var sessions: [TokenSession] = []

    func logIn(to session: TokenSession) async -> LoginOutcome {
        sessions.append(session)
        return .loggedIn(SessionTokens(accessToken: "login-\(sessions.count)"))
    }
}
