import DiscreteNetworking
import Foundation
import XCTest

@testable import StorefrontKit

@MainActor
final class UploadManagersTests: XCTestCase {
    func testAFileGoesToAnotherServerWithoutTheToken() async throws {
        let stack = try ShopStack()
        defer { stack.stop() }
        try await stack.logIn()
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).jpg")
        try Data("JPEG".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let (tickets, upload) = (UploadTicketManager(), UploadManager())
        tickets.proxy = stack.proxy
        upload.proxy = stack.proxy
        upload.file = file

        let ticket = try await tickets.load(with: ["name": "teapot.jpg"])
        _ = try await upload.load(at: ticket.url)

        XCTAssertEqual(upload.response?.status, 201)
        XCTAssertEqual(stack.backend?.state.current.stored, ["teapot.jpg": 4])
        let request = try XCTUnwrap(stack.backend?.storage.current?.requests.last)
        XCTAssertNil(request.header("Authorization"))
        XCTAssertEqual(request.header("Content-Type"), "image/jpeg")
        XCTAssertNotNil(stack.lastRequest?.header("Authorization"), "the shop itself gets it")
    }

    func testAURLOfOnesOwn() async throws {
        let stack = try ShopStack()
        defer { stack.stop() }
        let upload = UploadManager()
        upload.proxy = stack.proxy
        upload.file = URL(fileURLWithPath: #filePath)
        let storage = try XCTUnwrap(stack.backend?.storage.current?.baseURL)
        do {
            _ = try await upload.load(at: storage.appendingPathComponent("teapot.jpg"))
            XCTFail("stored")
        } catch {
            XCTAssertEqual(error.kind, .http(status: 403))
        }
    }
}
