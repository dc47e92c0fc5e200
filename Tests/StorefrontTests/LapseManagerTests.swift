import DiscreteNetworking
import XCTest

@testable import StorefrontKit

@MainActor
final class LapseManagerTests: XCTestCase {
    private var stack: ShopStack!
    private var manager: LapseManager!

    override func setUp() async throws {
        stack = try ShopStack()
        manager = LapseManager()
        manager.proxy = stack.proxy
        try await stack.logIn()
    }

    override func tearDown() async throws { stack.stop() }

    func testTokensEndAsTold() async throws {
        for (kind, code) in [("expired", ShopCode.expiredToken), ("illegal", ShopCode.unauthorized)] {
            _ = try await manager.load(with: ["as": kind])
            let cart = AddToCartManager()
            cart.proxy = stack.proxy
            stack.session?.adopt(SessionTokens(accessToken: "token-1", refreshToken: "none"))

            _ = await failure(of: cart, with: ["productID": 1, "quantity": 1])

            XCTAssertEqual(try cart.response?.json()["code"], code)
        }
    }

    func testNothingElseIsUnderstood() async {
        let kind = await failure(of: manager, with: ["as": "eternal"])

        XCTAssertEqual(kind, .business(code: ShopCode.badParams, message: "参数错误: as"))
    }
}
