import DiscreteNetworking
import XCTest

@testable import StorefrontKit

@MainActor
final class ProductListManagerTests: XCTestCase {
    private var stack: ShopStack!
    private var manager: ProductListManager!

    override func setUp() async throws {
        stack = try ShopStack()
        manager = ProductListManager()
        manager.proxy = stack.proxy
    }

    override func tearDown() async throws { stack.stop() }

    func testPageByPage() async throws {
        let first = try await manager.load()
        let second = try await manager.nextPage()
        let third = try await manager.nextPage()

        XCTAssertEqual(first.products.map(\.id), [1, 2, 3])
        XCTAssertEqual(second?.products.map(\.id), [4, 5])
        XCTAssertNil(third)
        XCTAssertEqual(manager.items.map(\.id), [1, 2, 3, 4, 5])
        XCTAssertEqual(stack.server.requests.map(\.path), ["/api/v3/products", "/api/v3/products"])
        XCTAssertEqual(stack.server.requests.map { $0.queryParams["page"] }, ["1", "2"])
        XCTAssertEqual(stack.lastRequest?.queryParams, ["page": "2", "pageSize": "3", "cid": "000001"])
    }

    func testRefreshStartsFromTheFirstPage() async throws {
        _ = try await manager.load()
        _ = try await manager.nextPage()
        let page = try await manager.reload()

        XCTAssertEqual(page.page, 1)
        XCTAssertEqual(manager.items.map(\.id), [1, 2, 3])
    }

    func testAPageThatFailedIsAskedForAgain() async throws {
        _ = try await manager.load()
        let broken = try ShopStack(routes: [.get("/api/v3/products") { _ in .status(503) }])
        defer { broken.stop() }
        manager.proxy = broken.proxy
        do {
            _ = try await manager.nextPage()
            XCTFail("no failure")
        } catch {
            XCTAssertEqual(error.kind, .http(status: 503))
        }

        manager.proxy = stack.proxy
        let page = try await manager.nextPage()

        XCTAssertEqual(page?.page, 2)
    }

    func testReformerFormatsThePrices() async throws {
        _ = try await manager.load()

        XCTAssertEqual(
            manager.fetchData(with: PriceReformer()), ["龙井茶 250克  ¥168.00", "青花瓷茶杯  ¥88.50", "紫砂壶  ¥520.00"])
    }
}
