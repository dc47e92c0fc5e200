import Foundation
import XCTest

@testable import DiscreteNetworking

/// Code that was written for version 0.1 compiles, and the policies that it declares are in force.
@MainActor
final class DeprecatedNamesTests: XCTestCase {
    /// A service with the members of version 0.1.
    final class OldService: Service {
        let baseURL = URL(string: "https://api.example.com")!
        func retry(for call: APICall) -> RetryPolicy { RetryPolicy(attempts: 3, base: 0) }
        func breaker(for call: APICall) -> CircuitBreakerPolicy? { CircuitBreakerPolicy(threshold: 7) }
        func intercept(_ failure: APIFailure) async -> FailureDisposition { .report }
    }

    /// A manager with the members of version 0.1.
    final class OldManager: APIManager<JSONValue> {
        let serviceIdentifier = ServiceIdentifier.test
        let methodName = "old"
        let requestType = HTTPMethod.get
        override var cache: CachePolicy { .memory }
        override var retry: RetryPolicy? { RetryPolicy(attempts: 2, base: 0) }
    }

    final class PlainManager: APIManager<JSONValue> {
        let serviceIdentifier = ServiceIdentifier.test
        let methodName = "plain"
        let requestType = HTTPMethod.get
    }

    private func proxy(_ transport: ClosureTransport) -> ApiProxy {
        let services = ServiceFactory()
        services.register([.test: OldService.self])
        return ApiProxy(transport: transport, services: services)
    }

    private func attempts(of manager: some BaseAPIManager & APILoadable) async -> Int {
        let transport = ClosureTransport { _ in
            throw TransportError(.connectionLost, message: "The connection was lost.")
        }
        manager.proxy = proxy(transport)
        do {
            _ = try await manager.loadAsMember()
            XCTFail("It cannot succeed.")
        } catch {}
        return transport.requests.count
    }

    func testTheOldMembersOfAManagerAreInForce() async throws {
        let manager = OldManager()
        XCTAssertEqual(manager.cachePolicy, .memory)
        let attempts = await attempts(of: manager)
        XCTAssertEqual(attempts, 2)

        let transport = ClosureTransport(json: "{}")
        manager.proxy = proxy(transport)
        for _ in 1...2 { _ = try await manager.load(with: [:]) }
        XCTAssertEqual(transport.requests.count, 1, "the second response is cached")
    }

    func testTheOldRetryPolicyOfAServiceIsInForce() async {
        let service = OldService()
        XCTAssertEqual(service.retryPolicy(for: .neutral).attempts, 3)
        XCTAssertEqual(service.circuitBreakerPolicy(for: .neutral)?.threshold, 7)
        let attempts = await attempts(of: PlainManager())
        XCTAssertEqual(attempts, 3)
    }

    func testTheDefaultsAreThoseOfTheOldMembers() {
        final class Bare: Service { let baseURL = URL(string: "https://api.example.com")! }
        XCTAssertEqual(Bare().retryPolicy(for: .neutral), .never)
        XCTAssertNil(Bare().circuitBreakerPolicy(for: .neutral))
        let manager = PlainManager()
        XCTAssertEqual(manager.cachePolicy, .none)
        XCTAssertNil(manager.retryPolicy)
        XCTAssertEqual(manager.networkPolicy, .any)
    }

    /// As generated code of version 0.1 has it.
    @available(*, deprecated)
    private enum OldSort: String, ParamConvertible { case newest }

    // Deprecated, so that the deprecated names give no warning.
    @available(*, deprecated)
    private func write(_ name: String, into place: SignaturePlace) throws(InvalidRequest) {
        let location: SignatureLocation = place
        let param: ParamPlace = ParamLocation.query
        let value: any ParamConvertible = name
        let policy: BreakerPolicy = CircuitBreakerPolicy()
        _ = (location, param, value, policy, SessionProblem.illegal == .invalid)
    }
}
