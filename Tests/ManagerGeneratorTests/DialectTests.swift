import Foundation
import XCTest

@testable import ManagerGenerator

/// Descriptions as the tools of backends write them: springdoc, FastAPI, Swashbuckle, drf-spectacular, grape-swagger
/// (GitLab), Stripe's and Kubernetes', and the corners of OpenAPI 3.1.
final class DialectTests: XCTestCase {
    private static let names = [
        "chinese", "contents", "fastapi", "gitlab", "kubernetes", "schemas31", "spectacular", "springdoc",
        "stripe",
        "swashbuckle", "twins",
    ]

    private func generation(of name: String) throws -> Generation {
        let input = testFolder.appendingPathComponent("Fixtures/Dialects/\(name).json").path
        return try Generation(Description(at: input), options: GeneratorOptions(module: "DialectAPI"))
    }

    /// A model, or the text of another generated file.
    private func file(
        _ name: String, of generation: Generation, file: StaticString = #filePath, line: UInt = #line
    ) throws -> String {
        if let model = generation.model(name) { return model }
        let found = generation.files.first { $0.path.hasSuffix("/\(name).swift") }
        return try XCTUnwrap(
            found, "There is no \(name).swift among \(generation.files.map(\.path))", file: file, line: line
        ).text
    }

    private func assertContains(
        _ text: String, _ part: String, file: StaticString = #filePath, line: UInt = #line
    ) {
        XCTAssertTrue(text.contains(part), "There is no \(part) in:\n\(text)", file: file, line: line)
    }

    #if os(Linux)
        func testGeneratedDialectsTypeCheck() throws {
            try FullLength.require()
            for name in Self.names {
                let complaints = try TypeCheck().complaints(about: generation(of: name), module: "DialectAPI")
                XCTAssertEqual(complaints.prefix(4000), "", name)
            }
        }
    #endif

    func testARangeOfMediaTypesIsSentAsOne() throws {
        let contoso = try file("PutAPIByVVersionUsersByIDManager", of: generation(of: "swashbuckle"))
        assertContains(contoso, "\"body\": .json])")
        let pods = try file("CreateCoreV1NamespacedPodManager", of: generation(of: "kubernetes"))
        assertContains(pods, "public var body: IoK8sAPICoreV1Pod")
        let text = try file(
            "ConnectCoreV1OptionsNamespacedPodProxyWithPathManager", of: generation(of: "kubernetes"))
        assertContains(text, "APIManager<String>")
    }

    func testPathParametersThatAreWrittenDifferently() throws {
        let contoso = try generation(of: "swashbuckle")
        let users = try file("GetAPIByVVersionUsersByIDManager", of: contoso)
        assertContains(users, "methodName = \"api/v{version}/Users/{id}\"")
        assertContains(users, "public var id: Int\n")
        XCTAssertFalse(contoso.notes.contains { "\($0.place)".contains("Users") && $0.text.contains("path") })

        let contents = try generation(of: "contents")
        assertContains(
            try file("GetFilesByProxyPlusManager", of: contents), "methodName = \"files/{proxy}\"")
        XCTAssertTrue(contents.notes.contains { $0.text.contains("a slash in its value is sent as %2F") })
    }

    func testEnumerationsOfNothing() throws {
        let spectacular = try generation(of: "spectacular")
        let user = try file("User", of: spectacular)
        assertContains(user, "public var status: Status?")
        assertContains(user, "static let empty = Self(rawValue: \"\")")
        assertContains(user, "static let blocked = Self(rawValue: \"blocked\")")
        assertContains(try file("BackendService", of: spectacular), "final class BackendService")
    }

    func testAnEnumerationOrAnyStringIsTheEnumeration() throws {
        let text = try model(
            "A",
            ##"{"A": {"type": "object", "properties": {"b": {"anyOf": [{"$ref": "#/components/schemas/B"}, {"type": "string"}]}}}, "B": {"type": "string", "enum": ["x"]}}"##
        )
        assertContains(text, "public var b: B?")
        let inline = try model(
            "A",
            ##"{"A": {"type": "object", "properties": {"b": {"anyOf": [{"type": "string", "enum": ["x"]}, {"type": "string"}]}}}}"##
        )
        assertContains(inline, "public nonisolated struct B: RawRepresentable")
        assertContains(inline, "static let x = Self(rawValue: \"x\")")
    }

    func testAnchorsAreResolved() throws {
        let dialect = try generation(of: "schemas31")
        assertContains(try file("Anchored", of: dialect), "public var point: Point?")
        assertContains(try file("Tree", of: dialect), "public var children: [Tree]")
    }

