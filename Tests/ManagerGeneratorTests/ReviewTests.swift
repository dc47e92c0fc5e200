import XCTest

@testable import ManagerGenerator

/// What a reviewer sees of generated code from one run to the next.
final class ReviewTests: XCTestCase {
    private let folder = try! TemporaryFolder()

    private func run(
        _ paths: String, components: String = "{}", file: String = "openapi.json", _ more: String...
    ) throws -> CommandRun {
        let input = try folder.write(
            #"{"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"}, "servers": [{"url": "https://a.example"}], "paths": \#(paths), "components": \#(components)}"#,
            to: file)
        let run = CommandRun(
            [input, "--module", "ShopAPI", "--output", folder.url.appendingPathComponent("Generated").path]
                + more)
        XCTAssertEqual(run.status, 0, run.errors.joined())
        return run
    }

    private func operation(_ id: String, _ parameters: String = "[]", _ responses: String? = nil) -> String {
        let responses = responses ?? #"{"204": {"description": ""}}"#
        return #"{"operationId": "\#(id)", "parameters": \#(parameters), "responses": \#(responses)}"#
    }

    func testTheNameOfTheDescriptionChangesNoFile() throws {
        _ = try run(#"{"/a": {"get": \#(operation("a"))}}"#)
        let second = try run(#"{"/a": {"get": \#(operation("a"))}}"#, file: "openapi-2.json")
        XCTAssertTrue(second.out[0].contains(" 0 files written"), second.out[0])
    }

    // MARK: Names

    /// The class without the models that are in its file.
    private func manager() throws -> String {
        let text = try folder.text("Generated/ShopAPI/M/MManager.swift")
        return try XCTUnwrap(text.components(separatedBy: "\n}\n").first)
    }

    func testASharedParameterHasANameOfItsOwn() throws {
        let components =
            #"{"parameters": {"Order": {"name": "order", "in": "query", "schema": {"enum": ["up", "down"]}}}}"#
        let shared = ##"[{"$ref": "#/components/parameters/Order"}]"##
        _ = try run(#"{"/m": {"get": \#(operation("m", shared))}}"#, components: components)
        let before = try manager()
        XCTAssertTrue(before.contains("public var order: Order?"), before)
        _ = try run(
            #"{"/a": {"get": \#(operation("a", shared))}, "/m": {"get": \#(operation("m", shared))}}"#,
            components: components)
        XCTAssertEqual(try manager(), before)
    }

    func testAParameterOfAPathBelongsToAllItsOperations() throws {
        let parameters = #"[{"name": "order", "in": "query", "schema": {"enum": ["up", "down"]}}]"#
        _ = try run(#"{"/m": {"parameters": \#(parameters), "get": \#(operation("m"))}}"#)
        let before = try manager()
        _ = try run(
            #"{"/m": {"parameters": \#(parameters), "delete": \#(operation("d")), "get": \#(operation("m"))}}"#
        )
        XCTAssertEqual(try manager(), before)
    }

    func testNamesStayWhenOperationsAndSchemasComeAndGo() throws {
        let own = #""thing": {"type": "object", "properties": {"a": {"type": "string"}}}"#
        let new = #""Thing": {"type": "object", "properties": {"b": {"type": "string"}}}"#
        let get = #""/m": {"get": \#(operation("thing-get"))}"#
        _ = try run("{\(get)}", components: #"{"schemas": {\#(own)}}"#)
        _ = try run(
            #"{"/a": {"get": \#(operation("thingGet"))}, \#(get)}"#,
            components: #"{"schemas": {\#(new), \#(own)}}"#)
        XCTAssertTrue(try folder.model("Thing").contains("var a"))
        XCTAssertTrue(try folder.text("Generated/ShopAPI/M/ThingGetManager.swift").contains("GET /m"))
    }

    func testALongerNameBeatsANumber() throws {
        let text = try model(
            "User",
            #"{"Role": {"type": "object", "properties": {"id": {"type": "string"}}}, "User": {"type": "object", "properties": {"role": {"enum": ["admin", "guest"]}}}}"#
        )
        XCTAssertTrue(text.contains("public var role: UserRole?"), text)
    }

    func testTheLimitsOfAValueAreInItsComment() throws {
        let text = try model(
            "User",
            #"{"User": {"type": "object", "properties": {"name": {"type": "string", "minLength": 1, "maxLength": 9, "pattern": "^[a-z]+$"}, "age": {"type": "integer", "minimum": 18}}}}"#
        )
        XCTAssertTrue(text.contains("/// Valid: 1 to 9 characters, the pattern `^[a-z]+$`."), text)
        XCTAssertTrue(text.contains("/// Valid: at least 18."), text)
    }

    // MARK: Forms and responses

    func testTheFormsOfArraysOfObjects() throws {
        let schema =
            #"{"type": "object", "properties": {"items": {"type": "array", "items": {"type": "object", "properties": {"x": {"type": "string"}}}}}}"#
        let content =
            #"{"application/x-www-form-urlencoded": {"schema": \#(schema), "encoding": {"items": {"style": "deepObject"}}}}"#
        let paths =
            #"{"/a": {"post": {"operationId": "a", "requestBody": {"content": \#(content)}, "responses": {"204": {"description": ""}}}}}"#
        _ = try run(paths)
        XCTAssertTrue(try folder.text("Generated/ShopAPI/A/AManager.swift").contains(".field(.deepObject)]"))
        _ = try run(paths, "--form-arrays", "brackets")
        let text = try folder.text("Generated/ShopAPI/A/AManager.swift")
        XCTAssertTrue(text.contains(".field(.deepObject, objectArrays: .brackets)"), text)
        let test = try folder.text("Generated/ShopAPITests/A/AManagerTests.swift")
        XCTAssertTrue(test.contains("items[][x]"), test)
    }

    func testFailuresWithoutAModelAreListed() throws {
        let responses =
            #"{"200": {"description": ""}, "404": {"description": "", "content": {"text/plain": {"schema": {"type": "string"}}}}, "422": {"description": "", "content": {"application/json": {"schema": {"type": "array", "items": {"type": "string"}}}}}, "500": {"description": "", "content": {"application/json": {"schema": {}}}}}"#
        let run = try run(#"{"/a": {"get": \#(operation("a", "[]", responses))}}"#)
        let notes = run.out.filter { $0.contains("error's response has the bytes") }
        XCTAssertEqual(notes.count, 2, "\(run.out)")
        XCTAssertTrue(notes.contains { $0.contains("responses/404/content/text~1plain is text/plain,") })
        XCTAssertTrue(
            notes.contains { $0.contains("responses/422/content/application~1json is no object with known") })
    }

    func testMediaTypesOfSwaggerThatNoManagerReadsAreListed() throws {
        let body = #"{"name": "body", "in": "body", "schema": {"type": "object"}}"#
        let answer = #"{"200": {"description": "", "schema": {"type": "object"}}}"#
        let text =
            #"{"swagger": "2.0", "info": {"title": "Shop", "version": "1"}, "host": "shop.example.com", "produces": ["application/xml", "application/json"], "consumes": ["application/json", "application/xml"], "paths": {"/a": {"get": \#(operation("a", "[]", answer)), "post": \#(operation("b", "[" + body + "]", answer))}, "/c": {"get": {"operationId": "c", "produces": ["application/json", "text/csv"], "responses": \#(answer)}}}}"#
        let path = try folder.write(text, to: "swagger.json")
        let run = CommandRun([path, "--module", "ShopAPI", "--output", folder.url.path + "/Swagger"])
        let notes = run.out.filter { $0.contains("may also") }.map {
            String($0.drop { $0 != "#" })
        }
        XCTAssertEqual(
            Set(notes),
            [
                "# may also produce application/xml; managers ask for application/json.",
                "#/paths/~1c/get may also produce text/csv; the manager asks for application/json.",
                "#/paths/~1a/post/parameters/0 may also be application/xml; it is sent as application/json.",
            ], "\(run.out)")
    }

    func testResponsesThatNoManagerReadsAreListed() throws {
        let schema = #"{"schema": {"type": "object", "properties": {"a": {"type": "string"}}}}"#
        let other = #"{"schema": {"type": "object", "properties": {"b": {"type": "string"}}}}"#
        let responses =
            #"{"200": {"description": "", "content": {"application/json": \#(schema), "text/csv": {}, "text/event-stream": {}}}, "201": {"description": "", "content": {"application/json": \#(schema)}}, "202": {"description": "", "content": {"application/json": \#(other)}}}"#
        let run = try run(#"{"/a": {"get": \#(operation("a", "[]", responses))}}"#)
        XCTAssertTrue(run.out.contains { $0.contains("responses/200 may also be text/csv;") }, "\(run.out)")
        XCTAssertTrue(
            run.out.contains { $0.contains("responses/202 has another schema than status 200") },
            "\(run.out)")
        // Kinto repeats the schema of 200 at 201.
        XCTAssertFalse(run.out.contains { $0.contains("responses/201 has another schema") }, "\(run.out)")
        XCTAssertTrue(
            try folder.text("Generated/ShopAPI/A/AStreamManager.swift").contains("APIManager<ByteStream>"))
    }

    func testARangeOfStatusesLeavesOutThoseWithADescriptionOfTheirOwn() throws {
        let schema = ##"{"schema": {"$ref": "#/components/schemas/Problem"}}"##
        let responses =
            #"{"204": {"description": ""}, "404": {"description": ""}, "4XX": {"description": "", "content": {"application/json": \#(schema)}}}"#
        _ = try run(
            #"{"/a": {"get": \#(operation("a", "[]", responses))}}"#,
            components:
                #"{"schemas": {"Problem": {"type": "object", "properties": {"a": {"type": "string"}}}}}"#
        )
        let text = try folder.text("Generated/ShopAPI/A/AManager.swift")
        XCTAssertTrue(text.contains("(400...499).contains(status), status != 404"), text)
    }

    #if os(Linux)
        func testDeprecatedOperationsCompileWithoutAWarning() throws {
            try FullLength.require()
            let parameters =
                ##"[{"$ref": "#/components/parameters/Order"}, {"name": "f", "in": "query", "schema": {"enum": ["a", "b"]}}]"##
            let responses =
                ##"{"200": {"description": "", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Old"}}, "text/event-stream": {}}}, "404": {"description": "", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Old"}}}}}"##
            let old = operation("old", parameters, responses).replacingOccurrences(
                of: #"{"operationId""#, with: #"{"deprecated": true, "operationId""#)
            let generation = try generate(
                ##"""
                "components": {
                    "parameters": {"Order": {"name": "order", "in": "query", "schema": {"enum": ["up", "down"]}}},
                    "schemas": {"Old": {"type": "object", "deprecated": true, "properties": {
                        "at": {"type": ["string", "null"], "format": "date-time", "deprecated": true}}}}}
                """##,
                paths: #"{"/a": {"get": \#(old), "post": \#(operation("new", parameters, responses))}}"#)
            XCTAssertEqual(try TypeCheck().complaints(about: generation, module: "ShopAPI"), "")
        }
    #endif
}
