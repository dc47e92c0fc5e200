import DiscreteNetworking
import LoopbackServer
import XCTest

@testable import StorefrontKit

@MainActor
final class ClubLoginManagerTests: XCTestCase {
    private var stack: ShopStack!
    private var manager: ClubLoginManager!

    override func setUp() async throws {
        stack = try ShopStack()
        manager = ClubLoginManager()
        manager.proxy = stack.proxy
    }

    override func tearDown() async throws { stack.stop() }

    private let params: Params = ["username": "小明", "password": "longjing"]

    func testTheRequestIsAsTheClubWantsIt() async throws {
        let member = try await manager.load(with: params)

        XCTAssertEqual(member.nickname, "小明")
        let request = try XCTUnwrap(stack.lastRequest)
        XCTAssertEqual(request.method, "GET")
        XCTAssertEqual(request.path, "/api/home/login")
        XCTAssertEqual(request.query.map(\.name), ["cid", "q", "sign"])
        XCTAssertEqual(request.queryParams["q"], #"{"password":"longjing","username":"小明"}"#)
        XCTAssertEqual(request.body.count, 0)
        // python3: md5(b'cid=000001;q={"password":"longjing","username":"小明"}spring-water'), struct '>4i', abs
        XCTAssertEqual(request.queryParams["sign"], "169414795611213750111669391065285401834")
    }

    func testWrongPasswordIsABusinessFailure() async {
        let kind = await failure(of: manager, with: ["username": "小明", "password": "pu-erh"])

        XCTAssertEqual(kind, .business(code: ShopCode.wrongPassword, message: "用户名或密码错误"))
    }

    func testNoErrorTextHoldsAPasswordOrASignature() async throws {
        stack.club?.key.current = SigningKey("ditch-water")
        let kind = await failure(of: manager, with: params)

        XCTAssertEqual(kind, .business(code: ShopCode.badSignature, message: "签名错误"))
        let text = String(reflecting: try XCTUnwrap(manager.error))
        let sign = try XCTUnwrap(stack.lastRequest?.queryParams["sign"])
        for secret in ["longjing", "ditch-water", sign] { XCTAssertFalse(text.contains(secret), text) }
    }
}