    func testARecursionThatIsReadThroughAPart() throws {
        let text = try model(
            "Part",
            ##"{"A": {"allOf": [{"$ref": "#/components/schemas/Part"}, {"properties": {"x": {"type": "string"}}}]}, "Part": {"type": "object", "properties": {"parts": {"type": "array", "items": {"$ref": "#/components/schemas/Part"}}}}}"##
        )
        assertContains(text, "public var parts: [Part]?")
    }

    func testAPartThatMayBeNullBesideATextOnly() throws {
        let part = ##"{"allOf": [{"$ref": "#/components/schemas/Note"}], "description": "x""##
        let text = try model(
            "A",
            ##"{"A": {"type": "object", "required": ["a", "b", "c", "d"], "properties": {"a": \##(part)}, "b": {"type": "object", "additionalProperties": \##(part)}}, "c": \##(part), "nullable": false}, "d": {"allOf": [{"$ref": "#/components/schemas/Note"}, {"$ref": "#/components/schemas/Text"}]}}}, "Note": {"type": "string", "nullable": true}, "Text": {"type": "string"}}"##
        )
        assertContains(text, "public var a: String?")
        assertContains(text, "public var b: [String: String?]")
        assertContains(text, "public var c: String\n")
        assertContains(text, "public var d: String\n")
    }

    func testSchemasBesideAReference() throws {
        let tree = try file("NumberTree", of: generation(of: "schemas31"))
        assertContains(tree, "public var data: Double?")
        assertContains(tree, "public var children: [Tree]")
    }

    func testPropertiesWithoutNames() throws {
        let dialect = try generation(of: "schemas31")
        let thing = try file("Thing", of: dialect)
        assertContains(thing, "public var labels: [String: String]?")
        assertContains(thing, "public var named: [String: Int]?")
        assertContains(thing, "public var head: [JSONValue]?")
        let notes = dialect.notes.map { "\($0.place) \($0.text)" }
        for name in ["choice", "dependent"] {
            XCTAssertTrue(
                notes.contains(
                    "schemas31.json#/components/schemas/Thing/properties/\(name) has properties that depend on others; they are in additionalProperties."
                ), "\(notes)")
        }
    }

    func testParametersWithContent() throws {
        let contents = try generation(of: "contents")
        let search = try file("GetSearchManager", of: contents)
        assertContains(search, "public var sort: String?")
        XCTAssertFalse(search.contains("\"sort\": .query(.json)"), search)
        assertContains(search, "\"filter\": .query(.json)")
        assertContains(search, "public var xContext: String?")
        XCTAssertTrue(
            contents.notes.contains {
                "\($0.place)".contains("search/get/parameters/2")
                    && $0.text == "is a JSON text; it is a String."
            })
    }

    func testFieldsOfFormsInBrackets() throws {
        let stripe = try generation(of: "stripe")
        assertContains(try file("PostCustomersManager", of: stripe), "\"address\": .field(.deepObject)")
        let test = try file("PostCustomersManagerTests", of: stripe)
        assertContains(test, "\"expand[]\": \"text\"")
    }

    func testLongFieldsStandOnLinesOfTheirOwn() throws {
        let test = try file("UploadManagerTests", of: generation(of: "fastapi"))
        assertContains(test, "\"item\": .equal(try JSONValue(parsing: itemJSON).canonicalText)")
        XCTAssertFalse(test.split(separator: "\n").contains { $0.count > Source.width }, test)
    }

    /// As DigitalOcean writes it.
    func testAReferenceInPlaceOfAllProperties() throws {
        let text = try model(
            "A",
            ##"{"A": {"allOf": [{"$ref": "#/components/schemas/B"}, {"type": "object", "properties": {"$ref": "#/components/schemas/B/properties"}}]}, "B": {"type": "object", "properties": {"b": {"type": "string"}}}}"##
        )
        assertContains(text, "public var b: String?")
    }

    func testMethodsOfOpenAPI32() throws {
        let generation = try Generation(
            Description(
                .init(
                    parsing: #"""
                        {"openapi": "3.2.0", "info": {"title": "Shop", "version": "1"}, "paths": {"/a": {
                        "query": {"responses": {"204": {"description": ""}}},
                        "additionalOperations": {"COPY": {"responses": {"204": {"description": ""}}}}}}}
                        """#), at: URL(fileURLWithPath: "/api/openapi.json")),
            options: GeneratorOptions(module: "ShopAPI"))
        assertContains(try file("QueryAManager", of: generation), "requestType: HTTPMethod = \"QUERY\"")
        assertContains(try file("COPYAManager", of: generation), "requestType: HTTPMethod = \"COPY\"")
    }
}
