import DiscreteNetworking
import XCTest

@testable import StorefrontKit

@MainActor
final class AddToCartManagerTests: XCTestCase {
    private var stack: ShopStack!
    private var manager: AddToCartManager!

    override func setUp() async throws {
        stack = try ShopStack()
        manager = AddToCartManager()
        manager.proxy = stack.proxy
        try await stack.logIn()
    }

    override func tearDown() async throws { stack.stop() }

    func testAddingIsAForm() async throws {
        let cart = try await manager.load(with: ["productID": 3, "quantity": 2])

        XCTAssertEqual(cart.count, 2)
        let request = try XCTUnwrap(stack.lastRequest)
        XCTAssertEqual(request.method, "POST")
        XCTAssertEqual(request.path, "/api/v3/cart/items")
        XCTAssertEqual(request.header("Content-Type"), "application/x-www-form-urlencoded")
        XCTAssertEqual(request.header("Authorization"), stack.shop?.token.current.map { "Bearer \($0)" })
        XCTAssertEqual(request.formParams, ["productID": "3", "quantity": "2", "cid": "000001"])
    }

    func testNonsenseIsNotSent() async {
        let before = stack.server.requests.count

        for quantity in [-1, 0, 100] {
            let kind = await failure(of: manager, with: ["productID": 3, "quantity": quantity])
            XCTAssertEqual(kind, .invalidParams(reason: "quantity has to be 1 to 99"))
        }

        XCTAssertEqual(stack.server.requests.count, before)
    }

    func testItNeedsALogin() async {
        stack.shop?.token.current = nil

        let kind = await failure(of: manager, with: ["productID": 3, "quantity": 2])

        XCTAssertEqual(kind, .http(status: 401))
    }
}
