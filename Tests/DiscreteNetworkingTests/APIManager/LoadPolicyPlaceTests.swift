import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

private final class TwoStages: EnvironmentService {
    let environment = EnvironmentSwitch(Stage.staging)
    func endpoint(in stage: Stage) -> ServiceEndpoint {
        ServiceEndpoint(baseURL: URL(string: "https://\(stage).example.com")!)
    }
}

/// A call joins no running one of another environment or proxy.
@MainActor
final class LoadPolicyPlaceTests: XCTestCase {
    func testIgnoreNewDoesNotJoinACallOfAnotherEnvironment() async throws {
        let gate = Gate()
        let transport = ClosureTransport { request in
            await gate.pass()
            return TransportResponse(request, json: #"{"id":7,"name":"\#(request.url.host!)"}"#)
        }
        let services = ServiceFactory { _ in }
        let service = TwoStages()
        services.register([.test: { service }])
        let proxy = ApiProxy(
            transport: transport, services: services, caches: CacheTiers(disk: NoCache()),
            reachability: ManualReachability(), clock: TestClock())
        let manager = ProductManager()
        manager.proxy = proxy
        manager.policy = .ignoreNew
        manager.loadData(with: ["id": 7])
        await gate.arrival()
        service.environment.current = .live
        var name: String?
        manager.loadData(with: ["id": 7]) { name = (try? $0.get().name) ?? "failed" }
        gate.open()
        await until { name != nil }
        XCTAssertEqual(name, "live.example.com")
    }

    func testIgnoreNewDoesNotJoinACallOverAnotherProxy() async throws {
        let gate = Gate()
        func stack(_ name: String) -> Stack {
            Stack(
                ClosureTransport { request in
                    await gate.pass()
                    return TransportResponse(request, json: #"{"id":7,"name":"\#(name)"}"#)
                })
        }
        let (one, two) = (stack("one"), stack("two"))
        let manager = one.manager(ProductManager())
        manager.policy = .ignoreNew
        manager.loadData(with: ["id": 7])
        await gate.arrival()
        manager.proxy = two.proxy
        var name: String?
        manager.loadData(with: ["id": 7]) { name = (try? $0.get().name) ?? "failed" }
        gate.open()
        await until { name != nil }
        XCTAssertEqual(name, "two")
    }
}
