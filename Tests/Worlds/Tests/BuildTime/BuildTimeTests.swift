import DiscreteNetworking
import DiscreteNetworkingTesting
import PoetryAPI
import XCTest

/// Managers that the build-time plugin generates.
@MainActor
final class BuildTimeTests: XCTestCase {
    func testAManagerOfTheBuildDecodesWhatTheOverlayAllows() async throws {
        let stubs = StubTransport()
        let manager = PoemManager()
        manager.proxy = ApiProxy(stubbing: stubs, [.poetry: PoetryService.self])
        stubs.on(PoemManager.self, answer: .json(["id": 7, "title": "静夜思", "written": "0726-01-01"]))
        let poem = try await manager.load(with: .init(id: 7))
        XCTAssertEqual(poem.title, "静夜思")
        XCTAssertNil(poem.poet)
    }
}
