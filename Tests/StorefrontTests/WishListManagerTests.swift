import DiscreteNetworking
import XCTest

@testable import StorefrontKit

@MainActor
final class WishListManagerTests: XCTestCase {
    private var stack: ShopStack!
    private var manager: WishListManager!

    override func setUp() async throws {
        stack = try ShopStack()
        manager = WishListManager()
        manager.proxy = stack.proxy
    }

    override func tearDown() async throws { stack.stop() }

    func testTheSampleAnswersWhereItIsSwitchedOn() async throws {
        manager.sampleMode = .immediate

        let wishes = try await manager.load()

        XCTAssertEqual(wishes.products.map(\.name), ["紫砂壶"])
        XCTAssertEqual(stack.server.requests.count, 0)
    }

    func testTheBackendDoesNotHaveItYet() async {
        let kind = await failure(of: manager)

        XCTAssertEqual(kind, .http(status: 404))
    }
}
