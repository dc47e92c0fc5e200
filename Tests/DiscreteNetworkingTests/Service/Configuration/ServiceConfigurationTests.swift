import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

/// What a service declares is in force, or its calls end with an error that says what to write.
@MainActor
final class ServiceConfigurationTests: XCTestCase {
    private func stack(
        _ makers: [ServiceIdentifier: @Sendable () -> any Service], _ transport: ClosureTransport,
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) -> ApiProxy {
        let services = ServiceFactory(log: log)
        services.register(makers)
        return ApiProxy(
            transport: transport, services: services, caches: CacheTiers(disk: NoCache()),
            reachability: ManualReachability())
    }

    private func manager(_ proxy: ApiProxy) -> ProductManager {
        let manager = ProductManager()
        manager.proxy = proxy
        return manager
    }

    private func reason(_ service: @escaping @Sendable () -> any Service) async -> String? {
        let transport = ClosureTransport(json: teapot)
        let proxy = stack([.test: service], transport)
        let error = await failure(manager(proxy), with: [:])
        guard case .invalidService(let reason)? = error?.kind else { return error.map { "\($0)" } }
        XCTAssertEqual(transport.requests.count, 0, "nothing is sent")
        return reason
    }

    // MARK: In force

    /// A service whose configuration is computed, and counts how often.
    final class Computed: Service {
        let reads = Locked(0)
        let baseURL = URL(string: "https://api.example.com")!
        var configuration: ServiceConfiguration {
            reads.withLock { $0 += 1 }
            let session = TokenSession()
            session.adopt(SessionTokens(accessToken: "t"))
            return ServiceConfiguration(timeout: 7, session: session, cookies: CookieJar())
        }
    }

    func testAComputedConfigurationIsReadOnce() async throws {
        let service = Computed()
        let transport = ClosureTransport { request in
            var response = TransportResponse(request, json: teapot)
            response.headers["Set-Cookie"] = "a=1"
            return response
        }
        let proxy = stack([.test: { service }], transport)
        for _ in 1...3 { _ = try await manager(proxy).load(with: [:]) }
        XCTAssertEqual(service.reads.current, 1)
        XCTAssertEqual(
            transport.requests.map { $0.headers["Authorization"] }, Array(repeating: "Bearer t", count: 3))
        XCTAssertEqual(transport.requests.map { $0.headers["Cookie"] }, [nil, "a=1", "a=1"])
        XCTAssertEqual(transport.requests.map(\.timeout), [7, 7, 7])
        let session = proxy.services.configuration(for: .test)?.session
        XCTAssertEqual(session?.tokens?.accessToken, "t")
        XCTAssertEqual(service.reads.current, 1)
    }

    /// The form of the design.
    final class Stored: Service {
        let baseURL = URL(string: "https://api.example.com")!
        let configuration = ServiceConfiguration(timeout: 10, session: TokenSession(), cookies: CookieJar())
    }

    func testAStoredConfigurationIsTheOneInForce() async throws {
        let service = Stored()
        let transport = ClosureTransport(json: teapot)
        let proxy = stack([.test: { service }], transport)
        service.configuration.session?.adopt(SessionTokens(accessToken: "mine"))
        _ = try await manager(proxy).load(with: [:])
        XCTAssertEqual(transport.requests.first?.headers["Authorization"], "Bearer mine")
    }

    // MARK: Not in force

    /// Every member has the type that one would write, and none is a member of the protocol.
    final class Misdeclared: Service {
        let baseURL = URL(string: "https://api.example.com")!
        let session = TokenSession()
        let transport = ClosureTransport(json: teapot)
        let cookies = CookieJar()
        let concurrencyLimit = 4
        let apiVersion = "v3"
        let timeout = 5
        let failover = FailoverPolicy(to: [])
        let cacheVersion = 2
    }

