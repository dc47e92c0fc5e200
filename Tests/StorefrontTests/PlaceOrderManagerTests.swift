import DiscreteNetworking
import XCTest

@testable import StorefrontKit

@MainActor
final class PlaceOrderManagerTests: XCTestCase {
    private var stack: ShopStack!
    private var manager: PlaceOrderManager!

    override func setUp() async throws {
        stack = try ShopStack()
        manager = PlaceOrderManager()
        manager.proxy = stack.proxy
        try await stack.logIn()
    }

    override func tearDown() async throws { stack.stop() }

    private func params(quantity: Int) -> Params {
        ["items": [["productID": 3, "quantity": quantity] as Params], "address": "人民大道200号"]
    }

    func testOrderIsJSON() async throws {
        let order = try await manager.load(with: params(quantity: 2))

        XCTAssertEqual(order.total, 104_000)
        let request = try XCTUnwrap(stack.lastRequest)
        XCTAssertEqual(request.method, "POST")
        XCTAssertEqual(request.path, "/api/v3/orders")
        XCTAssertEqual(request.header("Authorization"), "Bearer token-1")
        XCTAssertEqual(
            request.json,
            ["items": [["productID": 3, "quantity": 2]], "address": "人民大道200号", "cid": "000001"])
    }

    func testOutOfStock() async {
        let kind = await failure(of: manager, with: params(quantity: 4))

        XCTAssertEqual(kind, .business(code: ShopCode.outOfStock, message: "紫砂壶 库存不足"))
    }
}
