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
        XCTAssertEqual(request.header("Authorization"), "Bearer token-1")
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

    func testAddingWithoutALoginFails() async throws {
        try await stack.session?.logOut()

        let kind = await failure(of: manager, with: ["productID": 3, "quantity": 2])

        XCTAssertEqual(kind, .loginRequired)
        XCTAssertEqual(manager.response?.status, 401)
    }

    func testAnExpiredTokenIsRefreshed() async throws {
        try await lapse(as: "expired")

        let cart = try await manager.load(with: ["productID": 3, "quantity": 2])

        XCTAssertEqual(cart.count, 2)
        XCTAssertEqual(
            stack.server.requests.suffix(3).map(\.path),
            ["/api/v3/cart/items", "/api/v3/users/refresh", "/api/v3/cart/items"])
        XCTAssertEqual(stack.lastRequest?.header("Authorization"), "Bearer token-2")
    }

    func testAnIllegalTokenAsksForALogin() async throws {
        // The user of the sheet: a call does not go on for another one.
        try await stack.logIn(as: "小明")
        let sheet = LoginSheet(proxy: stack.proxy)
        sheet.password = "longjing"
        stack.session?.login = sheet
        try await lapse(as: "illegal")

        let cart = try await manager.load(with: ["productID": 3, "quantity": 2])

        XCTAssertEqual(cart.count, 2)
        XCTAssertEqual(
            stack.server.requests.suffix(3).map(\.path),
            ["/api/v3/cart/items", "/api/v3/users/login", "/api/v3/cart/items"])
    }

    func testAWrongPasswordOnTheSheetEndsTheCall() async throws {
        let sheet = LoginSheet(proxy: stack.proxy)
        sheet.password = "pu-erh"
        stack.session?.login = sheet
        try await lapse(as: "illegal")

        let kind = await failure(of: manager, with: ["productID": 3, "quantity": 2])

        XCTAssertEqual(kind, .loginRequired)
    }

    private func lapse(as kind: String) async throws {
        let lapse = LapseManager()
        lapse.proxy = stack.proxy
        _ = try await lapse.load(with: ["as": kind])
    }
}