    func testEightMisdeclaredMembersAreAllNamed() async {
        let reason = await reason { Misdeclared() } ?? ""
        XCTAssertTrue(reason.contains("Misdeclared"), reason)
        for (name, type) in [
            ("session", "TokenSession"), ("transport", "ClosureTransport"), ("cookies", "CookieJar"),
            ("concurrencyLimit", "Int"), ("apiVersion", "String"), ("timeout", "Int"),
            ("failover", "FailoverPolicy"),
            ("cacheVersion", "Int"),
        ] {
            XCTAssertTrue(
                reason.contains("`\(name)` has type \(type), so it is ignored"), "\(name) in \(reason)")
        }
        XCTAssertTrue(reason.contains("ServiceConfiguration(session: …), which takes TokenSession?"), reason)
        XCTAssertTrue(reason.contains("let apiVersion: String? = …"), reason)
    }

    func testTheErrorNamesServiceEndpointAndCall() async {
        let proxy = stack([.test: { Misdeclared() }], ClosureTransport(json: teapot))
        let error = await failure(manager(proxy), with: [:])
        XCTAssertTrue("\(error!)".hasPrefix("test/products/detail #"), "\(error!)")
        let texts = [error!.localizedDescription, "\(error!)", "\(error!.kind)"]
        for text in texts {
            XCTAssertTrue(text.contains("ServiceConfiguration(session: …)"), text)
            XCTAssertTrue(text.contains("`cacheVersion`"), text)
        }
    }

    func testAStoredPropertyThatTheConfigurationUsesIsInForce() async throws {
        final class Shared: Service {
            let baseURL = URL(string: "https://api.example.com")!
            let session = TokenSession()
            let timeout = 5.0
            let cookies = CookieJar()
            var configuration: ServiceConfiguration {
                ServiceConfiguration(timeout: timeout, session: session, cookies: cookies)
            }
        }
        let proxy = stack([.test: { Shared() }], ClosureTransport(json: teapot))
        _ = try await manager(proxy).load(with: [:])
    }

    func testAPropertyOfTheRightTypeOutsideTheConfigurationIsRefused() async {
        final class Beside: Service {
            let baseURL = URL(string: "https://api.example.com")!
            let session: TokenSession? = TokenSession()
            nonisolated(unsafe) var timeout = 5.0
        }
        let reason = await reason { Beside() } ?? ""
        XCTAssertTrue(reason.contains("`session` has type Optional<TokenSession>"), reason)
        XCTAssertTrue(reason.contains("`timeout` has type Double"), reason)
        XCTAssertTrue(reason.contains("ServiceConfiguration(timeout: …), which takes TimeInterval"), reason)
    }

    func testAConfigurationOfAnotherTypeIsRefused() async {
        final class Optionally: Service {
            let baseURL = URL(string: "https://api.example.com")!
            let configuration: ServiceConfiguration? = ServiceConfiguration(timeout: 5)
        }
        let reason = await reason { Optionally() }
        XCTAssertTrue(reason?.contains("let configuration = ServiceConfiguration(…)") == true, reason ?? "")
    }

    func testNearMissesAreLogged() async throws {
        final class Near: Service {
            let baseURL = URL(string: "https://api.example.com")!
            let timeOut = 5.0
            let baseUrl = "x"
            let cookie = CookieJar()
            let paramPresedense = "x"
            let concurencyLimits = 4
            let token = Locked("t")
            let environmentName = "x"
            // Two letters differ, which is too many in a short name.
            let sesions = 1
            let cookieJar = 1
        }
        let lines = Locked<[String]>([])
        let proxy = stack([.test: { Near() }], ClosureTransport(json: teapot)) { line in
            lines.withLock { $0.append(line) }
        }
        _ = try await manager(proxy).load(with: [:])
        XCTAssertEqual(
            lines.current,
            [
                "timeOut` is no member of Service; `timeout", "baseUrl` is no member of Service; `baseURL",
                "cookie` is no member of Service; `cookies",
                "paramPresedense` is no member of Service; `paramPrecedence",
                "concurencyLimits` is no member of Service; `concurrencyLimit",
            ]
            .map { "DiscreteNetworking: Near: `\($0)` is." })
    }
}
