import DiscreteNetworking
import XCTest

@testable import StorefrontKit

@MainActor
final class HomeManagerTests: XCTestCase {
    private var stack: ShopStack!
    private var manager: HomeManager!

    override func setUp() async throws {
        stack = try ShopStack()
        manager = HomeManager()
        manager.proxy = stack.proxy
    }

    override func tearDown() async throws { stack.stop() }

    func testHome() async throws {
        let home = try await manager.load()

        XCTAssertEqual(home.banners, ["春茶上市", "满两百元包邮"])
        XCTAssertEqual(home.categories.count, 4)
        let request = try XCTUnwrap(stack.lastRequest)
        XCTAssertEqual(request.method, "GET")
        XCTAssertEqual(request.path, "/api/v3/home")
        XCTAssertEqual(request.queryParams, ["cid": "000001"])
        XCTAssertTrue(request.body.isEmpty)
    }

    /// What the backend never sends by itself is canned.
    func testMissingBannersAreADecodingFailure() async throws {
        let broken = try ShopStack(routes: [
            .get("/api/v3/home") { _ in .json(#"{"code":0,"msg":"","content":{"categories":[]}}"#) }
        ])
        defer { broken.stop() }
        manager.proxy = broken.proxy

        let kind = await failure(of: manager)

        guard case .decoding(let failure) = kind else { return XCTFail("\(String(describing: kind))") }
        XCTAssertEqual(failure.path, ["content", "banners"])
    }
}
