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

    func testProduct() async {
        stubs.on(
            ProductManager.self,
            answer: .json(["code": 0, "content": ["id": 7, "name": "Teapot", "price": 128.5]]))
        await assertSucceeds(manager, with: ["id": 7]) { XCTAssertEqual($0.name, "Teapot") }
    }

    func testUnknownProductFailsWithItsCode() async {
        stubs.on(ProductManager.self, answer: .json(["code": 1001, "msg": "There is no such product."]))
        await assertFails(manager, with: ["id": 404], .business(code: 1001))
    }

    func testProductWithoutName() async {
        stubs.on(ProductManager.self, answer: .json(["code": 0, "content": ["id": 7, "price": 1]]))
        await assertFails(manager, with: ["id": 7], .decoding(at: "content.name"))
    }
}
