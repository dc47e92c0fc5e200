import DiscreteNetworking
import XCTest

@testable import StorefrontKit

@MainActor
final class ProductDetailManagerTests: XCTestCase {
    private var stack: ShopStack!
    private var manager: ProductDetailManager!

    override func setUp() async throws {
        stack = try ShopStack()
        manager = ProductDetailManager()
        manager.proxy = stack.proxy
    }

    override func tearDown() async throws { stack.stop() }

    func testTheIDGoesIntoThePath() async throws {
        let product = try await manager.load(with: ["id": 2])

        XCTAssertEqual(product.name, "青花瓷茶杯")
        XCTAssertEqual(product.price, 8850)
        let request = try XCTUnwrap(stack.lastRequest)
        XCTAssertEqual(request.method, "GET")
        XCTAssertEqual(request.path, "/api/v3/products/2")
        XCTAssertEqual(request.queryParams, ["cid": "000001"])
    }

    func testUnknownProduct() async {
        let kind = await failure(of: manager, with: ["id": 404])

        XCTAssertEqual(kind, .business(code: ShopCode.unknownProduct, message: "商品不存在"))
    }

    func testWithoutAnIDNothingIsSent() async {
        let kind = await failure(of: manager)

        guard case .invalidRequest = kind else { return XCTFail("\(String(describing: kind))") }
        XCTAssertTrue(stack.server.requests.isEmpty)
    }

    func testPriceLines() async throws {
        XCTAssertEqual(manager.fetchData(with: PriceReformer()), [])
        _ = try await manager.load(with: ["id": 2])

        XCTAssertEqual(manager.fetchData(with: PriceReformer()), ["青花瓷茶杯  ¥88.50  12 in stock"])
    }
}
