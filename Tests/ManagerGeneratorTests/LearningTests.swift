import DiscreteNetworkingJSON
import Foundation
import LoopbackServer
import XCTest

@testable import ManagerGenerator

/// Corrections of a description by recorded responses (`--learn`).
final class LearningTests: XCTestCase {
    private func entry(_ path: String, _ body: JSONValue?, status: Int = 200, method: String = "GET")
        -> JSONValue
    {
        let text = body.map { JSONValue.string($0.canonicalText) } ?? ""
        return [
            "request": ["method": .string(method), "url": .string("https://api.example.com" + path)],
            "response": [
                "status": .number(JSONNumber(status)),
                "content": ["mimeType": "application/json", "text": text],
            ],
        ]
    }

    /// A description of one operation, `GET /pets/{id}`.
    private func description(
        _ schema: JSONValue, _ components: JSONValue = [:], version: JSONValue = "3.1.0"
    ) -> JSONValue {
        [
            "openapi": version, "info": ["title": "Pets", "version": "1"],
            "servers": [["url": "https://{host}/v1", "variables": ["host": ["default": "api.example.com"]]]],
            "paths": [
                "/pets/{id}": [
                    "get": [
                        "responses": [
                            "200": [
                                "description": "OK", "content": ["application/json": ["schema": schema]],
                            ]
                        ]
                    ]
                ]
            ], "components": ["schemas": components],
        ]
    }

    private struct Learned {
        let run: CommandRun
        let actions: [JSONValue]
        /// The description with the corrections.
        let corrected: JSONValue

        func targets() -> [String] { actions.compactMap { $0["target"]?.string } }
    }

    private func learn(
        _ document: JSONValue, _ entries: [JSONValue], in folder: TemporaryFolder? = nil, line: UInt = #line
    ) throws -> Learned {
        let folder = try folder ?? TemporaryFolder()
        let api = try folder.write(document.canonicalText, to: "api.json")
        let har: JSONValue = ["log": ["entries": .array(entries)]]
        let traffic = try folder.write(har.canonicalText, to: "traffic.har")
        let overlay = folder.url.appendingPathComponent("learned.json").path
        let run = CommandRun([api, "--learn", traffic, "--overlay", overlay])
        XCTAssertEqual(run.status, 0, "\(run.errors)", line: line)
        var corrected = document
        var actions: [JSONValue] = []
        if let text = try? folder.text("learned.json") {
            let value = try JSONValue(parsing: text)
            actions = value["actions"]?.array ?? []
            let root = Node(value: value, place: Place(document: "learned.json", pointer: []))
            XCTAssertEqual(try Overlay(root).apply(to: &corrected), [], line: line)
        }
        let again = CommandRun([api, "--learn", traffic, "--overlay", overlay])
        XCTAssertTrue(again.out[0].hasPrefix("0 corrections"), "\(again.out)", line: line)
        return Learned(run: run, actions: actions, corrected: corrected)
    }

    /// The corrected schema after responses with these bodies.
    private func corrected(
        _ schema: JSONValue, by bodies: [JSONValue?], line: UInt = #line
    ) throws -> JSONValue? {
        let entries = bodies.map { entry("/v1/pets/7", $0) }
        let learned = try learn(description(schema), entries, line: line)
        let operation = learned.corrected["paths"]?["/pets/{id}"]?["get"]
        return operation?["responses"]?["200"]?["content"]?["application/json"]?["schema"]
    }

    private func object(_ properties: JSONValue, required: JSONValue = []) -> JSONValue {
        ["type": "object", "properties": properties, "required": required]
    }

    func testARequiredPropertyThatWasAbsentBecomesOptional() throws {
        let schema = object(
            ["id": ["type": "integer"], "it's": ["type": "string"]], required: ["id", "it's"])
        XCTAssertEqual(try corrected(schema, by: [["id": 1, "it's": "a"], ["id": 2]])?["required"], ["id"])
    }

