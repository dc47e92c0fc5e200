import XCTest

@testable import ManagerGenerator

/// A param of a path may be empty where the description says so.
final class EmptyPathTests: XCTestCase {
    private func methodName(_ parameter: String, path: String = "/state/{type}/{key}") throws -> String {
        let others =
            path.contains("{type}")
            ? #", {"name": "type", "in": "path", "required": true, "schema": {"type": "string"}}"# : ""
        let generation = try generate(
            paths: #"""
                {"\#(path)": {"get": {"operationId": "state", "parameters": [{"name": "key", "in": "path",
                "required": true, \#(parameter)}\#(others)], "responses": {"204": {"description": ""}}}}}
                """#)
        let file = try XCTUnwrap(generation.files.first { $0.path.hasSuffix("/StateManager.swift") }).text
        let line = try XCTUnwrap(file.split(separator: "\n").first { $0.contains("methodName = ") })
        return String(line.split(separator: "\"")[1])
    }

    func testATextThatMayBeEmptyHasAnEmptyDefault() throws {
        for parameter in [
            #""schema": {"type": "string"}, "description": "The key. Defaults to the empty string.""#,
            #""schema": {"type": "string", "minLength": 0}"#, #""schema": {"type": "string", "default": ""}"#,
            #""schema": {"type": "string"}, "allowEmptyValue": true"#,
            #""schema": {"type": "string"}, "example": """#,
        ] {
            XCTAssertEqual(try methodName(parameter), "state/{type}/{key=}", parameter)
        }
    }

    func testOtherTextsAreNotEmpty() throws {
        for parameter in [
            #""schema": {"type": "string"}"#, #""schema": {"type": "integer", "minLength": 0}"#,
            #""schema": {"type": "string"}, "description": "Must not be an empty string.""#,
            #""schema": {"type": "string"}, "description": "A non-empty string.""#,
        ] {
            XCTAssertEqual(try methodName(parameter), "state/{type}/{key}", parameter)
        }
        XCTAssertEqual(
            try methodName(#""schema": {"type": "string", "minLength": 0}"#, path: "/{key}/a"), "{key}/a")
    }
}
