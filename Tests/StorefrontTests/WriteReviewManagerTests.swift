import DiscreteNetworking
import XCTest

@testable import StorefrontKit

@MainActor
final class WriteReviewManagerTests: XCTestCase {
    func testSomeParamsAreInTheQueryAndTheRestInTheBody() async throws {
        let stack = try ShopStack()
        defer { stack.stop() }
        let manager = WriteReviewManager()
        manager.proxy = stack.proxy

        let review = try await manager.load(with: ["id": 3, "stars": 4, "text": "好", "notify": false])

        XCTAssertEqual(review.stars, 4)
        XCTAssertFalse(review.isNotified)
        let request = try XCTUnwrap(stack.lastRequest)
        XCTAssertEqual(request.path, "/api/v3/products/3/reviews")
        XCTAssertEqual(request.queryParams, ["notify": "false", "cid": "000001"])
        XCTAssertEqual(request.json, ["stars": 4, "text": "好"])
    }
}
