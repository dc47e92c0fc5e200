import DiscreteNetworking
import DiscreteNetworkingTesting
import Foundation
import LoopbackServer
import XCTest

@testable import Shop

@MainActor
final class ShopTests: XCTestCase {
    func testAProductOverTheWire() async throws {
        let server = try LoopbackServer(routes: [
            .get("/v1/products/7") { _ in
                .json(#"{"code": 0, "content": {"id": 7, "name": "Teapot", "price": 128.5}}"#)
            }
        ])
        defer { server.stop() }
        let services = ServiceFactory()
        services.register([.shop: ShopService.self])
        (services.service(for: .shop) as? ShopService)?.address.current = server.baseURL
        let manager = ProductManager()
        manager.proxy = ApiProxy(services: services)
        await assertSucceeds(manager, with: ["id": 7]) { XCTAssertEqual($0.price, 128.5) }
    }
}
