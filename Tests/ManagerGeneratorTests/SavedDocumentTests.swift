import Foundation
import XCTest

@testable import ManagerGenerator

/// `--map-url`: documents of other servers that are saved in folders. Nothing is read from a server.
final class SavedDocumentTests: XCTestCase {
    private let folder = try! TemporaryFolder()
    private let schemas = "https://schemas.example.com/ogcapi"
    private let drafts = "https://raw.example.com/drafts/"

    private func operation(_ response: String) -> String {
        ##"{"responses": {"200": {"$ref": "\##(response)"}}}"##
    }

    /// As pygeoapi's: responses and parameters of OGC, whose documents refer to one another in other folders.
    override func setUpWithError() throws {
        _ = try folder.write(
            ##"{"components": {"parameters": {"limit": {"name": "limit", "in": "query", "schema": {"type": "integer"}}}, "responses": {"Features": {"description": "", "content": {"application/geo+json": {"schema": {"$ref": "../../common/1.0/links%20all.json#/Links"}}}}, "Error": {"description": "", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Exception"}}}}}, "schemas": {"Exception": {"type": "object", "required": ["code"], "properties": {"code": {"type": "string"}}}}}}"##,
            to: "saved/features/1.0/features.json")
        _ = try folder.write(
            ##"{"Links": {"type": "object", "properties": {"links": {"type": "array", "items": {"$ref": "https://raw.example.com/drafts/link.json"}}}}}"##,
            to: "saved/common/1.0/links all.json")
        _ = try folder.write(
            #"{"type": "object", "required": ["href"], "properties": {"href": {"type": "string"}}}"#,
            to: "other/link.json")
        _ = try folder.write("{}", to: "secret.json")
    }

    private func run(_ references: [String], _ options: String...) throws -> CommandRun {
        let paths = references.enumerated().map { #""/p\#($0)": {"get": \#(operation($1))}"# }
        let input = try folder.write(
            #"{"openapi": "3.0.2", "info": {"title": "Geo", "version": "1"}, "paths": {"/good": {"get": {"responses": {"204": {"description": ""}}}}, \#(paths.joined(separator: ", "))}}"#,
            to: "api/openapi.json")
        let output = folder.url.appendingPathComponent("Generated").path
        return CommandRun([input, "--module", "GeoAPI", "--output", output] + options)
    }

    private var maps: (String, String) {
        (
            "--map-url=\(schemas)=\(folder.url.path)/saved", "--map-url=\(drafts)=\(folder.url.path)/other"
        )
    }

    private var features: String { schemas + "/features/1.0/features.json#/components/responses/" }

    func testReferencesToOtherServersAreReadFromTheirFolders() throws {
        let run = try run([features + "Features", features + "Error"], maps.0, maps.1)
        XCTAssertEqual(run.status, 0, run.errors.joined())
        let text = try folder.files.filter { $0.hasSuffix(".swift") }.map(folder.text).joined()
        for part in ["[Link]?", "public var href: String\n", "struct Exception", "APIManager<Exception>"] {
            XCTAssertTrue(text.contains(part), part)
        }
    }

    func testWithoutAFolderTheirOperationsAreLeftOut() throws {
        let run = try run([features + "Features", features + "Error"], maps.0)
        XCTAssertEqual(run.status, 3)
        XCTAssertEqual(run.errors.count, 1, "\(run.errors)")
        XCTAssertTrue(run.errors.joined().contains("give its folder with --map-url"), run.errors.joined())
        XCTAssertTrue(run.errors.joined().hasSuffix("Left out: GET /p0."), run.errors.joined())
        XCTAssertTrue(
            run.errors.joined().contains("\(drafts)link.json leads to another server"), run.errors.joined())
    }

    func testAMissingDocumentIsABrokenReference() throws {
        let run = try run([schemas + "/no.json#/a"], maps.0)
        XCTAssertEqual(run.status, 3)
        XCTAssertTrue(run.errors.joined().contains("there is no such file"), run.errors.joined())
    }

    func testNothingLeadsOutOfTheFolder() throws {
        for reference in [
            schemas + "/%2e%2e/secret.json", schemas + "/features/..%2f..%2fsecret.json",
            schemas + "2/features/1.0/features.json",
            "https://schemas.example.com.evil.example/ogcapi/a.json",
        ] {
            let run = try run([reference], maps.0)
            XCTAssertEqual(run.status, 3, reference)
            XCTAssertTrue(run.errors.joined().contains("leads to another server"), run.errors.joined())
        }
    }

    func testTheLongestBeginningCounts() throws {
        let saved = try SavedDocuments([
            NamePair(name: "https://a.example", value: folder.url.path),
            NamePair(name: "https://a.example/b/", value: folder.url.path + "/other"),
        ])
        XCTAssertEqual(
            saved.file(of: try XCTUnwrap(URL(string: "https://a.example/b/link.json?x#y")))?.path,
            folder.url.path + "/other/link.json")
        XCTAssertEqual(
            saved.file(of: try XCTUnwrap(URL(string: "https://a.example/bc.json")))?.path,
            folder.url.path + "/bc.json")
        XCTAssertNil(saved.file(of: try XCTUnwrap(URL(string: "https://a.example.com/link.json"))))
    }

    func testWrongOptionsAreErrors() throws {
        XCTAssertTrue(
            try run([], "--map-url=schemas=\(folder.url.path)").errors.joined().contains(
                "is no URL of a server"))
        XCTAssertTrue(
            try run([], "--map-url=\(schemas)=/nowhere").errors.joined().contains(
                "there is no folder /nowhere"))
    }

    func testFoldersOfAConfigurationFileAreRelativeToIt() throws {
        let input = try folder.write(
            #"{"openapi": "3.0.2", "info": {"title": "Geo", "version": "1"}, "paths": {"/p": {"get": \#(operation(features + "Error"))}}}"#,
            to: "api/openapi.json")
        let file = try folder.write(
            #"{"input": "\#(input)", "module": "GeoAPI", "mapUrl": {"\#(schemas)": "../saved"}}"#,
            to: "api/generate-managers.json")
        let options = try GeneratorOptions(["--config", file])
        XCTAssertEqual(
            options.savedDocuments, [NamePair(name: schemas, value: folder.url.path + "/saved")])
        XCTAssertEqual(try Generation.make(options).errors.count, 0)
    }
}
