import XCTest

@testable import ManagerGenerator

/// Models are stored indirectly where they would be infinite, or large.
final class ModelStorageTests: XCTestCase {
    private func schemas(_ others: String) -> String {
        func object(_ count: Int) -> String {
            let properties = (0..<count).map { #""p\#($0)": {"type": "string"}"# }.joined(separator: ", ")
            return #"{"type": "object", "properties": {\#(properties)}}"#
        }
        return #"{"Small": \#(object(8)), "Large": \#(object(9)), \#(others)}"#
    }

    func testALargeStructIsOutsideOfTheOneThatHasIt() throws {
        let text = try model(
            "A",
            schemas(
                #""A": {"type": "object", "properties": {"large": \#(reference("Large")), "small": \#(reference("Small"))}}"#
            ))
        XCTAssertTrue(text.contains("private var _large: Indirect<Large>?"), text)
        XCTAssertTrue(text.contains("public var small: Small?\n"), text)
    }

    func testAUnionThatWouldBeLargeIsIndirect() throws {
        let others =
            #""A": {"oneOf": [\#(reference("Large")), {"type": "string"}]}, "B": {"oneOf": [{"type": "integer"}, {"type": "string"}]}"#
        XCTAssertTrue(try model("A", schemas(others)).contains("public nonisolated indirect enum A:"))
        XCTAssertTrue(try model("B", schemas(others)).contains("public nonisolated enum B:"))
    }

    func testALargeArgumentIsStoredIndirectly() throws {
        for (name, isBoxed) in [("Large", true), ("Small", false)] {
            let generation = try generate(
                #""components": {"schemas": \#(schemas(#""A": {"type": "string"}"#))}"#,
                paths:
                    #"{"/a": {"post": {"parameters": [{"name": "key", "in": "query", "content": {"application/json": {"schema": \#(reference(name))}}}], "responses": {}}}}"#
            )
            let text = try XCTUnwrap(generation.files.first { $0.path.hasSuffix("/PostAManager.swift") }).text
            XCTAssertEqual(text.contains("private var _key: Indirect<\(name)>?"), isBoxed, text)
            #if os(Linux)
                XCTAssertEqual(try TypeCheck().complaints(about: generation, module: "ShopAPI"), "")
            #endif
        }
    }

    /// A property whose name is that of the storage of another one.
    func testStorageHasANameOfItsOwn() throws {
        let generation = try generate(
            #"""
            "components": {"schemas": {"A": {"type": "object", "properties": {"next": \#(reference("A")),
                "nextBox": {"type": "string"}}}}}
            """#)
        XCTAssertTrue(try XCTUnwrap(generation.model("A")).contains("private var _next: Indirect<A>?"))
        #if os(Linux)
            XCTAssertEqual(try TypeCheck().complaints(about: generation, module: "ShopAPI"), "")
        #endif
    }

    /// In a body of a PATCH, an optional property that may be `null` has three states.
    func testAPropertyThatCanBeClearedMayBeOfItsOwnType() throws {
        let generation = try generate(
            #"""
            "components": {"schemas": {"A": {"type": "object", "properties": {
                "next": {"oneOf": [\#(reference("A")), {"type": "null"}]}}}}}
            """#,
            paths:
                #"{"/a": {"patch": {"requestBody": {"content": {"application/json": {"schema": \#(reference("A"))}}}, "responses": {}}}}"#
        )
        XCTAssertTrue(
            try XCTUnwrap(generation.model("A")).contains("private var _next: Indirect<Nullable<A>>?"))
        #if os(Linux)
            XCTAssertEqual(try TypeCheck().complaints(about: generation, module: "ShopAPI"), "")
        #endif
    }
}