    func testNullBecomesAllowedWhereItIsUsed() throws {
        let pet: JSONValue = ["$ref": "#/components/schemas/Pet"]
        let components: JSONValue = ["Pet": object(["tag": ["type": "string"]])]
        let root = object(
            ["first": pet, "name": ["type": "string"], "size": ["type": ["integer", "string"]]],
            required: ["first", "name", "size"])
        let learned = try learn(
            description(root, components), [entry("/v1/pets/7", ["first": nil, "name": nil, "size": nil])])
        let properties = learned.corrected["paths"]?["/pets/{id}"]?["get"]?["responses"]?["200"]?["content"]?[
            "application/json"]?["schema"]?["properties"]
        XCTAssertEqual(properties?["name"]?["type"], ["string", "null"])
        XCTAssertEqual(properties?["size"]?["type"], ["integer", "string", "null"])
        XCTAssertEqual(properties?["first"]?["nullable"], true)
        XCTAssertEqual(learned.corrected["components"]?["schemas"], components)
    }

    func testTypesBecomeThoseThatWereSeen() throws {
        let schema = object([
            "id": ["type": "integer", "format": "int64"], "price": ["type": "integer"],
            "code": ["type": "integer", "enum": [1, 2]],
            "both": ["type": ["integer", "boolean"]],
            "content": ["type": "string", "description": "Its text."],
            "owner": ["type": "string"], "open": ["type": "number"],
        ])
        let properties = try corrected(
            schema,
            by: [
                [
                    "id": "a1", "price": 1, "code": 1, "both": "x", "content": "x", "owner": ["name": "Li"],
                    "open": 1,
                ],
                ["id": "b2", "price": 1.5, "code": "x", "both": 1, "content": [1], "owner": ["name": "Bo"]],
            ])?["properties"]
        XCTAssertEqual(properties?["id"], ["type": "string"])
        XCTAssertEqual(properties?["price"], ["type": ["integer", "number"]])
        XCTAssertEqual(properties?["code"], ["type": ["integer", "string"]])
        XCTAssertEqual(properties?["both"], ["type": ["integer", "string"]])
        XCTAssertEqual(properties?["content"], ["description": "Its text."])
        XCTAssertEqual(properties?["owner"]?["properties"]?["name"], ["type": "string"])
        XCTAssertEqual(properties?["open"], ["type": "number"])
    }

    func testAFormatThatNoTextHadIsRemoved() throws {
        let schema = object([
            "at": ["type": "string", "format": "date-time"], "id": ["type": "string", "format": "uuid"],
            "day": ["type": "string", "format": "date"], "data": ["type": "string", "format": "byte"],
            "good": ["type": "string", "format": "date-time"],
        ])
        let properties = try corrected(
            schema,
            by: [
                [
                    "at": "yesterday", "id": "7", "day": "2024-02-30", "data": "!",
                    "good": "2024-02-29T12:00:00",
                ]
            ])?["properties"]
        for name in ["at", "id", "day", "data"] {
            XCTAssertEqual(properties?[name], ["type": "string"], name)
        }
        XCTAssertEqual(properties?["good"]?["format"], "date-time")
    }

    func testMembersThatAreNotDescribedAreAdded() throws {
        let schema = object([
            "pet": object(["id": ["type": "integer"]]),
            "labels": ["type": "object", "additionalProperties": ["type": "integer"]],
            "open": [
                "type": "object", "properties": ["a": ["type": "string"]], "additionalProperties": true,
            ],
        ])
        let properties = try corrected(
            schema,
            by: [["pet": ["id": 1, "tags": [["n": 1]]], "labels": ["x": 1, "y": "z"], "open": ["b": 1]]])?[
                "properties"]
        let tags = properties?["pet"]?["properties"]?["tags"]
        XCTAssertEqual(tags?["items"]?["properties"]?["n"], ["type": "integer"])
        XCTAssertNil(tags?["items"]?["required"], "one response does not say that it is always there")
        XCTAssertEqual(properties?["labels"]?["additionalProperties"], ["type": ["integer", "string"]])
        XCTAssertEqual(properties?["open"], schema["properties"]?["open"])
    }

    func testTheAlternativeThatFitsBestIsCorrected() throws {
        let cat = object(
            ["kind": ["const": "cat"], "lives": ["type": "integer"]], required: ["kind", "lives"])
        let dog = object(["kind": ["const": "dog"], "tag": ["type": "string"]], required: ["kind", "tag"])
        let schema = try corrected(
            ["oneOf": [cat, dog]], by: [["kind": "dog"], ["kind": "cat", "lives": 9]])
        XCTAssertEqual(schema?["oneOf"]?[0], cat)
        XCTAssertEqual(schema?["oneOf"]?[1]?["required"], ["kind"])
    }

