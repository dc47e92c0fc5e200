import DiscreteNetworking
import XCTest

@testable import StorefrontKit

@MainActor
final class OrderStatusManagerTests: XCTestCase {
    private var stack: ShopStack!
    private var manager: OrderStatusManager!

    override func setUp() async throws {
        stack = try ShopStack()
        manager = OrderStatusManager()
        manager.proxy = stack.proxy
        try await stack.logIn()
    }

    override func tearDown() async throws { stack.stop() }

    private func placeOrder() async throws -> String {
        let order = PlaceOrderManager()
        order.proxy = stack.proxy
        let items: Params = ["items": [["productID": 1, "quantity": 1] as Params], "address": "人民大道200号"]
        return try await order.load(with: items).orderID
    }

    func testStatusIsReportedWhenItChanges() async throws {
        let order = try await placeOrder()
        let task = Task { [manager = manager!] in try await manager.load(with: ["orderID": order]).status }
        await stack.server.waitForRequests(3)
        XCTAssertTrue(manager.isLoading)

        stack.backend?.news.open()

        let status = try await task.value
        XCTAssertEqual(status, "已发货")
        XCTAssertEqual(stack.lastRequest?.method, "GET")
        XCTAssertEqual(stack.lastRequest?.path, "/api/v3/orders/\(order)/status")
    }

    func testCancellingTheTaskCancelsTheCall() async throws {
        let order = try await placeOrder()
        let task = Task { [manager = manager!] in await failure(of: manager, with: ["orderID": order]) }
        await stack.server.waitForRequests(3)

        task.cancel()

        let kind = await task.value
        XCTAssertEqual(kind, .cancelled)
        XCTAssertFalse(manager.isLoading)
    }

    func testUnknownOrderFailsWithItsCode() async {
        let kind = await failure(of: manager, with: ["orderID": "order-404"])

        XCTAssertEqual(kind, .business(code: ShopCode.unknownOrder, message: "订单不存在"))
    }
}
