import DiscreteNetworking
import XCTest

@testable import StorefrontKit

@MainActor
final class ForumManagersTests: XCTestCase {
    private var stack: ShopStack!
    private let login = ForumLoginManager()
    private let member = ForumMemberManager()

    override func setUp() async throws {
        stack = try ShopStack()
        login.proxy = stack.proxy
        member.proxy = stack.proxy
    }

    override func tearDown() async throws { stack.stop() }

    func testTheCookieOfTheLoginGoesOutAgain() async throws {
        let before = await failure(of: member)
        XCTAssertEqual(before, .http(status: 401))
        _ = try await login.load(with: ["username": "小红", "password": "longjing"])
        XCTAssertEqual(stack.lastRequest?.formParams, ["username": "小红", "password": "longjing"])
        let name = try await member.load().nickname
        XCTAssertEqual(name, "小红")
        XCTAssertTrue(stack.lastRequest?.header("Cookie")?.hasPrefix("visitor=visit-") == true)
        stack.services.configuration(for: .forum)?.cookies?.removeAll()
        let after = await failure(of: member)
        XCTAssertEqual(after, .http(status: 401))
    }

    func testAWrongPassword() async {
        let kind = await failure(of: login, with: ["username": "小红", "password": "pu-erh"])
        XCTAssertEqual(kind, .http(status: 403))
    }
}
