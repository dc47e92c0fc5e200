import DiscreteNetworking
import DiscreteNetworkingTesting
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

    func testTheIDGoesIntoThePath() async {
        await assertRequest(
            of: manager, with: ["id": 2], .get, stack.url("api/v3/products/2"), query: ["cid": "000001"])
    }

    func testProductIsDecoded() async {
        await assertSucceeds(manager, with: ["id": 2]) {
            XCTAssertEqual($0.name, "青花瓷茶杯")
            XCTAssertEqual($0.price, 8850)
        }
    }

    func testUnknownProductFailsWithItsCode() async {
        await assertFails(
            manager, with: ["id": 404], .business(code: ShopCode.unknownProduct, message: "商品不存在"))
    }

    func testWithoutAnIDNothingIsSent() async {
        await assertSendsNothing(manager)
        await assertFails(manager, .invalidRequest)
    }

    func testReformerFormatsThePrice() async {
        XCTAssertEqual(manager.fetchData(with: PriceReformer()), [])
        await assertSucceeds(manager, with: ["id": 2])
        XCTAssertEqual(manager.fetchData(with: PriceReformer()), ["青花瓷茶杯  ¥88.50  12 in stock"])
    }
}
