import Foundation
import XCTest

@testable import ManagerGenerator

/// What is written where, and what is left alone.
final class OutputFolderTests: XCTestCase {
    private let folder = try! TemporaryFolder()

    private func description(_ paths: String, schemas: String = "{}") throws -> String {
        try folder.write(
            #"{"openapi": "3.0.3", "info": {"title": "Shop", "version": "1"}, "servers": [{"url": "https://a.example"}], "paths": \#(paths), "components": {"schemas": \#(schemas)}}"#,
            to: "openapi.json")
    }

    private let item = #"{"get": {"operationId": "getItem", "responses": {"204": {"description": ""}}}}"#

    private func run(_ input: String, _ more: String...) -> CommandRun {
        CommandRun(
            [input, "--module", "ShopAPI", "--output", folder.url.appendingPathComponent("Generated").path]
                + more)
    }

    func testTheUsersFilesAreKept() throws {
        let first = run(try description(#"{"/item": \#(item)}"#))
        XCTAssertEqual(first.status, 0, first.errors.joined())
        let service = "Generated/ShopAPI/Service/ShopService.swift"
        _ = try folder.write("// mine", to: service)
        _ = try folder.write("// mine too", to: "Generated/ShopAPI/Item/GetItemManager+Cache.swift")

        let second = run(
            try description(#"{"/other": \#(item.replacingOccurrences(of: "getItem", with: "getOther"))}"#))

        XCTAssertEqual(second.status, 0, second.errors.joined())
        XCTAssertEqual(try folder.text(service), "// mine")
        XCTAssertEqual(try folder.text("Generated/ShopAPI/Item/GetItemManager+Cache.swift"), "// mine too")
        XCTAssertFalse(
            folder.files.contains {
                $0.hasSuffix("GetItemManager.swift") || $0.hasSuffix("GetItemManagerTests.swift")
            })
        XCTAssertTrue(folder.files.contains("Generated/ShopAPI/Other/GetOtherManager.swift"))
        XCTAssertTrue(second.out[0].contains("2 removed"), second.out[0])
    }

    func testFilesOfSomebodyElseAreRefused() throws {
        let input = try description(#"{"/item": \#(item)}"#)
        _ = try folder.write("// theirs", to: "Generated/ShopAPI/Item/GetItemManager.swift")
        let before = folder.files
        let refused = run(input)
        XCTAssertEqual(refused.status, 2)
        XCTAssertTrue(refused.errors.joined().contains("nothing was written"), refused.errors.joined())
        XCTAssertEqual(folder.files, before)
        XCTAssertEqual(try folder.text("Generated/ShopAPI/Item/GetItemManager.swift"), "// theirs")
    }

    func testNothingIsHalfWritten() throws {
        let input = try description(#"{"/item": \#(item)}"#)
        // A file stands where a folder has to be.
        _ = try folder.write("", to: "Generated")
        let refused = run(input)
        XCTAssertEqual(refused.status, 2)
        XCTAssertEqual(folder.files, ["Generated", "openapi.json"])
    }

    func testOtherManifestsAreRefused() throws {
        let input = try description(#"{"/item": \#(item)}"#)
        _ = try folder.write("{}", to: "Generated/ShopAPI.generated.json")
        XCTAssertTrue(run(input).errors.joined().contains("generate-managers did not write"))
    }

    func testAnErrorInTheDescriptionWritesNothing() throws {
        let input = try description(##"{"/item": {"get": {"parameters": [{"$ref": "#/no"}]}}}"##)
        let refused = run(input)
        XCTAssertEqual(refused.status, 2)
        XCTAssertTrue(
            refused.errors.joined().contains("openapi.json#/paths/~1item/get/parameters/0"),
            refused.errors.joined())
        XCTAssertEqual(folder.files, ["openapi.json"])
    }

    func testCheckComparesWithoutWriting() throws {
        let schemas =
            #"{"Item": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}}"#
        let input = try description(#"{"/item": \#(item)}"#, schemas: schemas)
        XCTAssertEqual(run(input, "--check").status, 2)
        XCTAssertEqual(run(input).status, 0)
        let same = run(input, "--check")
        XCTAssertEqual(same.status, 0)
        XCTAssertEqual(same.out, ["Nothing has changed."])
        let files = folder.files

        let more =
            #"{"/item": \#(item), "/more": \#(item.replacingOccurrences(of: "getItem", with: "getMore"))}"#
        let added = run(try description(more, schemas: schemas), "--check")
        XCTAssertEqual(added.status, 0)
        XCTAssertEqual(added.out.first, "ok       new GET /more: GetMoreManager")
        let broken = run(
            try description("{}", schemas: schemas.replacingOccurrences(of: "integer", with: "string")),
            "--check")
        XCTAssertEqual(broken.status, 1)
        XCTAssertEqual(
            Array(broken.out.prefix(2)),
            [
                "BREAKING gone GET /item: GetItemManager",
                "BREAKING changed Item: property id was Int, and is String now",
            ])
        XCTAssertEqual(folder.files, files)
    }
}
