import DiscreteNetworking
import DiscreteNetworkingTesting
import XCTest

@testable import StorefrontKit

@MainActor
final class LoginManagerTests: XCTestCase {
    private var stack: ShopStack!
    private var manager: LoginManager!

    override func setUp() async throws {
        stack = try ShopStack()
        manager = LoginManager()
        manager.proxy = stack.proxy
    }

    override func tearDown() async throws { stack.stop() }

    func testLoginRequestHasNoOldToken() async {
        stack.session?.adopt(SessionTokens(accessToken: "old"))
        await assertRequest(
            of: manager, with: ["username": "小明", "password": "longjing"], .post,
            stack.url("api/v3/users/login"),
            headers: ["Content-Type": "application/json", "Authorization": nil],
            body: ["username": "小明", "password": "longjing", "cid": "000001"])
    }

    func testRightPasswordBringsAToken() async {
        await assertSucceeds(manager, with: ["username": "小明", "password": "longjing"]) {
            XCTAssertEqual($0.nickname, "小明")
            XCTAssertFalse($0.token.isEmpty)
        }
    }

    func testWrongPasswordIsABusinessFailureThatDoesNotTellIt() async {
        let error = await assertFails(
            manager, with: ["username": "小明", "password": "pu-erh"],
            .business(code: ShopCode.wrongPassword, message: "用户名或密码错误"))

        XCTAssertFalse(String(reflecting: error).contains("pu-erh"))
    }
}
