import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

/// What an attempt, and the work that it causes, sees of a switch of the environment.
@MainActor
final class EnvironmentAttemptTests: XCTestCase {
    fileprivate nonisolated static let hosts: [Stage: [URL]] = [
        .staging: [URL(string: "https://staging.example.com")!],
        .live: [URL(string: "https://live.example.com")!],
    ]

    private func stack(
        _ service: StagedService, _ transport: ClosureTransport, clock: TestClock = TestClock()
    ) -> ApiProxy {
        let services = ServiceFactory()
        services.register([.test: { service }])
        return ApiProxy(
            transport: transport, services: services, caches: CacheTiers(disk: NoCache()),
            reachability: ManualReachability(), clock: clock)
    }

    private func manager(_ proxy: ApiProxy, cache: CachePolicy = .none) -> StagedManager {
        let manager = StagedManager(cache: cache)
        manager.proxy = proxy
        return manager
    }

    private nonisolated static func answer(_ request: APIRequest) -> TransportResponse {
        TransportResponse(request, json: #"{"stage":"\#(request.url.host!.prefix { $0 != "." })"}"#)
    }

    func testACallThatADelegateStartsGoesToTheNewEnvironment() async throws {
        let service = StagedService(hosts: Self.hosts)
        let transport = ClosureTransport { Self.answer($0) }
        let proxy = stack(service, transport)
        let (first, second) = (manager(proxy), manager(proxy))
        let output = try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<StagedOutput, any Error>) in
            first.loadData(with: ["number": 1]) { _ in
                service.environment.current = .staging
                second.loadData(with: ["number": 2]) { continuation.resume(with: $0) }
            }
        }
        XCTAssertEqual(output.stage, "staging")
        XCTAssertEqual(EnvironmentScope.active.count, 0)
    }

    /// A task that began in a call, and outlives it, is no part of it.
    func testATaskThatOutlivesItsCallGoesToTheNewEnvironment() async throws {
        let service = StagedService(hosts: Self.hosts)
        let (gate, late) = (Gate(), Locked<Task<StagedOutput, any Error>?>(nil))
        let next = StagedManager(cache: .none)
        let transport = ClosureTransport { request in
            if request.url.lastPathComponent == "1" {
                late.current = Task { @MainActor in
                    await gate.pass()
                    return try await next.load(with: ["number": 2])
                }
            }
            return Self.answer(request)
        }
        let proxy = stack(service, transport)
        next.proxy = proxy
        let first = try await manager(proxy).load(with: ["number": 1])
        XCTAssertEqual(first.stage, "live")
        service.environment.current = .staging
        gate.open()
        let output = try await XCTUnwrap(late.current).value
        XCTAssertEqual(output.stage, "staging")
    }

    /// The refresh of the staging session goes to staging, although the app is at live by then.
    func testARefreshGoesToTheEnvironmentOfItsSession() async throws {
        let service = StagedService(hosts: Self.hosts)
        service.environment.current = .staging
        let transport = ClosureTransport { request in
            if request.url.path.hasSuffix("/token") {
                return TransportResponse(request, json: #"{"access_token":"staging-2"}"#)
            }
            guard request.headers["Authorization"] != "Bearer staging-1" else {
                service.environment.current = .live
                return TransportResponse(request, json: "", status: 401)
            }
            return Self.answer(request)
        }
        let output = try await manager(stack(service, transport)).load(with: ["number": 1])
        XCTAssertEqual(output.stage, "live")
        XCTAssertEqual(
            transport.requests.map { "\($0.url.host!) \($0.url.lastPathComponent)" },
            ["staging.example.com 1", "staging.example.com token", "live.example.com 1"])
        XCTAssertEqual(
            transport.requests.map { $0.headers["Authorization"] },
            ["Bearer staging-1", nil, "Bearer live-1"])
    }

    /// Staging has a session, live has none.
    private final class HalfService: EnvironmentService {
        let environment = EnvironmentSwitch(Stage.staging)
        let session = TokenSession()
        func endpoint(in stage: Stage) -> ServiceEndpoint {
            ServiceEndpoint(baseURL: EnvironmentAttemptTests.hosts[stage]![0])
        }
        var configuration: ServiceConfiguration {
            environment.current == .staging ? ServiceConfiguration(session: session) : ServiceConfiguration()
        }
        func intercept(_ failure: FailureContext) async -> FailureDisposition {
            environment.current = .live
            return .retry(after: 0)
        }
    }

    func testAnEnvironmentWithoutASessionGetsNoTokenOfAnother() async throws {
        let service = HalfService()
        let transport = ClosureTransport { request in
            request.url.host == "staging.example.com"
                ? TransportResponse(request, json: "", status: 503) : Self.answer(request)
        }
        let services = ServiceFactory()
        services.register([.test: { service }])
        _ = services.service(for: .test)
        service.session.adopt(SessionTokens(accessToken: "staging-1"))
        let proxy = ApiProxy(
            transport: transport, services: services, caches: CacheTiers(disk: NoCache()),
            reachability: ManualReachability(), clock: TestClock())
        let output = try await manager(proxy).load(with: ["number": 1])
        XCTAssertEqual(output.stage, "live")
        XCTAssertEqual(
            transport.requests.map { $0.url.host! }, ["staging.example.com", "live.example.com"])
        XCTAssertEqual(
            transport.requests.map { $0.headers["Authorization"] }, ["Bearer staging-1", nil])
    }

    /// A call that a service makes in `adapt` belongs to the attempt, also if the app switches before it is sent.
    func testACallOfAHookGoesToTheEnvironmentOfTheAttempt() async throws {
        let service = StagedService(hosts: Self.hosts)
        let transport = ClosureTransport { Self.answer($0) }
        let proxy = stack(service, transport)
        let isNested = Locked(false)
        service.onAdapt.current = { [weak service] in
            guard
                !isNested.withLock({ isNested in
                    defer { isNested = true }
                    return isNested
                })
            else { return }
            service?.environment.current = .staging
            let nested = await Task { @MainActor in
                let nested = StagedManager()
                nested.proxy = proxy
                return nested
            }.value
            _ = try? await nested.load(with: ["number": 9])
        }
        _ = try await manager(proxy).load(with: ["number": 1])
        XCTAssertEqual(
            transport.requests.map {
                "\($0.url.host!) \($0.headers["X-Stage"] ?? "") \($0.headers["X-Key"] ?? "")"
            },
            ["live.example.com live live-key", "live.example.com live live-key"])
    }

    func testTheInterceptionOfAFailureSeesItsEnvironment() async throws {
        let service = StagedService(hosts: Self.hosts)
        let transport = ClosureTransport { request in
            service.environment.current = .staging
            return TransportResponse(request, json: "", status: 404)
        }
        _ = await failure(manager(stack(service, transport)), with: ["number": 1])
        XCTAssertEqual(service.intercepted.current, [.live])
    }

    func testAStoredResponseIsOnlyForItsEnvironment() async throws {
        let shared = [URL(string: "https://api.example.com")!]
        let service = StagedService(hosts: [.staging: shared, .live: shared], hasVersion: false)
        let transport = ClosureTransport { request in
            TransportResponse(request, json: #"{"stage":"\#(request.headers["X-Stage"] ?? "")"}"#)
        }
        service.sendsStage.current = false
        let proxy = stack(service, transport)
        _ = try await manager(proxy, cache: CachePolicy()).load(with: ["number": 1])
        service.environment.current = .staging
        _ = try await manager(proxy, cache: CachePolicy()).load(with: ["number": 1])
        XCTAssertEqual(transport.requests.count, 2)
        service.environment.current = .live
        _ = try await manager(proxy, cache: CachePolicy()).load(with: ["number": 1])
        XCTAssertEqual(transport.requests.count, 2, "from the cache")
    }

    func testALogoutInOneEnvironmentEmptiesTheCookiesOfThatEnvironment() async throws {
        let service = StagedService(hosts: Self.hosts)
        let transport = ClosureTransport { request in
            var response = Self.answer(request)
            response.headers["Set-Cookie"] = "a=1"
            return response
        }
        let proxy = stack(service, transport)
        for stage in Stage.allCases {
            service.environment.current = stage
            _ = try await manager(proxy).load(with: ["number": 1])
        }
        XCTAssertEqual(service.environment.current, .live)
        try await service.sessions[.staging]?.logOut()
        XCTAssertEqual(service.jars[.staging]?.cookies.count, 0)
        XCTAssertEqual(service.jars[.live]?.cookies.count, 1)
    }

    func testTheCircuitBreakerOfOneEnvironmentIsNotThatOfAnother() async throws {
        let service = StagedService(hosts: Self.hosts)
        service.breaksCircuits.current = true
        let transport = ClosureTransport { request in
            guard request.url.host == "staging.example.com" else { return Self.answer(request) }
            return TransportResponse(request, json: "", status: 500)
        }
        let proxy = stack(service, transport)
        service.environment.current = .staging
        let broken = await failure(manager(proxy), with: ["number": 1])
        XCTAssertEqual(broken?.kind, .http(status: 500))
        guard case .degraded = await failure(manager(proxy), with: ["number": 1])?.kind else {
            return XCTFail("open in staging")
        }
        service.environment.current = .live
        let output = try await manager(proxy).load(with: ["number": 1])
        XCTAssertEqual(output.stage, "live")
    }

    /// A whole URL at staging, made before a switch to live: live's token stays away from it.
    func testAWholeURLOfAnotherEnvironmentGetsNothingOfThisOne() async throws {
        let service = StagedService(hosts: Self.hosts)
        let transport = ClosureTransport { Self.answer($0) }
        let proxy = stack(service, transport)
        let url = URL(string: "https://staging.example.com/staging/items/7")!
        _ = try await manager(proxy).load(at: url)
        service.environment.current = .staging
        _ = try await manager(proxy).load(at: url)
        XCTAssertEqual(transport.requests.map { $0.headers["Authorization"] }, [nil, "Bearer staging-1"])
        XCTAssertEqual(transport.requests.map { $0.headers["X-Stage"] }, [nil, "staging"])
    }
}
