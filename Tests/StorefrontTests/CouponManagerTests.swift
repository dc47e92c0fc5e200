import DiscreteNetworking
import XCTest

@testable import StorefrontKit

@MainActor
final class CouponManagerTests: XCTestCase {
    private var stack: ShopStack!
    private var manager: CouponManager!

    override func setUp() async throws {
        stack = try ShopStack()
        manager = CouponManager()
        manager.proxy = stack.proxy
    }

    override func tearDown() async throws { stack.stop() }

    func testNobodyRegisteredTheService() async {
        let kind = await failure(of: manager)

        XCTAssertEqual(kind, .serviceNotRegistered)
        XCTAssertTrue(stack.server.requests.isEmpty)
    }

    func testRegisteredItWorks() async throws {
        let shop = try ShopStack(routes: [
            .get("/api/v3/coupons") { _ in .json(#"{"code":0,"msg":"","content":["满200减20"]}"#) }
        ])
        defer { shop.stop() }
        shop.services.register([.coupons: ShopService.self])
        (shop.services.service(for: .coupons) as? ShopService)?.useServer(at: shop.server.baseURL)
        manager.proxy = shop.proxy

        let coupons = try await manager.load()

        XCTAssertEqual(coupons, ["满200减20"])
    }
}
