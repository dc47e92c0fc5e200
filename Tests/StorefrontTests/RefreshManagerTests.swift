import DiscreteNetworking
import XCTest

@testable import StorefrontKit

@MainActor
final class RefreshManagerTests: XCTestCase {
    private var stack: ShopStack!
    private var manager: RefreshManager!

    override func setUp() async throws {
        stack = try ShopStack()
        manager = RefreshManager()
        manager.proxy = stack.proxy
        try await stack.logIn()
    }

    override func tearDown() async throws { stack.stop() }

    func testARefreshTokenBringsNewTokensOnce() async throws {
        let old = try XCTUnwrap(stack.session?.tokens)
        let session = try await manager.load(with: ["refreshToken": old.refreshToken])

        XCTAssertNotEqual(session.token, old.accessToken)
        XCTAssertNotEqual(session.refreshToken, old.refreshToken)
        XCTAssertNil(stack.lastRequest?.header("Authorization"))
        XCTAssertEqual(stack.lastRequest?.path, "/api/v3/users/refresh")

        let kind = await failure(of: manager, with: ["refreshToken": old.refreshToken])
        XCTAssertEqual(kind, .http(status: 401), "and does not wait for itself")
    }
}
