import DiscreteNetworkingJSON
import Foundation
import XCTest

@testable import ManagerGenerator

/// A response that is described without content, as Label Studio describes the columns of its data manager.
final class UndescribedContentTests: XCTestCase {
    private let paths = #"""
        {"/columns": {"get": {"responses": {"200": {"description": "Columns"}}}},
         "/empty": {"get": {"responses": {"204": {"description": ""}}}},
         "/run": {"post": {"responses": {"200": {"description": ""}}}},
         "/shared": {"get": {"responses": {"200": {"$ref": "#/components/responses/Done"}}}}}
        """#
    private let components = #""components": {"responses": {"Done": {"description": "Done"}}}"#

    func testAGETWhoseBodyIsNotReadIsReported() throws {
        let notes = try generate(components, paths: paths).notes.map { "\($0.place.text) \($0.text)" }
        XCTAssertEqual(
            notes.filter { $0.contains("content") },
            ["/paths/~1columns/get", "/paths/~1shared/get"].map {
                $0 + " has no response with content; its manager reads no body."
            })
    }

    func testItsContentIsLearned() throws {
        let folder = try TemporaryFolder()
        let text = try describe(components, paths: paths).root.value.canonicalText
        let api = try folder.write(text, to: "api.json")
        let calls: [(String, String, String)] = [
            ("GET", "/columns", #"{"columns": [{"id": "text", "order": 1}, {"id": "n", "parent": null}]}"#),
            ("GET", "/empty", ""), ("POST", "/run", "null"), ("GET", "/shared", #"{"done": true}"#),
        ]
        let entries = calls.map { method, path, text -> JSONValue in
            [
                "request": ["method": .string(method), "url": .string("https://shop.example.com" + path)],
                "response": [
                    "status": text.isEmpty ? 204 : 200,
                    "content": ["mimeType": "application/json", "text": .string(text)],
                ],
            ]
        }
        let archive: JSONValue = ["log": ["entries": .array(entries)]]
        let traffic = try folder.write(archive.canonicalText, to: "traffic.har")
        let overlay = folder.url.appendingPathComponent("learned.json").path
        let learn = [api, "--learn", traffic, "--overlay", overlay]
        let run = CommandRun(learn)
        XCTAssertTrue(run.out.first?.hasPrefix("1 corrections from 1 responses") == true, "\(run)")
        XCTAssertTrue(CommandRun(learn).out.first?.hasPrefix("0 corrections") == true)

        let output = folder.url.appendingPathComponent("out").path
        let made = CommandRun([api, "--overlay", overlay, "--module", "ShopAPI", "--output", output])
        XCTAssertEqual(made.status, 0, "\(made.errors)")
        let manager = try folder.text("out/ShopAPI/Columns/GetColumnsManager.swift")
        XCTAssertTrue(manager.contains("APIManager<GetColumnsResponse>"), manager)
        for member in ["columns: [Column]?", "id: String?", "order: Int?", "parent: JSONValue?"] {
            XCTAssertTrue(manager.contains("public var \(member)"), manager)
        }
    }
}
