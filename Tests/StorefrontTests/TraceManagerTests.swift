import DiscreteNetworking
import XCTest

@testable import StorefrontKit

@MainActor
final class TraceManagerTests: XCTestCase {
    func testWithoutATracerTheShopSeesNoTrace() async throws {
        let stack = try ShopStack()
        defer { stack.stop() }
        let manager = TraceManager()
        manager.proxy = stack.proxy

        let seen = try await manager.load()

        XCTAssertNil(seen.traceparent)
        XCTAssertEqual(stack.server.requests.map(\.path), ["/api/v3/traces/own"])
    }
}
