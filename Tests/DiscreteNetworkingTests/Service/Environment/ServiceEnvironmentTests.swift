import DiscreteNetworkingSigning
import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// A service that is switched between environments while the app runs.
final class ServiceEnvironmentTests: XCTestCase {
    final class Shop: EnvironmentService {
        let environment = EnvironmentSwitch(ServiceEnvironment.release)
        let questions = Locked(0)
        func endpoint(in environment: ServiceEnvironment) -> ServiceEndpoint {
            questions.withLock { $0 += 1 }
            let version = environment == .develop ? nil : environment.rawValue
            return ServiceEndpoint(
                baseURL: URL(string: "https://\(environment.rawValue).example.com")!, apiVersion: version)
        }
    }

    private func url(_ shop: Shop) async throws -> String {
        try await RequestGenerator().request(for: .stub("a"), service: shop).url.absoluteString
    }

    func testEachEnvironmentHasItsEndpoint() async throws {
        let shop = Shop()
        var url = try await url(shop)
        XCTAssertEqual(url, "https://release.example.com/release/a")
        shop.environment.current = .develop
        url = try await self.url(shop)
        XCTAssertEqual(url, "https://develop.example.com/a")
        XCTAssertEqual(shop.baseURL.host, "develop.example.com")
        XCTAssertNil(shop.apiVersion)
        shop.environment.current = .releaseCandidate
        url = try await self.url(shop)
        XCTAssertEqual(url, "https://releaseCandidate.example.com/releaseCandidate/a")
        XCTAssertEqual(shop.apiVersion, "releaseCandidate")
    }

    func testACallAsksOnce() async throws {
        let shop = Shop()
        // The hosts of the endpoint are asked for when the service is created.
        let plan = CallPlan(.stub("a"), ServiceInstance(shop).configured)
        shop.questions.current = 0
        _ = try await RequestGenerator().request(for: .stub("a"), plan, session: nil, at: nil)
        XCTAssertEqual(shop.questions.current, 1)
    }

    func testASwitchNeverMixesTwoEnvironments() {
        let shop = Shop()
        let call = APICall.stub("a")
        let wrong = Locked<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for index in 0..<500 {
                guard thread > 0 else {
                    shop.environment.current = index.isMultiple(of: 2) ? .releaseCandidate : .release
                    continue
                }
                let text = (try? shop.url(for: call).absoluteString) ?? "none"
                let isRight = ["release", "releaseCandidate"].contains {
                    text == "https://\($0).example.com/\($0)"
                }
                if !isRight { wrong.withLock { $0.append(text) } }
            }
        }
        XCTAssertEqual(wrong.current, [])
    }

    func testEnvironmentsHaveStableNames() {
        XCTAssertEqual(ServiceEnvironment.allCases, [.develop, .releaseCandidate, .release])
        XCTAssertEqual(ServiceEnvironment(rawValue: "releaseCandidate"), .releaseCandidate)
        XCTAssertNil(ServiceEndpoint(baseURL: URL(string: "https://h")!).apiVersion)
    }

    @MainActor
    func testASwitchIsInForceForTheNextCall() async throws {
        let services = ServiceFactory()
        services.register([.test: Shop.self])
        let transport = ClosureTransport(json: teapot)
        let manager = ProductManager()
        manager.proxy = ApiProxy(transport: transport, services: services)
        _ = try await manager.load(with: [:])
        (services.service(for: .test) as? Shop)?.environment.current = .develop
        _ = try await manager.load(with: [:])
        XCTAssertEqual(
            transport.requests.map(\.url.absoluteString),
            [
                "https://release.example.com/release/products/detail",
                "https://develop.example.com/products/detail",
            ])
    }

    // MARK: Environments of the app's own

    enum Stage: String, CaseIterable { case mock, qa1, live }

    final class Staged: EnvironmentService {
        let environment = EnvironmentSwitch(Stage.live)
        func endpoint(in stage: Stage) -> ServiceEndpoint {
            ServiceEndpoint(
                baseURL: URL(string: "https://\(stage).example.com")!,
                apiVersion: stage == .mock ? nil : "v1",
                keys: ["sign": SigningKey("\(stage)-key")])
        }
        func signer(for call: APICall) -> (any RequestSigner)? {
            endpoint.keys["sign"].map { FieldSigner(key: $0) }
        }
    }

    func testAnyNumberAndNameWithKeysOfEach() async throws {
        let service = Staged()
        var signatures: Set<String> = []
        for stage in Stage.allCases {
            service.environment.current = stage
            let request = try await RequestGenerator().request(for: .stub("a", ["x": 1]), service: service)
            XCTAssertEqual(request.url.host, "\(stage).example.com")
            signatures.insert(try XCTUnwrap(request.query("sign")))
        }
        XCTAssertEqual(signatures.count, 3)
        XCTAssertFalse("\(service.endpoint)".contains("live-key"))
    }

    /// A service that is switched after the URL was made, and before the request is signed.
    final class Switched: EnvironmentService {
        let environment = EnvironmentSwitch(Stage.live)
        func endpoint(in stage: Stage) -> ServiceEndpoint {
            ServiceEndpoint(
                baseURL: URL(string: "https://\(stage).example.com")!, keys: ["sign": SigningKey("\(stage)")])
        }
        func adapt(_ request: inout APIRequest, for call: APICall) async throws {
            environment.current = .qa1
            request.headers["X-Stage"] = endpoint.baseURL.host
        }
        func signer(for call: APICall) -> (any RequestSigner)? {
            endpoint.keys["sign"].map { FieldSigner(key: $0) }
        }
    }

    func testAnAttemptSeesOneEnvironment() async throws {
        let service = Switched()
        let request = try await RequestGenerator().request(for: .stub("a", ["x": 1]), service: service)
        XCTAssertEqual(request.url.host, "live.example.com")
        XCTAssertEqual(request.headers["X-Stage"], "live.example.com")
        let signed = try await RequestGenerator().request(for: .stub("a", ["x": 1]), service: service)
        XCTAssertEqual(signed.url.host, "qa1.example.com", "the next one sees the switch")
        XCTAssertNotEqual(signed.query("sign"), request.query("sign"))
        XCTAssertEqual(service.endpoint.baseURL.host, "qa1.example.com")
    }

    func testAnEnvironmentIsRememberedIfAsked() throws {
        let suite = "environment-\(UUID().uuidString)"
        let defaults = try XCTUnwrap(UserDefaults(suiteName: suite))
        defer { defaults.removePersistentDomain(forName: suite) }
        let first = Staged()
        first.useRememberedEnvironment(in: defaults)
        XCTAssertEqual(first.environment.current, .live, "nothing to remember")
        first.environment.current = .mock
        let second = Staged()
        second.useRememberedEnvironment(in: defaults)
        XCTAssertEqual(second.environment.current, .live, "nobody asked")
        first.use(.qa1, rememberedIn: defaults)
        XCTAssertEqual(first.environment.current, .qa1)
        second.useRememberedEnvironment(in: defaults)
        XCTAssertEqual(second.environment.current, .qa1)
    }
}
