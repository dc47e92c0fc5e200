#if os(macOS) || os(Linux)
    import DiscreteNetworkingCookies
    import DiscreteNetworkingTesting
    import Foundation
    import LoopbackServer
    import XCTest

    @testable import DiscreteNetworkingCore
    @testable import DiscreteNetworkingOAuth

    extension ServiceIdentifier {
        static let orders: Self = "orders"
    }

    struct OrderList: Decodable, Sendable, Equatable { let user: String }

    final class OrdersManager: APIManager<OrderList> {
        let serviceIdentifier = ServiceIdentifier.orders
        let methodName = "orders"
        let requestType = HTTPMethod.get
        override var requiresLogin: Bool { true }
    }

    final class OrdersService: Service {
        let baseURL: URL
        let configuration: ServiceConfiguration
        convenience init() { self.init(URL(string: "https://shop.example.com")!, TokenSession()) }
        init(_ baseURL: URL, _ session: TokenSession) {
            self.baseURL = baseURL
            configuration = ServiceConfiguration(session: session, cookies: CookieJar())
        }
        func extraHeaders(for call: APICall) -> [String: String] { ["X-App": "shop"] }
    }

    /// Logins, refreshes and revocations at an authorization server that others have written.
    @MainActor
    final class OAuthServerTests: XCTestCase {
        private let redirectURL = URL(string: "com.example.shop:/callback")!
        private var backend: AuthlibServer!
        private var server: OAuthServer!
        private let lines = Locked<[String]>([])
        private let clock = TestClock()

        /// A server takes longer to start than a test to run.
        private static var shared: AuthlibServer?

        nonisolated override class func tearDown() {
            MainActor.assumeIsolated {
                shared?.stop()
                shared = nil
            }
            super.tearDown()
        }

        override func setUp() async throws {
            backend = try Self.shared ?? AuthlibServer()
            Self.shared = backend
            try backend.post("reset")
            let base = backend.baseURL
            server = OAuthServer(
                issuer: base.absoluteString, sendsIssuer: true,
                authorization: base.appendingPathComponent("authorize"),
                token: base.appendingPathComponent("token"),
                deviceAuthorization: base.appendingPathComponent("device_authorization"),
                revocation: base.appendingPathComponent("revoke"))
        }

        private func client(
            _ identifier: String = "app", _ authentication: OAuthClient.Authentication = .none
        ) -> OAuthClient {
            OAuthClient(
                identifier, authentication: authentication, redirectURL: redirectURL, scope: "orders",
                at: server)
        }

        /// What an app has: a service with a session whose login is in a browser.
        private func app(
            _ client: OAuthClient, browser: (@MainActor @Sendable (URL) async throws -> URL?)? = nil
        ) -> (ApiProxy, TokenSession) {
            let session = TokenSession { tokens, proxy in try await client.refresh(tokens, over: proxy) }
            let services = ServiceFactory { _ in }
            let base = backend.baseURL
            services.register([.orders: { OrdersService(base, session) }])
            let proxy = ApiProxy(services: services, caches: CacheTiers(), clock: clock)
            proxy.addObserver(
                APILogger(.full) { [lines] line in lines.withLock { $0.append(line) } })
            let open = browser ?? { try AuthlibServer.redirect(of: $0) }
            let login = OAuthLogin(client, proxy: proxy, user: { _ in "ann" }, browser: open)
            session.login = login
            logins.append(login)
            return (proxy, session)
        }

        /// A session does not retain its login.
        private var logins: [OAuthLogin] = []

        private func orders(_ proxy: ApiProxy) async throws(APIError) -> OrderList {
            let manager = OrdersManager()
            manager.proxy = proxy
            return try await manager.load()
        }

        // MARK: Authorization code

        func testALoginInTheBrowserGetsTokens() async throws {
            for client in [
                client(), client("daemon", .header(secret: "d4emon-_.")),
                client("web", .body(secret: "s3cr3t")),
            ] {
                let (proxy, session) = app(client)
                let orders = try await orders(proxy)
                XCTAssertEqual(orders, OrderList(user: "ann"), client.identifier)
                XCTAssertEqual(session.tokens?.user, "ann")
                XCTAssertNotNil(session.tokens?.refreshToken)
            }
            for request in try backend.log().requests where request.path == "/token" {
                XCTAssertNil(request.cookie)
                XCTAssertNotNil(request.form["code_verifier"])
            }
        }

        func testAWrongSecretOrVerifierIsRefused() async throws {
            let wrong = client("web", .body(secret: "wrong"))
            let request = try wrong.authorizationRequest()
            let callback = try XCTUnwrap(try AuthlibServer.redirect(of: request.url))
            let (proxy, _) = app(wrong)
            await assertRefused("invalid_client") {
                try await wrong.tokens(from: callback, to: request, over: proxy)
            }
            let own = try client().authorizationRequest()
            let other = try AuthorizationRequest(
                client(), params: [:], state: own.state, verifier: AuthorizationRequest.random())
            let answer = try XCTUnwrap(try AuthlibServer.redirect(of: own.url))
            await assertRefused("invalid_grant") {
                try await self.client().tokens(from: answer, to: other, over: proxy)
            }
        }

        func testARefusalInTheBrowserCancelsTheLogin() async throws {
            let (proxy, _) = app(client()) { url in
                let nobody = URL(string: url.absoluteString + "&login_hint=nobody")
                return try AuthlibServer.redirect(of: try XCTUnwrap(nobody))
            }
            do {
                _ = try await orders(proxy)
                XCTFail("nobody is logged in")
            } catch {
                XCTAssertEqual(error.kind, .loginCancelled)
            }
        }

        func testAResponseToAnotherRequestIsRefused() async throws {
            let client = client()
            let (old, new) = (try client.authorizationRequest(), try client.authorizationRequest())
            let callback = try XCTUnwrap(try AuthlibServer.redirect(of: old.url))
            let (proxy, _) = app(client)
            do {
                _ = try await client.tokens(from: callback, to: new, over: proxy)
                XCTFail("accepted")
            } catch OAuthError.wrongState {}
            XCTAssertEqual(try backend.log().requests.filter { $0.path == "/token" }.count, 0)
        }

        private func assertRefused(
            _ code: String, line: UInt = #line, _ work: @MainActor () async throws -> OAuthTokens
        ) async {
            do {
                _ = try await work()
                XCTFail("accepted", line: line)
            } catch OAuthError.refused(let found, _) {
                XCTAssertEqual(found, code, line: line)
            } catch {
                XCTFail("\(error)", line: line)
            }
        }

        // MARK: Refresh

        func testAnExpiredTokenIsRefreshedWithItsRotatingRefreshToken() async throws {
            let (proxy, session) = app(client())
            _ = try await orders(proxy)
            for _ in 1...2 {
                let old = session.tokens?.refreshToken
                try backend.post("expire")
                let orders = try await orders(proxy)
                XCTAssertEqual(orders, OrderList(user: "ann"))
                XCTAssertNotEqual(session.tokens?.refreshToken, old)
                XCTAssertEqual(session.tokens?.user, "ann")
            }
            XCTAssertEqual(try backend.log().requests.filter { $0.path == "/authorize" }.count, 1)
        }

        func testASpentRefreshTokenAsksForALogin() async throws {
            let (proxy, session) = app(client())
            _ = try await orders(proxy)
            try await client().revoke(
                try XCTUnwrap(session.tokens?.refreshToken), hint: .refreshToken, over: proxy)
            _ = try await orders(proxy)
            XCTAssertEqual(try backend.log().requests.filter { $0.path == "/authorize" }.count, 2)
        }

        // MARK: Logout

        func testALogoutRevokesTheTokens() async throws {
            let (proxy, session) = app(client())
            _ = try await orders(proxy)
            let token = try XCTUnwrap(session.tokens?.refreshToken)
            try await client().logOut(of: session, over: proxy)
            XCTAssertNil(session.tokens)
            XCTAssertEqual(try backend.log().isRevoked(token), true)
        }

        func testAFailedRevocationLogsOutNevertheless() async throws {
            let (proxy, session) = app(client())
            _ = try await orders(proxy)
            backend.stop()
            Self.shared = nil
            do {
                try await client().logOut(of: session, over: proxy)
                XCTFail("the server is gone")
            } catch OAuthError.call {}
            XCTAssertNil(session.tokens)
        }

        // MARK: Devices

        func testADeviceIsLoggedInElsewhere() async throws {
            let (proxy, _) = app(client())
            let device = try await client().authorizeDevice(over: proxy)
            XCTAssertEqual(device.verificationURL.path, "/device")
            XCTAssertEqual(device.completeVerificationURL?.query, "user_code=\(device.userCode)")
            let waiting = Task { try await self.client().tokens(for: device, over: proxy) }
            // Pending, slow down, pending, granted.
            for seconds in [5.0, 5, 10, 10] {
                await clock.waitForSleepers(1)
                XCTAssertEqual(clock.pauses.last, seconds)
                clock.advance(by: seconds)
            }
            let tokens = try await waiting.value
            XCTAssertFalse(tokens.response.accessToken.isEmpty)
            XCTAssertEqual(clock.pauses, [5, 5, 10, 10])
        }

        func testADeviceThatTheUserRefuses() async throws {
            let (proxy, _) = app(client())
            let device = try await client().authorizeDevice(over: proxy)
            try backend.post("deny")
            let waiting = Task { try await self.client().tokens(for: device, over: proxy) }
            for seconds in [5.0, 5, 10, 10] {
                await clock.waitForSleepers(1)
                clock.advance(by: seconds)
            }
            await assertRefused("access_denied") { try await waiting.value }
        }

        func testADeviceWhoseCodesExpire() async throws {
            let (proxy, _) = app(client())
            let device = try await client().authorizeDevice(over: proxy)
            let waiting = Task { try await self.client().tokens(for: device, over: proxy) }
            await clock.waitForSleepers(1)
            clock.advance(by: 1801)
            do {
                _ = try await waiting.value
                XCTFail("expired")
            } catch OAuthError.expired {}
            let canceled = Task { try await self.client().tokens(for: device, over: proxy) }
            canceled.cancel()
            let result = await canceled.result
            XCTAssertThrowsError(try result.get())
        }

        // MARK: Secrets

        func testNoLineShowsACodeOrAToken() async throws {
            let (proxy, session) = app(client("web", .body(secret: "s3cr3t")))
            _ = try await orders(proxy)
            let tokens = try XCTUnwrap(session.tokens)
            let log = try backend.log().requests.filter { $0.path == "/token" }
            let text = lines.current.joined(separator: "\n")
            XCTAssertTrue(text.contains("/token"), text)
            let secrets =
                ["s3cr3t", tokens.accessToken, tokens.refreshToken ?? "?"]
                + log.flatMap { [$0.form["code"] ?? "?", $0.form["code_verifier"] ?? "?"] }
            for secret in secrets { XCTAssertFalse(text.contains(secret), secret) }
        }
    }
#endif
