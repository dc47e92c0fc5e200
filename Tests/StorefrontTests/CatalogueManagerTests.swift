import DiscreteNetworking
import Foundation
import LoopbackServer
import XCTest

@testable import StorefrontKit

@MainActor
final class CatalogueManagerTests: XCTestCase {
    private var stack: ShopStack!
    private var manager: CatalogueManager!
    private var folder: URL!

    override func setUp() async throws {
        stack = try ShopStack()
        manager = CatalogueManager()
        manager.proxy = stack.proxy
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        manager.destination = folder.appendingPathComponent("catalogue.pdf")
    }

    override func tearDown() async throws {
        stack.stop()
        try FileManager.default.removeItem(at: folder)
    }

    func testTheCatalogueArrivesWhole() async throws {
        stack.backend?.catalogueRest.open()
        manager.checksum = .sha256(MessageDigest(.sha256, of: ShopBackend.catalogue).hexadecimal)

        let file = try await manager.load()

        XCTAssertEqual(try Data(contentsOf: file.url), ShopBackend.catalogue)
        XCTAssertEqual(stack.lastRequest?.path, "/api/v3/catalogue")
        XCTAssertEqual(stack.lastRequest?.queryParams, ["cid": "000001"])
    }

    func testHalfOfItIsNotAskedForTwice() async throws {
        manager.onProgress = { [weak manager] progress in
            if progress.received > 512 << 10 { manager?.cancelAllRequests() }
        }
        let kind = await failure(of: manager)
        XCTAssertEqual(kind, .cancelled)
        manager.onProgress = nil

        let file = try await manager.load()

        XCTAssertGreaterThan(file.resumedByteCount, 512 << 10)
        XCTAssertEqual(stack.lastRequest?.header("If-Range"), "\"2026-11\"")
        XCTAssertEqual(try Data(contentsOf: file.url), ShopBackend.catalogue)
    }
}
