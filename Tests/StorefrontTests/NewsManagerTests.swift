import DiscreteNetworking
import XCTest

@testable import StorefrontKit

@MainActor
final class NewsManagerTests: XCTestCase {
    private var stack: ShopStack!
    private var manager: NewsManager!

    override func setUp() async throws {
        stack = try ShopStack()
        manager = NewsManager()
        manager.proxy = stack.proxy
    }

    override func tearDown() async throws { stack.stop() }

    func testAllNewsOverSeveralConnections() async throws {
        var news: [String] = []
        for try await event in manager.events() { news.append(event.data) }

        XCTAssertEqual(news, ["春茶上市", "紫砂壶补货", "全场包邮"])
        XCTAssertEqual(stack.server.requests.map { $0.header("Last-Event-ID") }, [nil, "2", "3"])
    }

    func testTheLinesOfOneConnection() async throws {
        let stream = try await manager.load()
        var lines: [String] = []
        for try await line in stream.lines { lines.append(line) }

        XCTAssertEqual(lines.first, "retry: 1")
        XCTAssertTrue(lines.contains("data: 春茶上市"))
    }
}
