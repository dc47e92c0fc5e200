import DiscreteNetworking
import XCTest

@testable import StorefrontKit

@MainActor
final class RecommendationsManagerTests: XCTestCase {
    private var stack: ShopStack!
    private var manager: RecommendationsManager!

    override func setUp() async throws {
        stack = try ShopStack()
        manager = RecommendationsManager()
        manager.proxy = stack.proxy
    }

    override func tearDown() async throws { stack.stop() }

    func testASlowAnswerIsATimeout() async {
        let kind = await failure(of: manager, with: ["id": 3])

        XCTAssertEqual(kind, .timedOut)
    }

    func testAQuickAnswer() async throws {
        stack.backend?.recommendations.open()

        let recommendations = try await manager.load(with: ["id": 3])

        XCTAssertEqual(recommendations.products.map(\.name), ["真丝围巾", "竹编食盒"])
        XCTAssertEqual(stack.lastRequest?.method, "GET")
        XCTAssertEqual(stack.lastRequest?.path, "/api/v3/products/3/recommendations")
    }
}
