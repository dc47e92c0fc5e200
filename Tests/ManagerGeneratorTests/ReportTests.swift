import Foundation
import XCTest

@testable import ManagerGenerator

/// What a description has that is wrong, or that calls do not do, is reported.
final class ReportTests: XCTestCase {
    private func notes(_ members: String = "", _ operation: String = "", method: String = "get") throws
        -> [String]
    {
        let paths = #"""
            {"/a": {"\#(method)": {"operationId": "one", \#(operation)"responses": {"200": {"description": "", "content":
            {"application/json": {"schema": {"type": "string"}}, "text/csv": {}}}}}}}
            """#
        return try generate(members, paths: paths).notes.map { "\($0.place.text) \($0.text)" }
    }

    func testOperationsWithOneIDAreReported() throws {
        let operation = #"{"operationId": "one", "responses": {"204": {"description": ""}}}"#
        let generation = try generate(paths: #"{"/a": {"get": \#(operation)}, "/b": {"get": \#(operation)}}"#)
        XCTAssertEqual(
            generation.notes.map(\.text),
            [#"has the operationId "one" of openapi.json#/paths/~1a/get; its manager has another name."#])
    }

    func testATypeThatIsNoneOfJSONSchemaIsReported() throws {
        let schemas =
            #""components": {"schemas": {"A": {"type": "object", "properties": {"n": {"type": "int"}}}}}"#
        let text = #"has the type "int", which is none of JSON Schema; it is read as integer."#
        XCTAssertTrue(try notes(schemas).contains("/components/schemas/A/properties/n \(text)"))
        XCTAssertTrue(
            try model("A", #"{"A": {"type": "object", "properties": {"n": {"type": "int"}}}}"#).contains(
                "n: Int?"))
    }

    func testReservedCharactersAreReported() throws {
        let parameter =
            #""parameters": [{"name": "q", "in": "query", "allowReserved": true, "schema": {"type": "string"}}], "#
        XCTAssertTrue(
            try notes("", parameter).contains(
                "/paths/~1a/get/parameters/0 has allowReserved; reserved characters in its value are percent-encoded."
            ))
    }

    func testAnUndeclaredSecuritySchemeIsReported() throws {
        XCTAssertTrue(
            try notes("", #""security": [{"missing": []}], "#).contains(
                "/paths/~1a/get/security/0 names missing, which is no security scheme; the alternative is left out."
            ))
    }

    func testTheBodyOfAResponseToHEADIsNotReported() throws {
        XCTAssertFalse(try notes().isEmpty)
        XCTAssertEqual(try notes(method: "head"), [])
    }

    func testTheNameOfAServiceHasWholeWordsOfTheTitle() throws {
        for (title, name) in [
            ("GoToSocial Swagger documentation.", "goToSocial"),
            ("Swagger Petstore - OpenAPI 3.0", "petstore"),
            ("Qdrant API", "qdrant"), ("The big shop of all shops", "bigShop"),
        ] {
            let description = try Description(
                ["openapi": "3.0.0", "info": ["title": .string(title)], "paths": [:]],
                at: URL(fileURLWithPath: "/api/openapi.json"))
            let service = try ServiceDescription(description, identifier: nil, report: Report())
            XCTAssertEqual(service.identifier, name)
        }
    }

    func testAModuleIsNoKeywordAndNoModuleThatTheCodeImports() throws {
        for module in ["class", "Foundation", "foundation", "XCTest", "Swift", "DiscreteNetworking", "self"] {
            let run = CommandRun(["openapi.json", "--module", module])
            XCTAssertEqual(run.status, 64, module)
            XCTAssertTrue(run.errors.joined().contains("--module \(module) is the name of"), "\(run.errors)")
        }
    }
}
