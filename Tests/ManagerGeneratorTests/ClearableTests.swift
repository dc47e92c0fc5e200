import XCTest

@testable import ManagerGenerator

/// Which properties have three states: left out, null, a value. What a server receives is tested in the package of generated
/// code (ClearingTests).
final class ClearableTests: XCTestCase {
    private static let poem =
        ##"{"type": "object", "required": ["id"], "properties": {"id": {"type": ["integer", "null"]}, "title": {"type": "string"}, "poet": {"type": ["string", "null"]}, "any": {}, "book": {"allOf": [{"$ref": "#/components/schemas/Book"}], "type": ["object", "null"]}}}"##
    private static let book =
        #"{"type": "object", "properties": {"name": {"type": ["string", "null"]}}}"#

    /// The types of the members of each model, by their names.
    private func types(
        _ method: String, _ contentType: String = "application/json", answer: String? = nil
    ) throws -> [String: String] {
        func content(_ type: String, _ name: String) -> String {
            ##""content": {"\##(type)": {"schema": {"$ref": "#/components/schemas/\##(name)"}}}"##
        }
        let response = answer.map { ", " + content("application/json", $0) } ?? ""
        let generation = try generate(
            #""components": {"schemas": {"Poem": \#(Self.poem), "Book": \#(Self.book)}}"#,
            paths:
                #"{"/poems": {"\#(method)": {"requestBody": {"required": true, \#(content(contentType, "Poem"))}, "responses": {"200": {"description": ""\#(response)}}}}}"#
        )
        var types: [String: String] = [:]
        for (model, surface) in generation.manifest.surface.models {
            for (name, member) in surface.members { types["\(model).\(name)"] = member.type }
        }
        return types
    }

    private let plain = [
        "Poem.id": "Int?", "Poem.title": "String?", "Poem.poet": "String?", "Poem.any": "JSONValue?",
        "Poem.book": "Book?", "Book.name": "String?",
    ]
    private let clearable = [
        "Poem.id": "Int?", "Poem.title": "String?", "Poem.poet": "Nullable<String>?",
        "Poem.any": "JSONValue?",
        "Poem.book": "Nullable<Book>?", "Book.name": "Nullable<String>?",
    ]

    func testPartialChangesHaveThreeStates() throws {
        XCTAssertEqual(try types("patch"), clearable)
        XCTAssertEqual(try types("post", "application/merge-patch+json; charset=utf-8"), clearable)
    }

    func testOtherBodiesHaveTwo() throws {
        XCTAssertEqual(try types("post"), plain)
        XCTAssertEqual(try types("put"), plain)
    }

    func testModelsThatAreReceivedHaveTwo() throws {
        XCTAssertEqual(try types("patch", answer: "Poem"), plain)
        var inside = clearable
        inside["Book.name"] = "String?"
        XCTAssertEqual(try types("patch", answer: "Book"), inside)
    }

    func testAReceivedObjectIsSentWithoutItsNulls() throws {
        let schema =
            #"{"type": "object", "required": ["id"], "properties": {"id": {"type": "integer", "readOnly": true}, "poet": {"type": ["string", "null"]}}}"#
        let content =
            ##""content": {"application/json": {"schema": {"$ref": "#/components/schemas/Poem"}}}"##
        let generation = try generate(
            #""components": {"schemas": {"Poem": \#(schema)}}"#,
            paths:
                #"{"/poems": {"patch": {"requestBody": {"required": true, \#(content)}, "responses": {"200": {"description": "", \#(content)}}}}}"#
        )
        let text = try XCTUnwrap(generation.model("Poem"))
        XCTAssertTrue(text.contains("self.init(poet: poem.poet.map { .value($0) })"), text)
        #if os(Linux)
            XCTAssertEqual(try TypeCheck().complaints(about: generation, module: "ShopAPI"), "")
        #endif
    }
}