    /// A union that is its own alternative, directly and by way of another, says nothing, and ends.
    func testAUnionThatLeadsToItselfEnds() throws {
        let loop: JSONValue = ["$ref": "#/components/schemas/Loop"]
        let components: JSONValue = [
            "Loop": [
                "anyOf": [loop, ["oneOf": [loop, object(["id": ["type": "string"]], required: ["id"])]]]
            ]
        ]
        let learned = try learn(description(loop, components), [entry("/v1/pets/7", ["id": 1])])
        XCTAssertLessThan(learned.actions.count, 3, "\(learned.actions)")
    }

    func testThePartsOfAllOfAreCorrectedWhereTheyStand() throws {
        let components: JSONValue = ["Base": object(["id": ["type": "integer"]], required: ["id", "name"])]
        let schema: JSONValue = [
            "allOf": [["$ref": "#/components/schemas/Base"], object(["name": ["type": "string"]])]
        ]
        let learned = try learn(description(schema, components), [entry("/v1/pets/7", ["name": 1])])
        XCTAssertEqual(learned.corrected["components"]?["schemas"]?["Base"]?["required"], ["name"])
        XCTAssertTrue(learned.targets().contains("$.components.schemas.Base.required[?@ == 'id']"))
        XCTAssertTrue(
            learned.targets().contains {
                $0.hasSuffix("['application/json'].schema.allOf[1].properties.name")
            },
            "\(learned.targets())")
    }

    func testAnEmptyBodyMakesTheResponseOptional() throws {
        let schema = object(["id": ["type": "integer"]])
        XCTAssertEqual(try corrected(schema, by: [["id": 1], nil])?["type"], ["object", "null"])
    }

    /// Only a recording of what is described in Swagger 2.0's way has `x-nullable`.
    func testEachVersionHasItsWordForNull() throws {
        let schema = object(["a": ["type": "string"]], required: ["a"])
        let new = try learn(description(schema, version: "3.0.3"), [entry("/v1/pets/7", ["a": nil])])
        XCTAssertEqual(new.actions.map { $0["update"] }, [["nullable": true]])
        let old: JSONValue = [
            "swagger": "2.0", "info": ["title": "Pets", "version": "1"], "basePath": "/v1",
            "produces": ["application/json"],
            "paths": ["/pets/{id}": ["get": ["responses": ["200": ["description": "", "schema": schema]]]]],
        ]
        let learned = try learn(old, [entry("/v1/pets/7", ["a": nil])])
        XCTAssertEqual(learned.actions.map { $0["update"] }, [["x-nullable": true]])
    }

    func testCallsAreComparedWithTheirOperation() throws {
        let learned = try learn(
            description(object([:])),
            [
                entry("/gateway/pets/7", [:]), entry("/v1/shops", [:]), entry("/v1/pets/8", 1, status: 500),
                entry("/v1/pets/a%2Fb", [:]),
            ])
        XCTAssertEqual(
            learned.run.out,
            [
                "0 corrections from 2 responses of 1 operations: the server sends what is described.",
                "    GET /v1/shops is not described.",
            ])
        let none = try learn(description(object([:])), [entry("/v1/shops", [:])])
        XCTAssertTrue(none.run.out.contains("    GET /pets/{id} has no recorded success."), "\(none.run.out)")
    }

    func testNewCorrectionsAreAddedToThoseThatAreThere() throws {
        let folder = try TemporaryFolder()
        let schema = object(["a": ["type": "string"]], required: ["a"])
        XCTAssertEqual(
            try learn(description(schema), [entry("/v1/pets/1", [:])], in: folder).actions.count, 1)
        let more = try learn(description(schema), [entry("/v1/pets/1", ["a": 1])], in: folder)
        XCTAssertEqual(more.actions.count, 2)
        XCTAssertEqual(more.actions.last?["update"], ["type": "integer"])
    }

    func testARecordingThatTeachesNothingIsAnError() throws {
        let folder = try TemporaryFolder()
        let api = try folder.write(description([:]).canonicalText, to: "api.json")
        let traffic = try folder.write(
            (["log": ["entries": [entry("/v1/pets/7", [:])]]] as JSONValue).canonicalText, to: "t.har")
        let yaml = try folder.write("overlay: 1.0.0\nactions: []\n", to: "fix.yaml")
        for (arguments, message) in [
            ([api, "--learn", traffic], "--learn needs --overlay"),
            ([api, "--learn", api, "--overlay", "x.json"], "not a HAR file or cassette"),
            ([api, "--learn", traffic, "--overlay", yaml], "would lose its comments"),
            ([api, "--learn", traffic, "--overlay", "/nowhere/x.json", "--include", "tag:x"], "matches no"),
        ] {
            let run = CommandRun(arguments)
            XCTAssertEqual(run.status, 2)
            XCTAssertTrue(run.errors.contains { $0.contains(message) }, "\(run.errors)")
        }
    }

