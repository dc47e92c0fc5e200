import DiscreteNetworking
import Foundation
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
        stack.club?.configuration.session?.adopt(SessionTokens(accessToken: uid, user: uid))

        let points = try await manager.load()

        XCTAssertEqual(points.points, 520)
        let request = try XCTUnwrap(stack.lastRequest)
        XCTAssertTrue(
            request.target.hasPrefix("/api/home/points?cid=000001&uid=\(uid)&sign="), request.target)
    }

    func testCallWithoutLoginIsRefused() async {
        let kind = await failure(of: manager)

        XCTAssertEqual(kind, .loginRequired)
        XCTAssertEqual(stack.lastRequest?.query.map(\.name), ["cid", "sign"])
        XCTAssertEqual(
            manager.error?.businessCode, ShopCode.unauthorized, "a text in the answer, an integer here")
        XCTAssertEqual(manager.error?.userMessage(in: ["en"]), "请先登录", "from the outer layer")
    }

    func testTheMemberSurvivesARestart() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "club-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        func run() -> ApiProxy {
            let services = ServiceFactory()
            services.registerStorefront(
                at: stack.server.baseURL, credentials: FileCredentialStore(folder: folder))
            return ApiProxy(services: services)
        }
        let first = run()
        let login = ClubLoginManager()
        login.proxy = first
        let member = try await login.load(with: ["username": "小明", "password": "longjing"])
        first.services.configuration(for: .club)?.session?.adopt(SessionTokens(member))
        try await first.services.configuration(for: .club)?.session?.save()

        manager.proxy = run()
        let points = try await manager.load()
        XCTAssertEqual(points.points, 520)
        try await manager.proxy.services.configuration(for: .club)?.session?.logOut()
        manager.proxy = run()
        let kind = await failure(of: manager)
        XCTAssertEqual(kind, .loginRequired, "a logout forgets it")
    }
}
