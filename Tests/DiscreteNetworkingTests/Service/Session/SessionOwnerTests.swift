import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

/// Users, processes and environments.
@MainActor
final class SessionOwnerTests: XCTestCase {
    /// An app and its extension, with tokens that name no user.
    private func error(ofAnnsCallAfterBobsLogin expiry: Date?) async throws -> (APIError.Kind?, [String?]) {
        let store = MemoryCredentialStore()
        let session = TokenSession(store: store) { tokens, _ in
            SessionTokens(accessToken: "new of \(tokens.refreshToken ?? "")")
        }
        let transport = ClosureTransport { request in
            let isOld = request.headers["Authorization"] == "Bearer ann"
            return TransportResponse(request, json: teapot, status: isOld ? 401 : 200)
        }
        let stack = Stack(transport) { $0.session = session }
        session.adopt(SessionTokens(accessToken: "ann", refreshToken: "ann's"))
        try await session.save()
        let process = TokenSession(store: store)
        await process.load()
        process.adopt(SessionTokens(accessToken: "bob", refreshToken: "bob's", expiry: expiry))
        try await process.save()
        let error = await failure(stack.manager(ProductManager()))
        return (error?.kind, transport.requests.map { $0.headers["Authorization"] })
    }

    func testACallIsNotSentWithTheRefreshedTokensOfAnotherUser() async throws {
        let (control, _) = try await error(ofAnnsCallAfterBobsLogin: nil)
        XCTAssertEqual(control, .loginRequired, "if the stored tokens are still valid")
        let (kind, sent) = try await error(ofAnnsCallAfterBobsLogin: Date(timeIntervalSince1970: 7))
        XCTAssertEqual(kind, .loginRequired)
        XCTAssertEqual(sent, ["Bearer ann"])
    }

    /// What is stored after Ann's refresh, if another process has changed the store while the server was asked.
    private func stored(
        after change: (TokenSession, MemoryCredentialStore) async throws -> Void
    ) async throws -> SessionTokens? {
        let (store, gate) = (MemoryCredentialStore(), Gate())
        let session = TokenSession(store: store) { _, _ in
            await gate.pass()
            return SessionTokens(accessToken: "new", refreshToken: "new", user: "ann")
        }
        let transport = ClosureTransport { request in
            let isOld = request.headers["Authorization"] == "Bearer old"
            return TransportResponse(request, json: teapot, status: isOld ? 401 : 200)
        }
        let stack = Stack(transport) { $0.session = session }
        session.adopt(SessionTokens(accessToken: "old", refreshToken: "old", user: "ann"))
        try await session.save()
        let process = TokenSession(store: store)
        await process.load()
        let manager = stack.manager(ProductManager())
        let call = Task { await failure(manager)?.kind }
        await gate.arrival()
        try await change(process, store)
        gate.open()
        _ = await call.value
        return TokenSession(store: store).tokens
    }

    func testARefreshDoesNotUndoTheLogoutOfAnotherProcess() async throws {
        let tokens = try await stored { process, store in
            try await process.logOut()
            XCTAssertNil(store.read("session"))
        }
        XCTAssertNil(tokens, "nobody is logged in at the next start")
    }

    func testARefreshDoesNotReplaceTheUserWhoHasLoggedInInAnotherProcess() async throws {
        let tokens = try await stored { process, _ in
            process.adopt(SessionTokens(accessToken: "bob", refreshToken: "bob", user: "bob"))
            try await process.save()
        }
        XCTAssertEqual(tokens?.user, "bob")
    }

    // MARK: Environments

    private final class Branch: EnvironmentService {
        let environment = EnvironmentSwitch(Stage.live)
        let name: String
        let configuration: ServiceConfiguration

        convenience init() { self.init("", nil, nil) }

        init(_ name: String, _ session: TokenSession?, _ cookies: CookieJar?) {
            self.name = name
            configuration = ServiceConfiguration(session: session, cookies: cookies)
        }

        func endpoint(in stage: Stage) -> ServiceEndpoint {
            ServiceEndpoint(baseURL: URL(string: "https://\(name)-\(stage).example.com")!)
        }
    }

    /// Two services share a login, and each has a switch of its own.
    func testAnEnvironmentGetsNoTokenAndNoCookieOfAnother() async throws {
        let transport = ClosureTransport { request in
            TransportResponse(
                url: request.url, status: 200, headers: ["Set-Cookie": "sid=live; Domain=example.com"],
                body: .data(Data(teapot.utf8)))
        }
        let (session, jar) = (TokenSession(), CookieJar())
        let (shop, club) = (Branch("shop", session, jar), Branch("club", session, jar))
        let services = ServiceFactory { _ in }
        services.register([.test: { shop }, .other: { club }])
        let proxy = ApiProxy(
            transport: transport, services: services, caches: CacheTiers(disk: NoCache()),
            reachability: ManualReachability())
        func load(_ service: ServiceIdentifier) async throws -> APIRequest? {
            let manager = ProductManager()
            manager.serviceIdentifier = service
            manager.proxy = proxy
            _ = try await manager.load(with: [:])
            return transport.requests.last
        }
        services.configuration(for: .test)?.session?.adopt(SessionTokens(accessToken: "live", user: "ann"))
        _ = try await load(.test)
        let live = try await load(.other)
        XCTAssertEqual(live?.headers["Authorization"], "Bearer live", "one login for both")
        club.environment.current = .staging
        let staged = try await load(.other)
        XCTAssertEqual(staged?.url.host, "club-staging.example.com")
        XCTAssertNil(staged?.headers["Authorization"])
        XCTAssertNil(staged?.headers["Cookie"])
    }

    /// A service without environments is used before the one with environments that shares its session.
    func testALogoutRemovesTokensThatWereStoredBeforeTheEnvironmentWasKnown() async throws {
        let store = MemoryCredentialStore()
        /// A start of the app.
        func start() -> (TokenSession, ServiceFactory) {
            let session = TokenSession(store: store)
            let services = ServiceFactory { _ in }
            services.register([
                .test: { Branch("shop", session, nil) },
                .other: { TestService { $0.session = session } },
            ])
            return (session, services)
        }
        let (session, services) = start()
        services.configuration(for: .other)?.session?.adopt(SessionTokens(accessToken: "ann", user: "ann"))
        try await session.save()
        XCTAssertNotNil(services.service(for: .test))
        XCTAssertEqual(session.tokens?.user, "ann")
        try await session.logOut()
        XCTAssertNil(session.tokens)

        let (_, later) = start()
        let found = later.configuration(for: .other)?.session
        await found?.load()
        XCTAssertNil(found?.tokens, "of a user who has logged out")
    }

    func testTokensThatWereStoredBeforeTheEnvironmentWasKnownAreFound() async throws {
        let store = MemoryCredentialStore()
        func start() -> (TokenSession, ServiceFactory) {
            let session = TokenSession(store: store)
            let services = ServiceFactory { _ in }
            services.register([
                .test: { Branch("shop", session, nil) },
                .other: { TestService { $0.session = session } },
            ])
            return (session, services)
        }
        let (session, services) = start()
        services.configuration(for: .other)?.session?.adopt(SessionTokens(accessToken: "ann", user: "ann"))
        try await session.save()
        XCTAssertNotNil(services.service(for: .test))
        try await session.save()

        let (_, later) = start()
        let found = later.configuration(for: .test)?.session
        await found?.load()
        XCTAssertEqual(found?.tokens?.user, "ann")
    }
}