    /// As Matrix has it: a path with a slash at its end, and rooms that only another list names.
    func testAServerIsCalledWithItsPathsAndItsIDs() throws {
        let server = try LoopbackServer { request in
            request.path == "/joined_rooms" ? .json(#"{"joined_rooms": ["!own"]}"#) : .json("{}")
        }
        defer { server.stop() }
        let responses =
            #""responses": {"200": {"description": "", "content": {"application/json": {"schema": {}}}}}"#
        let room =
            #"{"name": "roomId", "in": "path", "required": true, "schema": {"type": "string"}, "example": "!example"}"#
        let folder = try TemporaryFolder()
        let api = try folder.write(
            #"{"openapi": "3.0.3", "info": {"title": "Chat", "version": "1"}, "paths": {"/joined_rooms": {"get": {\#(responses)}}, "/pushrules/": {"get": {\#(responses)}}, "/rooms/{roomId}/state": {"get": {"parameters": [\#(room)], \#(responses)}}}}"#,
            to: "api.json")
        let run = CommandRun([
            api, "--learn", server.baseURL.absoluteString, "--overlay", folder.url.path + "/learned.json",
        ])
        XCTAssertEqual(run.status, 0, "\(run.errors)")
        XCTAssertEqual(
            server.requests.map(\.target), ["/joined_rooms", "/pushrules/", "/rooms/!own/state"])
    }

    /// The lists first, then what their first items name.
    func testAServerIsCalledByWhatItAnswers() throws {
        let server = try LoopbackServer { request in
            switch request.path {
            case "/v1/pets": .json(#"{"total": 1, "items": [{"id": "a/b", "tag": null}]}"#)
            case "/v1/pets/a/b": .json(#"{"id": 7}"#)
            case "/v1/pets/a/b/toys/ball": .json(#"[1]"#)
            case "/v1/search": .json(#"{"q": true}"#)
            default: .status(404)
            }
        }
        defer { server.stop() }
        func get(_ schema: String, _ parameters: String = "[]") -> String {
            #"{"parameters": \#(parameters), "get": {"responses": {"200": {"description": "", "content": {"application/json": {"schema": \#(schema)}}}}}, "delete": {"responses": {}}}"#
        }
        let id = #"{"name": "petId", "in": "path", "required": true, "schema": {"type": "string"}}"#
        let toy =
            #"{"name": "toy", "in": "path", "required": true, "schema": {"type": "string"}, "example": "ball"}"#
        let query =
            #"{"name": "q", "in": "query", "required": true, "schema": {"type": "string", "default": "x y"}}"#
        let unknown = #"{"name": "no", "in": "query", "required": true, "schema": {"type": "string"}}"#
        let item =
            #"{"type": "object", "properties": {"id": {"type": "string"}, "tag": {"type": "string"}}, "required": ["tag"]}"#
        let folder = try TemporaryFolder()
        let api = try folder.write(
            #"{"openapi": "3.0.3", "info": {"title": "Pets", "version": "1"}, "paths": {"/pets": \#(get(#"{"properties": {"total": {"type": "integer"}, "items": {"type": "array", "items": \#(item)}}}"#)), "/pets/{petId}": \#(get(item, "[\(id)]")), "/pets/{petId}/toys/{toy}": \#(get(#"{"type": "array", "items": {"type": "string"}}"#, "[\(id), \(toy)]")), "/search": \#(get(#"{"properties": {"q": {"type": "string"}}}"#, "[\(query)]")), "/lost": \#(get("{}", "[\(unknown)]"))}}"#,
            to: "api.json")
        let overlay = folder.url.appendingPathComponent("learned.json").path
        let run = CommandRun([
            api, "--learn", server.baseURL.absoluteString + "/v1", "--header", "Authorization: Bearer secret",
            "--overlay", overlay,
        ])
        XCTAssertEqual(run.status, 0, "\(run.errors)")
        XCTAssertEqual(
            server.requests.map { $0.method + " " + $0.target },
            [
                "GET /v1/pets", "GET /v1/search?q=x%20y", "GET /v1/pets/a%2Fb",
                "GET /v1/pets/a%2Fb/toys/ball",
            ])
        XCTAssertTrue(server.requests.allSatisfy { $0.header("Authorization") == "Bearer secret" })
        XCTAssertTrue(run.out[0].contains("from 4 responses of 4 operations"), "\(run.out)")
        XCTAssertTrue(run.out.contains("    GET /lost has no recorded success."), "\(run.out)")
        XCTAssertFalse(run.out.joined().contains("secret"))
        let text = try folder.text("learned.json")
        for target in [
            "items.items", "['/pets/{petId}'].get", "['/pets/{petId}/toys/{toy}'].get", "['/search'].get",
        ] { XCTAssertTrue(text.contains(target), "\(target) in \(text)") }
        let gone = CommandRun([
            api, "--learn", "http://127.0.0.1:1/v1", "--overlay", overlay,
        ])
        XCTAssertEqual(gone.status, 2)
        XCTAssertTrue(gone.errors[0].contains("responded to none of 5 GETs"), "\(gone.errors)")
    }

    #if os(macOS) || os(Linux)
        /// A corrected schema admits what was recorded: judged by the jsonschema of PyPI.
        func testRandomCorrectionsAdmitTheRecordedValues() throws {
            var random = Schemas(state: 31)
            var cases: [JSONValue] = []
            for _ in 0..<150 {
                let schema = random.schema(3)
                let bodies = (0..<3).map { _ in
                    random.value(like: random.below(3) == 0 ? random.schema(3) : schema)
                }
                // A body that is null is one that is not there.
                guard bodies.allSatisfy({ !$0.isNull }) else { continue }
                let corrected = try XCTUnwrap(corrected(schema, by: bodies))
                cases.append(["schema": corrected, "values": .array(bodies)])
            }
            let script = """
                import json, sys
                from jsonschema import Draft202012Validator
                for case in json.load(open(sys.argv[1])):
                    for value in case["values"]:
                        for error in Draft202012Validator(case["schema"]).iter_errors(value):
                            print(json.dumps(case), error.message)
                print("done")
                """
            let output = try PythonScript.output(of: script, needing: "jsonschema", on: .array(cases))
            XCTAssertGreaterThan(cases.count, 100)
            XCTAssertEqual(String(decoding: output, as: UTF8.self), "done\n")
        }
    #endif

    private struct Schemas {
        var state: UInt64

        mutating func below(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }

        private static let names = ["a", "b", "c d", "é"]

        mutating func schema(_ depth: Int) -> JSONValue {
            switch below(depth > 0 ? 9 : 4) {
            case 0: return ["type": "string"]
            case 1: return ["type": "integer"]
            case 2: return ["type": "number"]
            case 3: return ["type": "boolean"]
            case 4: return ["type": "array", "items": schema(depth - 1)]
            case 5: return ["type": "object", "additionalProperties": schema(depth - 1)]
            case 6: return ["type": ["string", "integer"]]
            default:
                var properties: [String: JSONValue] = [:]
                for name in Self.names where below(2) == 0 { properties[name] = schema(depth - 1) }
                let required = properties.keys.sorted().filter { _ in below(2) == 0 }
                return [
                    "type": "object", "properties": .object(properties),
                    "required": .array(required.map(JSONValue.string)),
                ]
            }
        }

        mutating func value(like schema: JSONValue) -> JSONValue {
            if below(12) == 0 { return [nil, 1, "x", [1], true, 2.5, ["a": 1]][below(7)] }
            switch schema["type"] {
            case "integer": return .number(JSONNumber(below(9)))
            case "number": return 1.5
            case "boolean": return .bool(below(2) == 0)
            case "array": return .array((0..<below(3)).map { _ in value(like: schema["items"] ?? [:]) })
            case "object":
                var members: [String: JSONValue] = [:]
                for (name, property) in (schema["properties"]?.object ?? [:]).sorted(by: { $0.key < $1.key })
                where below(5) > 0 {
                    members[name] = value(like: property)
                }
                if let additional = schema["additionalProperties"] { members["x"] = value(like: additional) }
                return .object(members)
            default: return .string("s\(below(9))")
            }
        }
    }
}
