import DiscreteNetworking
import Foundation
import XCTest

@testable import StorefrontKit

@MainActor
final class PictureManagerTests: XCTestCase {
    private var stack: ShopStack!
    private var manager: PictureManager!

    override func setUp() async throws {
        stack = try ShopStack()
        manager = PictureManager()
        manager.proxy = stack.proxy
    }

    override func tearDown() async throws { stack.stop() }

    func testThePictureAndItsCaption() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).jpg")
        try Data("JPEG".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        manager.file = file

        let picture = try await manager.load(with: ["id": 3, "caption": "在庭院里"])

        let request = try XCTUnwrap(stack.lastRequest)
        XCTAssertEqual(request.path, "/api/v3/reviews/3/pictures")
        XCTAssertEqual(picture.received, request.body.count)
        let body = String(decoding: request.body, as: UTF8.self)
        XCTAssertTrue(body.contains("name=\"caption\"\r\n\r\n在庭院里\r\n"), body)
        XCTAssertTrue(body.contains("filename=\"\(file.lastPathComponent)\""), body)
        XCTAssertTrue(body.contains("\r\n\r\nJPEG\r\n"), body)
    }

    func testAPictureThatIsGone() async {
        manager.file = URL(fileURLWithPath: "/nowhere/teapot.jpg")

        let kind = await failure(of: manager, with: ["id": 3])

        XCTAssertEqual(kind, .invalidRequest(reason: "The file teapot.jpg to send does not exist."))
    }
}
