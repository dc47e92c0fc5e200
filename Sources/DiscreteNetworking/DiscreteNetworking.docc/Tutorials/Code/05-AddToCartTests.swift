import DiscreteNetworking
import DiscreteNetworkingTesting
import XCTest

@testable import Shop

@MainActor
final class AddToCartTests: XCTestCase {
    private let stubs = StubTransport()
    private let manager = AddToCartManager()

    override func setUp() async throws {
        manager.proxy = ApiProxy(stubbing: stubs, [.shop: ShopService.self])
    }

    private var session: TokenSession? { manager.proxy.services.configuration(for: .shop)?.session }

    func testAnExpiredTokenIsRefreshed() async {
        session?.adopt(SessionTokens(accessToken: "old", refreshToken: "again", user: "7"))
        stubs.on(.header("Authorization", "Bearer old"), answer: .json(["code": 4010]))
        stubs.on(
            RefreshManager.self,
            answer: .json(["code": 0, "content": ["access_token": "new", "token_type": "Bearer"]]))
        stubs.on(
            .header("Authorization", "Bearer new"), answer: .json(["code": 0, "content": ["count": 2]]))
        await assertSucceeds(manager, with: ["id": 7, "quantity": 2]) { XCTAssertEqual($0.count, 2) }
    }

    func testNobodyIsLoggedIn() async {
        await assertFails(manager, with: ["id": 7, "quantity": 1], .loginRequired)
    }

    func testNothingIsNotAdded() async {
        session?.adopt(SessionTokens(accessToken: "new"))
        await assertSendsNothing(manager, with: ["id": 7, "quantity": 0])
    }
}
