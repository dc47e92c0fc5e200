import DiscreteNetworking
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

    func testRightPasswordBringsAToken() async throws {
        let session = try await manager.load(with: ["username": "小明", "password": "longjing"])

        XCTAssertEqual(session.nickname, "小明")
        XCTAssertFalse(session.token.isEmpty)
        let request = try XCTUnwrap(stack.lastRequest)
        XCTAssertEqual(request.method, "POST")
        XCTAssertEqual(request.path, "/api/v3/users/login")
        XCTAssertEqual(request.header("Content-Type"), "application/json")
        XCTAssertNil(request.header("Authorization"))
        XCTAssertEqual(request.json, ["username": "小明", "password": "longjing", "cid": "000001"])
    }

    func testWrongPasswordIsABusinessFailure() async {
        let kind = await failure(of: manager, with: ["username": "小明", "password": "pu-erh"])

        XCTAssertEqual(kind, .business(code: ShopCode.wrongPassword, message: "用户名或密码错误"))
    }

    func testNoErrorTextHoldsThePassword() async throws {
        _ = await failure(of: manager, with: ["username": "小明", "password": "pu-erh"])

        XCTAssertFalse(String(reflecting: try XCTUnwrap(manager.error)).contains("pu-erh"))
    }
}
