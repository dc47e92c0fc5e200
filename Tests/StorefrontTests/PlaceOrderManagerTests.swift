import DiscreteNetworking
import DiscreteNetworkingTesting
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

    func testOrderIsJSON() async {
        await assertRequest(
            of: manager, with: params(quantity: 2), .post, stack.url("api/v3/orders"),
            headers: ["Authorization": "Bearer token-1"],
            body: ["items": [["productID": 3, "quantity": 2]], "address": "人民大道200号", "cid": "000001"])
        await assertSucceeds(manager, with: params(quantity: 2)) { XCTAssertEqual($0.total, 104_000) }
    }

    func testOutOfStock() async {
        await assertFails(
            manager, with: params(quantity: 4), .business(code: ShopCode.outOfStock, message: "紫砂壶 库存不足"))
    }
}
