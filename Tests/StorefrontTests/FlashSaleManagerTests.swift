import DiscreteNetworking
import XCTest

@testable import StorefrontKit

@MainActor
final class FlashSaleManagerTests: XCTestCase {
    func testABusyShopIsAskedAgain() async throws {
        let stack = try ShopStack()
        defer { stack.stop() }
        let manager = FlashSaleManager()
        manager.proxy = stack.proxy

        let sale = try await manager.load()

        XCTAssertEqual(sale.visits, 2)
        XCTAssertEqual(stack.server.requests.count, 2)
    }
}
