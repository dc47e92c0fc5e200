import DiscreteNetworkingJSON
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

    func testAMemberThatIsThereTwiceIsReported() throws {
        let folder = try TemporaryFolder()
        let get = #"{"responses": {"200": {"$ref": "other.json#/a"}}}"#
        let input = try folder.write(
            #"{"openapi": "3.0.3", "info": {"title": "[,{\"", "title": "x"}, "paths": {"/a~b": {"get": \#(get), "get": \#(get), "post": \#(get)}, "/l": {"parameters": [{}, {"in": "query", "name": "\u0061", "n\u0061me": "b"}]}}}"#,
            to: "openapi.json")
        let response = #"{"description": "", "description": "again"}"#
        _ = try folder.write(#"{"a": \#(response)}"#, to: "other.json")
        let generation = try Generation(
            Description(at: input), options: GeneratorOptions(module: "ShopAPI"))
        let text = " is there twice; only the last one is read."
        XCTAssertEqual(
            Set(generation.notes.map { "\($0.place) \($0.text)" }.filter { $0.hasSuffix("read.") }),
            [
                "openapi.json#/info/title" + text, "openapi.json#/paths/~1a~0b/get" + text,
                "openapi.json#/paths/~1l/parameters/1/name" + text, "other.json#/a/description" + text,
            ])
    }

    /// The judge is Python's JSON.
    func testDuplicatesAreThoseOfPython() throws {
        #if os(macOS) || os(Linux)
            var numbers = SeededNumbers(state: 12)
            func random(_ depth: Int) -> String {
                let choices = depth < 4 ? 6 : 4
                switch Int.random(in: 0..<choices, using: &numbers) {
                case 0: return ["1", "-2.5e3", "true", "null"].randomElement(using: &numbers) ?? ""
                case 1, 2, 3:
                    return [#""a""#, #""\"{[,:""#, #""\\""#, #""é\u0061""#, #""""#].randomElement(
                        using: &numbers)
                        ?? ""
                case 4:
                    return "[" + (0..<3).map { _ in random(depth + 1) }.joined(separator: " , ") + "]"
                default:
                    let keys = [#""a""#, #""\u0061""#, #""b}""#, #""c\"""#]
                    return "{"
                        + (0..<4).map { _ in
                            (keys.randomElement(using: &numbers) ?? "") + " : " + random(depth + 1)
                        }
                        .joined(separator: ",") + "}"
                }
            }
            let texts = (0..<200).map { _ in "{\"top\": \(random(0)), \"list\": [\(random(1)),\(random(1))]}"
            }
            let script = """
                import json, sys
                def count(text):
                    found = []
                    def pairs(members):
                        keys = [key for key, _ in members]
                        found.append(len(keys) - len(set(keys)))
                        return dict(members)
                    json.loads(text, object_pairs_hook=pairs)
                    return sum(found)
                print(json.dumps([count(text) for text in json.load(open(sys.argv[1]))]))
                """
            let output = try PythonScript.output(
                of: script, needing: "json", on: .array(texts.map(JSONValue.string)))
            let counts = try JSONValue(parsing: output).array?.compactMap(\.int) ?? []
            XCTAssertGreaterThan(counts.reduce(0, +), 200)
            XCTAssertEqual(texts.map { DuplicateKeys(in: Data($0.utf8)).pointers.count }, counts)
        #endif
    }

    func testValuesOfServerVariablesAreReported() throws {
        let description = try describe("")
        let servers: JSONValue = [
            [
                "url": "https://{region}.example.com:{port}/{version}/{tenant}",
                "variables": [
                    "region": ["default": "eu", "enum": ["eu", "us", "ap"]], "port": ["default": "443"],
                    "version": ["default": "v2", "enum": ["v2"]], "tenant": ["enum": ["a"]],
                ],
            ]
        ]
        let report = Report()
        let place = description.root.place.appending("servers")
        let read = try ServiceDescription.servers(Node(value: servers, place: place).elements, report)
        XCTAssertEqual(read.map(\.url), ["https://eu.example.com:443/v2"])
        XCTAssertEqual(
            report.notes.map { "\($0.place.pointer.last ?? "") \($0.text)" },
            [
                "port is 443 in the URL. For another text, set the server of the service.",
                "region is eu in the URL. For us, ap, set the server of the service.",
                "tenant has no default, and is empty in the URL. Set the server of the service.",
            ])
    }

    func testOtherMediaTypesOfAResponseAreReported() throws {
        let text = "may also be text/csv; the manager asks for application/json."
        XCTAssertTrue(try notes().contains("/paths/~1a/get/responses/200 \(text)"))
    }

    func testASecuritySchemeMayBeAReference() throws {
        let key = #"{"type": "apiKey", "in": "header", "name": "X-Key"}"#
        for schemes in [
            ##"{"securitySchemes": {"key": {"$ref": "#/components/securitySchemes/other"}, "other": \##(key)}}"##,
            ##"{"securitySchemes": {"$ref": "#/components/x-schemes"}, "x-schemes": {"key": \##(key)}}"##,
        ] {
            let description = try describe(
                #""components": \#(schemes), "security": [{"key": []}]"#,
                paths: #"{"/a": {"get": {"responses": {"204": {"description": ""}}}}}"#)
            let report = Report()
            let service = try ServiceDescription(description, identifier: nil, report: report)
            XCTAssertEqual(service.security.map { $0.map(\.kind) }, [[.header("X-Key")]], schemes)
            XCTAssertEqual(report.notes, [], schemes)
        }
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
