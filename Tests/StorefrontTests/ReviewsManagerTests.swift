import DiscreteNetworking
import XCTest

@testable import StorefrontKit

@MainActor
final class ReviewsManagerTests: XCTestCase {
    func testAnEndpointThatKeepsFailingIsLeftAlone() async throws {
        let stack = try ShopStack()
        defer { stack.stop() }
        let manager = ReviewsManager()
        manager.proxy = stack.proxy

        for _ in 1...2 {
            let kind = await failure(of: manager, with: ["id": 1])
            XCTAssertEqual(kind, .http(status: 500))
        }
        let kind = await failure(of: manager, with: ["id": 1])

        guard case .degraded? = kind else { return XCTFail("\(String(describing: kind))") }
        XCTAssertEqual(stack.server.requests.count, 2)
    }
}
