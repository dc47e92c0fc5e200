import DiscreteNetworking
import DiscreteNetworkingTesting
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

    func testRequestForHomeIsBuilt() async {
        await assertRequest(of: manager, .get, stack.url("api/v3/home"), query: ["cid": "000001"])
    }

    func testHomeIsDecoded() async {
        await assertSucceeds(manager) {
            XCTAssertEqual($0.banners, ["春茶上市", "满两百元包邮"])
            XCTAssertEqual($0.categories.count, 4)
        }
    }

    /// What the backend never sends by itself is stubbed.
    func testMissingBannersAreADecodingFailure() async {
        let stubs = StubTransport()
        stubs.on(HomeManager.self, answer: .json(["code": 0, "content": ["categories": []]]))
        manager.proxy = ApiProxy(stubbing: stubs, [.shop: ShopService.self])
        await assertFails(manager, .decoding(at: "content.banners"))
    }

    func testManagerIsFreedWithItsScreen() async {
        await assertFreed {
            let manager = HomeManager()
            manager.proxy = stack.proxy
            return manager
        }
    }
}
