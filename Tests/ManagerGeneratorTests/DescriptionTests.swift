import DiscreteNetworkingJSON
import Foundation
import XCTest

@testable import ManagerGenerator

/// What is no description, and where it goes wrong.
final class DescriptionTests: XCTestCase {
    private func failure(_ work: () throws -> Void, file: StaticString = #filePath, line: UInt = #line)
        -> String
    {
        do {
            try work()
            XCTFail("It went well.", file: file, line: line)
            return ""
        } catch {
            return "\(error)"
        }
    }

    func testInvalidDescriptionsAreRefused() throws {
        let folder = try TemporaryFolder()
        for (text, expected) in [
            ("", "is not JSON"), ("{\"openapi\": ", "is not JSON"), ("[]", "this is an array"),
            ("{}", "Neither the member openapi"),
            (#"{"openapi": "4.0.0", "paths": {}}"#, "Version 4.0.0 is not known"),
            (#"{"swagger": "1.2", "paths": {}}"#, "Version 1.2 is not known"),
            (#"{"openapi": "3.1.0"}"#, "no member paths"),
        ] {
            let path = try folder.write(text, to: "openapi.json")
            XCTAssertTrue(failure { _ = try Description(at: path) }.contains(expected), expected)
        }
        XCTAssertTrue(
            failure { _ = try Description(at: "/nowhere/openapi.json") }.contains("there is no such file"))
    }

    func testPathsThatAreMoreThanAPath() {
        let cases: [(text: String, path: String, query: String?, problem: String?)] = [
            ("/a", "/a", nil, nil), ("/a?b=1&c", "/a", "b=1&c", nil), ("/a/{id?}", "/a/{id?}", nil, nil),
            ("/a/{id?}?b=1#c", "/a/{id?}", "b=1", nil), ("/a#b?c", "/a", nil, nil), ("/a?", "/a", "", nil),
            ("/a?b={b}", "/a", "b={b}", "placeholder"), ("/a?b=1&b=2", "/a", "b=1&b=2", "twice"),
            ("/a?=1", "/a", "=1", "without a name"),
        ]
        for (text, path, query, problem) in cases {
            let read = PathText(text)
            XCTAssertEqual(read.path, path, text)
            XCTAssertEqual(read.query, query, text)
            XCTAssertEqual(read.problem == nil, problem == nil, text)
            XCTAssertTrue(read.problem?.contains(problem ?? "") ?? true, text)
        }
        XCTAssertEqual(PathText("/a?b=%E8%8C%B6+1&c").pairs.map(\.value), ["茶 1", ""])
    }

    func testReferencesThatLeadNowhere() {
        let text = failure {
            _ = try generate(
                paths: ##"{"/a": {"get": {"responses": {"200": {"$ref": "#/components/responses/No"}}}}}"##)
        }
        XCTAssertEqual(
            text,
            "openapi.json#/paths/~1a/get/responses/200: The reference #/components/responses/No leads nowhere: openapi.json# has no member \"components\"."
        )
    }

    func testCircularReferencesAreRefused() {
        let pure = ##"{"A": {"$ref": "#/components/schemas/B"}, "B": {"$ref": "#/components/schemas/A"}}"##
        XCTAssertTrue(
            failure { _ = try generate(##""components": {"schemas": \##(pure)}"##) }.contains(
                "leads in a circle"))
        let parts =
            ##"{"A": {"allOf": [{"$ref": "#/components/schemas/B"}]}, "B": {"allOf": [{"$ref": "#/components/schemas/A"}, {"type": "object"}]}}"##
        XCTAssertTrue(
            failure { _ = try generate(##""components": {"schemas": \##(parts)}"##) }.contains(
                "allOf leads in a circle"))
    }

    func testReferencesToFilesBesideIt() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(
            ##"{"type": "object", "properties": {"name": {"$ref": "common/types.json#/Name"}}}"##,
            to: "Pet.json")
        _ = try folder.write(##"{"Name": {"type": "string"}}"##, to: "common/types.json")
        let path = try folder.write(
            ##"{"openapi": "3.0.3", "info": {"title": "T", "version": "1"}, "paths": {"/pets": {"get": {"responses": {"200": {"description": "", "content": {"application/json": {"schema": {"$ref": "Pet.json"}}}}}}}}}"##,
            to: "openapi.json")
        let generation = try Generation(Description(at: path), options: GeneratorOptions(module: "PetAPI"))
        let pet = try XCTUnwrap(generation.model("Pet"))
        XCTAssertTrue(pet.contains("public var name: String?"), pet)
    }

    func testAServerMayNotReadFiles() throws {
        let loader = DocumentLoader { _ in
            Data(##"{"openapi": "3.0.3", "paths": {"/a": {"$ref": "file:///etc/hosts"}}}"##.utf8)
        }
        let description = try Description(at: "https://api.example.com/openapi.json", loader: loader)
        XCTAssertTrue(
            failure { _ = try Generation(description, options: GeneratorOptions(module: "A")) }
                .contains("leads from a server to a file"))
    }

    /// Some makers keep each operation in a file.
    func testADescriptionMayHaveThousandsOfFiles() throws {
        let folder = try TemporaryFolder()
        let count = FullLength.rounds(200, of: 600)
        let paths = (0..<count).map { #""/a\#($0)": {"get": {"$ref": "a\#($0).json"}}"# }
        for number in 0..<count {
            _ = try folder.write(
                #"{"operationId": "get\#(number)", "parameters": [{"name": "q", "in": "query", "schema": {"type": "string"}}], "responses": {"204": {"description": ""}}}"#,
                to: "a\(number).json")
        }
        let input = try folder.write(
            #"{"openapi": "3.1.0", "paths": {\#(paths.joined(separator: ", "))}}"#, to: "openapi.json")
        let generation = try Generation(Description(at: input), options: GeneratorOptions(module: "A"))
        XCTAssertEqual(generation.files.filter { $0.text.contains("public var q: String?") }.count, count)
        var loader = DocumentLoader()
        loader.limits.files = count
        XCTAssertTrue(
            failure {
                _ = try Generation(
                    Description(at: input, loader: loader), options: GeneratorOptions(module: "A"))
            }
            .contains("more than \(count) documents"))
    }

    func testPartsWithoutCodeAreListed() throws {
        let generation = try generate(
            #""webhooks": {"ping": {}}"#,
            paths: #"""
                {"/a": {"get": {"servers": [{"url": "ftp://b.example.com"}], "callbacks": {"done": {}},
                "responses": {"200": {"description": "", "content": {"application/xml": {}}}}}}}
                """#)
        XCTAssertEqual(
            generation.notes.map { "\($0.place) \($0.text)" }.sorted(),
            [
                "openapi.json#/paths/~1a/get/callbacks are calls that the backend makes; a client has no manager for them.",
                "openapi.json#/paths/~1a/get/responses/200/content/application~1xml is XML, which no model reads; it is Data.",
                "openapi.json#/paths/~1a/get/servers/0 is no URL that a request could go to; it is left out.",
                "openapi.json#/webhooks are calls that the backend makes; a client has no manager for them.",
            ])
    }
}
