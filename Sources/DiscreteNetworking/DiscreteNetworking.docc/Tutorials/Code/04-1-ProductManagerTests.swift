import DiscreteNetworking
import DiscreteNetworkingTesting
import XCTest

@testable import Shop

@MainActor
final class ProductManagerTests: XCTestCase {
    private let stubs = StubTransport()
    private let manager = ProductManager()

    override func setUp() async throws {
        manager.proxy = ApiProxy(stubbing: stubs, [.shop: ShopService.self])
    }

    func testRequest() async {
        await assertRequest(
            of: manager, with: ["id": 7], .get, "https://shop.example.com/v1/products/7",
            query: ["client": "tutorial"])
    }
}
