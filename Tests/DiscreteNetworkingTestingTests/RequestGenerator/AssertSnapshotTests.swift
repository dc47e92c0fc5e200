import DiscreteNetworking
import XCTest

@testable import DiscreteNetworkingTesting

@MainActor
final class AssertSnapshotTests: XCTestCase {
    private let nonce = VolatileField.header("X-Nonce", .uuid)

    private func url(_ function: String = #function, _ name: String? = nil) -> URL {
        SnapshotFile(beside: #filePath, function: function, parts: ["ProductManager", name]).url
    }

    func testACommittedSnapshotPasses() async {
        await assertSnapshot(of: ShopStack().product(), with: ["id": 7], volatile: [nonce])
        await assertSnapshot(
            of: ShopStack().order(),
            with: ["items": [["id": 7]], "password": "longjing", "at": "2024-02-29T12:30:00Z"],
            volatile: [nonce, .body("at", .timestamp)])
    }

    func testTheFirstRunRecordsAndSaysSo() async throws {
        defer { try? FileManager.default.removeItem(at: url()) }
        try? FileManager.default.removeItem(at: url())
        await assertCaught(
            "There was no snapshot. Recorded what ProductManager would send in ", "run the test again"
        ) {
            await assertSnapshot(
                of: ShopStack().product(), with: ["id": 7, "token": "xyzw"], volatile: [nonce])
        }
        let text = try String(contentsOf: url(), encoding: .utf8)
        XCTAssertTrue(text.hasPrefix("GET https://api.example.com/v3/products/7\n  ? cid = 000001\n"), text)
        XCTAssertTrue(text.contains("  ? token = <redacted>\n"), text)
        XCTAssertTrue(text.contains("X-Nonce: <uuid>\n"), text)
        XCTAssertFalse(text.contains("xyzw"), text)
        await assertSnapshot(of: ShopStack().product(), with: ["id": 7, "token": "other"], volatile: [nonce])
        await assertCaught("Recorded what ProductManager would send in ", "without `record`") {
            await assertSnapshot(of: ShopStack().product(), with: ["id": 8], volatile: [nonce], record: true)
        }
        await assertSnapshot(of: ShopStack().product(), with: ["id": 8], volatile: [nonce])
    }

    func testAnotherRequestIsCaughtLineByLine() async {
        await assertSnapshot(of: ShopStack().product(), with: ["id": 7], volatile: [nonce])
        let manager = ShopStack().product()
        manager.methodName = "product/{id}"
        manager.ownHeaders = ["X-More": "1"]
        await assertCaught(
            "ProductManager would send another request than the snapshot says",
            "  - GET https://api.example.com/v3/products/7\n  + GET https://api.example.com/v3/product/7\n      ? cid = 000001",
            "  + X-More: 1"
        ) {
            await assertSnapshot(of: manager, with: ["id": 7], volatile: [nonce])
        }
    }

    func testAVolatileFieldHasToLookAsItShould() async {
        let manager = ShopStack().product()
        await assertCaught("header X-Client is \"ios\"; it should be <uuid>.") {
            await assertSnapshot(of: manager, with: ["id": 7], volatile: [nonce, .header("X-Client", .uuid)])
        }
        await assertCaught("query t is not there; it should be <timestamp>.") {
            await assertSnapshot(of: manager, with: ["id": 7], volatile: [nonce, .query("t", .timestamp)])
        }
    }

    func testNoRequestIsCaught() async {
        await assertCaught("ProductManager would send no request", "no id") {
            await assertSnapshot(of: ShopStack().product(), with: ["id": ""])
        }
    }

    func testAFileThatCannotBeWrittenIsReported() async throws {
        await assertCaught("could not be read or written") {
            await assertSnapshot(
                of: ShopStack().product(), with: ["id": 7], named: String(repeating: "long", count: 100),
                volatile: [nonce])
        }
    }
}
