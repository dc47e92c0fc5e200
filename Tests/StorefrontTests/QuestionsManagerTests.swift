import DiscreteNetworking
import XCTest

@testable import StorefrontKit

@MainActor
final class QuestionsManagerTests: XCTestCase {
    private var stack: ShopStack!
    private let manager = QuestionsManager()

    override func setUp() async throws {
        stack = try ShopStack()
        manager.proxy = stack.proxy
    }

    override func tearDown() async throws { stack.stop() }

    func testQuestionsAreShownWithoutTheirAnswers() async throws {
        let output = try await manager.load(with: ["id": 3])
        XCTAssertEqual(output.questions.count, 1)
        XCTAssertNil(output.answers)
        XCTAssertEqual(manager.response?.businessCode, "NO_ANSWER")
        XCTAssertEqual(manager.response?.isPartial, true)
        XCTAssertEqual(stack.lastRequest?.path, "/questions/graphql")
    }

    func testAProductThatIsGone() async {
        let kind = await failure(of: manager, with: ["id": 404])
        XCTAssertEqual(kind, .business(code: "NOT_FOUND", message: "商品不存在"))
    }
}
