import DiscreteNetworking
import XCTest

@testable import StorefrontKit

@MainActor
final class StockManagerTests: XCTestCase {
    func testUpdatesShowTheStockBeforeAndAfterASale() async throws {
        let stack = try ShopStack()
        defer { stack.stop() }
        let manager = StockManager()
        manager.proxy = stack.proxy
        let first = try await manager.load(with: ["id": 1])

        var left: [Int] = []
        for try await stock in manager.updates(with: ["id": 1]) { left.append(stock.left) }

        XCTAssertEqual(left, [first.left, first.left - 1])
        XCTAssertEqual(
            stack.server.requests.map(\.path), Array(repeating: "/api/v3/products/1/stock", count: 2))
    }
}
