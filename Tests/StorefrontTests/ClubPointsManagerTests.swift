import DiscreteNetworking
import XCTest

@testable import StorefrontKit

@MainActor
final class ClubPointsManagerTests: XCTestCase {
    private var stack: ShopStack!
    private var manager: ClubPointsManager!

    override func setUp() async throws {
        stack = try ShopStack()
        manager = ClubPointsManager()
        manager.proxy = stack.proxy
    }

    override func tearDown() async throws { stack.stop() }

    func testTheMemberIsAmongTheSignedFields() async throws {
        let login = ClubLoginManager()
        login.proxy = stack.proxy
        let uid = try await login.load(with: ["username": "小明", "password": "longjing"]).uid
        stack.club?.uid.current = uid

        let points = try await manager.load()

        XCTAssertEqual(points.points, 520)
        let request = try XCTUnwrap(stack.lastRequest)
        XCTAssertTrue(
            request.target.hasPrefix("/api/home/points?cid=000001&q=%7B%7D&uid=\(uid)&sign="), request.target)
    }

    func testWithoutLogin() async {
        let kind = await failure(of: manager)

        XCTAssertEqual(kind, .http(status: 401))
        XCTAssertEqual(stack.lastRequest?.query.map(\.name), ["cid", "q", "sign"])
    }
}
