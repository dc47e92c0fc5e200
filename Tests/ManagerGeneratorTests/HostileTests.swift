import DiscreteNetworkingJSON
import Foundation
import XCTest

@testable import ManagerGenerator

/// Descriptions that mean harm: to the machine that generates, and to the code that comes of it.
final class HostileTests: XCTestCase {
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

    private func description(_ schema: String, in folder: TemporaryFolder) throws -> String {
        try folder.write(
            ##"{"openapi": "3.1.0", "paths": {}, "components": {"schemas": {"A": \##(schema)}}}"##,
            to: "api/openapi.json")
    }

    private func generation(at path: String) throws -> Generation {
        try Generation(Description(at: path), options: GeneratorOptions(module: "A"))
    }

    // MARK: References

    func testReferencesReachNoOtherFolder() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(
            #"{"type": "object", "properties": {"secret": {"type": "string"}}}"#, to: "private.json")
        for reference in [
            "/etc/passwd", "file:///etc/passwd", "../private.json", "../api/../private.json",
            "%2e%2e/private.json", "%2e%2e%2fprivate.json", "..%2Fprivate.json",
            "file://localhost/etc/passwd",
            "x/%2e%2e/%2e%2e/private.json",
        ] {
            let path = try description(##"{"$ref": "\##(reference)"}"##, in: folder)
            let text = failure { _ = try generation(at: path) }
            XCTAssertTrue(text.contains("leads out of the folder"), text)
            XCTAssertFalse(text.contains("secret"), text)
        }
    }

    func testReferencesThroughLinksReachNoOtherFolder() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(#"{"type": "string"}"#, to: "private.json")
        let path = try description(##"{"$ref": "link.json"}"##, in: folder)
        try FileManager.default.createSymbolicLink(
            at: folder.url.appendingPathComponent("api/link.json"),
            withDestinationURL: folder.url.appendingPathComponent("private.json"))
        XCTAssertTrue(failure { _ = try generation(at: path) }.contains("leads out of the folder"))
    }

    func testReferencesWithEscapesAndOtherScripts() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(
            ##"{"a/b": {"~c d%": {"type": "object", "properties": {"x": {"type": "string"}}}}}"##,
            to: "api/类型 1.json")
        for reference in ["类型 1.json", "%E7%B1%BB%E5%9E%8B%201.json", "./x/../类型%201.json"] {
            let path = try description(##"{"$ref": "\##(reference)#/a~1b/~0c%20d%25"}"##, in: folder)
            XCTAssertEqual(try generation(at: path).modelCount, 1, reference)
        }
    }

    /// A pipe in the folder of the description has no end, and a device none either.
    func testReferencesReadRegularFilesOnly() throws {
        let folder = try TemporaryFolder()
        let path = try description(##"{"$ref": "pipe.json"}"##, in: folder)
        XCTAssertEqual(mkfifo(folder.url.appendingPathComponent("api/pipe.json").path, 0o600), 0)
        let text = failure { _ = try generation(at: path) }
        XCTAssertTrue(text.contains("is no regular file"), text)
    }

    func testReferencesReachNoOtherServer() throws {
        for (location, reference) in [
            ("/api/openapi.json", "http://169.254.169.254/latest/meta-data"),
            ("https://api.example.com/openapi.json", "https://other.example.com/types.json"),
            ("https://api.example.com/openapi.json", "http://api.example.com/types.json"),
        ] {
            let loader = DocumentLoader { url in
                guard url.path.hasSuffix("openapi.json") else {
                    XCTFail("\(url) was loaded.")
                    return Data("{}".utf8)
                }
                return Data(
                    ##"{"openapi": "3.1.0", "paths": {}, "components": {"schemas": {"A": {"$ref": "\##(reference)"}}}}"##
                        .utf8)
            }
            let text = failure {
                _ = try Generation(
                    Description(at: location, loader: loader), options: GeneratorOptions(module: "A"))
            }
            XCTAssertTrue(text.contains("leads to another server"), text)
        }
    }

    // MARK: Numbers and sizes

    func testHugeNumbersAreAccepted() throws {
        let limits = [
            "9223372036854775807", "-9223372036854775808", "1e400", "-1e400", "9223372036854775808", "0.1",
            "-1",
        ]
        for (index, limit) in limits.enumerated() {
            for keyword in [
                "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength",
                "multipleOf",
                "default", "example", "minItems",
            ] {
                for type in ["integer", "number", "string"] {
                    let schema =
                        #"{"type": "\#(type)", "\#(keyword)": \#(limit), "enum": [\#(limit), \#(index)]}"#
                    for schema in [schema, #"{"type": "\#(type)", "\#(keyword)": \#(limit)}"#] {
                        _ = try generate(
                            paths:
                                #"{"/a": {"get": {"parameters": [{"in": "query", "name": "n", "schema": \#(schema)}], "responses": {"\#(limit)": {"description": ""}, "2000000": {"description": ""}}}}}"#
                        )
                    }
                }
            }
        }
    }

    func testALongChainOfSchemas() throws {
        var schemas: [String: JSONValue] = [:]
        let count = FullLength.rounds(500, of: 2000)
        for index in 0..<count {
            schemas["S\(index)"] = [
                "type": "object",
                "properties": ["next": ["$ref": .string("#/components/schemas/S\(index + 1)")]],
            ]
        }
        schemas["S\(count)"] = ["type": "object", "properties": ["id": ["type": "integer"]]]
        let document: JSONValue = [
            "openapi": "3.1.0", "paths": [:], "components": ["schemas": .object(schemas)],
        ]
        let folder = try TemporaryFolder()
        let path = try folder.write(document.canonicalText, to: "openapi.json")
        let run = CommandRun([path, "--module", "ChainAPI", "--output", folder.url.path + "/out"])
        XCTAssertEqual(run.status, 0, run.errors.joined())
        XCTAssertTrue(run.out[0].hasPrefix("0 managers and \(count + 1) models"), run.out[0])
    }

    func testANestedIDIsNotThatOfIdentifiable() throws {
        let text = try model(
            "Pet",
            #"{"Pet": {"type": "object", "properties": {"id": {"type": "integer"}, "ID": {"type": "object", "properties": {"a": {"type": "string"}}}}}}"#
        )
        XCTAssertTrue(text.contains("struct ID: Codable, Equatable, Sendable {"), text)
        XCTAssertFalse(text.contains("Identifiable"), text)
    }

    /// The compiler takes minutes and gigabytes for structs that stand deep inside of one another.
    func testDeepStructsAreBoxed() throws {
        var schemas: [String: JSONValue] = [:]
        for index in 0..<12 {
            schemas["S\(index)"] = [
                "type": "object",
                "properties": [
                    "id": ["type": "integer"],
                    "next": index < 11
                        ? ["$ref": .string("#/components/schemas/S\(index + 1)")] : ["type": "string"],
                ],
            ]
        }
        let document: JSONValue = [
            "openapi": "3.1.0", "paths": [:], "components": ["schemas": .object(schemas)],
        ]
        let generation = try Generation(
            Description(document, at: URL(fileURLWithPath: "/openapi.json")),
            options: GeneratorOptions(module: "A"))
        let boxed = (0..<12).filter { index in
            generation.model("S\(index)")?.contains("private var _next: Indirect<") == true
        }
        XCTAssertEqual(boxed, [3])
    }

    /// Each holds all others, once as what has to be there and once as what may be.
    func testSchemasThatMultiply() throws {
        var schemas: [String: JSONValue] = [:]
        let count = FullLength.rounds(16, of: 24)
        for index in 0..<count {
            var properties: [String: JSONValue] = [:]
            for other in 0..<count {
                properties["o\(other)"] = ["$ref": .string("#/components/schemas/S\(other)")]
                if other > index {
                    properties["r\(other)"] = ["$ref": .string("#/components/schemas/S\(other)")]
                }
            }
            let required = properties.keys.filter { $0.hasPrefix("r") }.sorted().map(JSONValue.string)
            schemas["S\(index)"] = [
                "type": "object", "properties": .object(properties), "required": .array(required),
            ]
        }
        let content: JSONValue = ["application/json": ["schema": ["$ref": "#/components/schemas/S0"]]]
        let document: JSONValue = [
            "openapi": "3.1.0", "components": ["schemas": .object(schemas)],
            "paths": ["/a": ["get": ["responses": ["200": ["description": "", "content": content]]]]],
        ]
        let generation = try Generation(
            Description(document, at: URL(fileURLWithPath: "/openapi.json")),
            options: GeneratorOptions(module: "A"))
        XCTAssertEqual(generation.operationCount, 1)
        for file in generation.files { XCTAssertLessThan(file.text.utf8.count, 4 << 20, file.path) }
    }

    func testAServerThatIsNoURL() throws {
        for host in [
            "exa mple.com", "a@b.example.com", "a.example.com/../", "", "a.example.com:x", "\u{202E}",
        ] {
            let document: JSONValue = ["swagger": "2.0", "host": .string(host), "paths": [:]]
            let generation = try Generation(
                Description(document, at: URL(fileURLWithPath: "/swagger.json")),
                options: GeneratorOptions(module: "A"))
            let service = try XCTUnwrap(
                generation.files.first { $0.path.hasSuffix("ServiceDescription.swift") })
            XCTAssertTrue(
                service.text.contains("[URL(string: \"http://localhost\")!]"), "\(host): \(service.text)")
        }
    }

    func testHeadersThatAreNone() throws {
        let generation = try generate(
            paths:
                #"{"/a": {"get": {"parameters": [{"in": "header", "name": "a b", "schema": {}}, {"in": "header", "name": "a:\r\nb", "schema": {}}], "responses": {}}}}"#
        )
        XCTAssertEqual(
            generation.notes.map(\.text).filter { $0.contains("no name of a header") }.count, 2)
    }

    // MARK: What was generated before

    /// A folder below the output folder may be a link to another place: nothing is written or removed there.
    func testLinksBelowTheOutputFolderAreRefused() throws {
        let folder = try TemporaryFolder()
        let path = try description(
            #"{"type": "object", "properties": {"x": {"type": "string"}}}"#, in: folder)
        let manager = FileManager.default
        for linked in ["out/A/Models", "out/A"] {
            let link = folder.url.appendingPathComponent(linked)
            let elsewhere = folder.url.appendingPathComponent("elsewhere")
            try? manager.removeItem(at: folder.url.appendingPathComponent("out"))
            try manager.createDirectory(at: elsewhere, withIntermediateDirectories: true)
            try manager.createDirectory(
                at: link.deletingLastPathComponent(), withIntermediateDirectories: true)
            _ = try folder.write(
                ##"{"format": 1, "files": ["A/Models/Old.swift"], "surface": {}}"##,
                to: "out/A.generated.json")
            _ = try folder.write("// Generated by generate-managers from x.\n", to: "elsewhere/Old.swift")
            _ = try folder.write(
                "// Generated by generate-managers from x.\n", to: "elsewhere/Models/Old.swift")
            try manager.createSymbolicLink(at: link, withDestinationURL: elsewhere)
            let before = folder.files
            let run = CommandRun([path, "--module", "A", "--output", folder.url.path + "/out"])
            XCTAssertEqual(run.status, 2)
            XCTAssertTrue(run.errors.joined().contains("is a link"), run.errors.joined())
            XCTAssertEqual(folder.files, before)
        }
    }

    func testAManifestRemovesNothingElsewhere() throws {
        let folder = try TemporaryFolder()
        let mine = try folder.write("// Generated by generate-managers from x.\n", to: "mine.swift")
        _ = try folder.write(
            ##"{"format": 1, "files": ["../mine.swift"], "surface": {}}"##, to: "out/A.generated.json")
        let path = try description("{}", in: folder)
        let run = CommandRun([path, "--module", "A", "--output", folder.url.path + "/out"])
        XCTAssertTrue(FileManager.default.fileExists(atPath: mine))
        XCTAssertEqual(run.status, 2)
        XCTAssertTrue(
            run.errors.joined().contains("generate-managers did not write"), run.errors.joined())
    }
}
