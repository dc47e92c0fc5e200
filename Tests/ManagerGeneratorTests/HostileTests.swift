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
        for reference in ["/etc/passwd", "file:///etc/passwd", "../private.json", "../api/../private.json"] {
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

    // MARK: Text

    private static let texts = [
        "*/ fatalError() /*", "\"\\(fatalError())\"", "\"\"\"#\\#(fatalError())",
        "a\u{202E}b\u{2066}c\u{200B}d",
        "line\nfatalError()\r\u{2028}fatalError()\u{85}fatalError()", "nul\u{0}nul\u{7F}", "../../../etc/x",
        "/etc/x",
        "C:\\x", "..", ".", "~", "`init`", "#if true", "none", "some", "self", "Swift.Int",
        String(repeating: "long", count: 200), String(repeating: "很长", count: 200),
    ]

    /// A description that says each text wherever there is room for one.
    private func document(saying texts: [String]) -> JSONValue {
        var schemas: [String: JSONValue] = [:]
        var paths: [String: JSONValue] = [:]
        for (index, text) in texts.enumerated() {
            let said = JSONValue.string(text)
            let field: JSONValue = [
                "type": "string", "description": said, "title": said, "example": said, "default": said,
                "enum": [said, .string(text + "2")],
            ]
            schemas[text] = [
                "type": "object", "description": said, "required": [said],
                "properties": [
                    text: field, text + "2": ["type": "string", "example": said, "format": said],
                ],
            ]
            paths[
                "/\(index)/" + text.filter { !"{}?#".contains($0) }
                    + "/{\(text.filter { !"{}/".contains($0) })}"] = [
                    "post": [
                        "operationId": said, "tags": [said], "summary": said, "description": said,
                        "parameters": [
                            ["name": said, "in": "query", "description": said, "schema": field],
                            ["name": said, "in": "cookie", "description": said, "schema": field],
                            [
                                "name": said, "in": "header", "description": said,
                                "schema": ["type": "string"],
                            ],
                        ],
                        "requestBody": [
                            "description": said,
                            "content": [
                                "application/json": [
                                    "schema": ["type": "object", "properties": [text: field]],
                                    "example": [text: .string(text + text)],
                                ]
                            ],
                        ],
                        "responses": [
                            "200": ["description": said, "content": ["application/json": ["schema": field]]],
                            text: ["description": said, "content": ["application/json": ["schema": field]]],
                        ],
                    ],
                    "put": [
                        "operationId": .string("put" + text),
                        "requestBody": [
                            "content": [
                                .init("multipart/form-data"): [
                                    "schema": [
                                        "type": "object",
                                        "properties": [
                                            text: ["type": "string", "format": "binary", "description": said]
                                        ],
                                    ]
                                ]
                            ]
                        ],
                        "responses": [:],
                    ],
                ]
        }
        let all = JSONValue.string(texts.joined(separator: " "))
        return [
            "openapi": "3.1.0", "info": ["title": all, "version": all],
            "servers": [["url": "https://a.example.com", "description": all], ["url": all]],
            "paths": .object(paths),
            "components": [
                "schemas": .object(schemas),
                "securitySchemes": .object(
                    Dictionary(
                        uniqueKeysWithValues: texts.map {
                            (
                                $0,
                                [
                                    "type": "apiKey", "in": "header", "name": .string($0),
                                    "description": .string($0),
                                ]
                            )
                        })),
            ],
        ]
    }

    private func hostile() throws -> Generation {
        try Generation(
            Description(document(saying: Self.texts), at: URL(fileURLWithPath: "/api/a\u{202E}b.json")),
            options: GeneratorOptions(module: "HostileAPI"))
    }

    func testPathsStayInTheFolder() throws {
        for path in try hostile().files.map(\.path) {
            let parts = path.split(separator: "/", omittingEmptySubsequences: false)
            XCTAssertTrue(parts.first?.hasPrefix("HostileAPI") == true, path)
            for part in parts {
                XCTAssertFalse(["", ".", ".."].contains(part), path)
                // NAME_MAX of the usual file systems.
                XCTAssertLessThanOrEqual(part.utf8.count, 255, path)
            }
        }
    }

    /// Trojan source: what a reviewer sees is what the compiler reads.
    func testCodeHoldsNothingInvisible() throws {
        for file in try hostile().files where file.path.hasSuffix(".swift") {
            let invisible = file.text.unicodeScalars.filter {
                $0.properties.isBidiControl || ($0.value < 0x20 && $0 != "\n") || $0.value == 0x7F
                    || $0 == "\u{200B}"
                    || $0 == "\u{85}" || $0 == "\u{2028}"
            }
            XCTAssertTrue(invisible.isEmpty, "\(file.path): \(invisible.map { String($0.value, radix: 16) })")
        }
    }

    #if os(Linux)
        func testCodeSaysOnlyWhatIsMeant() throws {
            let generation = try hostile()
            XCTAssertEqual(
                try TypeCheck().complaints(about: generation, module: "HostileAPI").prefix(4000), "")
            for file in generation.files where file.path.hasSuffix(".swift") {
                for line in file.text.split(separator: "\n") where line.contains("fatalError()") {
                    let isQuoted = line.contains("\"") || line.drop { $0 == " " }.hasPrefix("/")
                    XCTAssertTrue(
                        isQuoted || file.path.hasPrefix("HostileAPITests/"), "\(file.path): \(line)")
                }
            }
        }

        /// Names that managers, their arguments and their tests have already.
        func testNamesOfTheFrameworkDoNotClash() throws {
            let names = [
                "error", "headers", "encoding", "output", "response", "params", "delegate", "proxy", "tags",
                "File",
                "file", "answer", "stubs", "manager", "none", "some", "load", "reset", "methodName",
                "isLoading",
            ]
            let parts = names.map { "\"\($0)\": {\"type\": \"string\", \"format\": \"binary\"}" }
            let fields = names.map {
                "\"\($0)\": {\"type\": \"object\", \"required\": [\"value\"], \"properties\": {\"value\": {\"type\": \"string\", \"example\": \"\(String(repeating: "long", count: 20))\"}}}"
            }
            let parameters = names.map {
                "{\"in\": \"query\", \"name\": \"\($0)\", \"schema\": {\"enum\": [\"none\", \"some\", \"\($0)\"]}}"
            }
            let generation = try generate(
                paths: """
                    {"/a": {"post": {"requestBody": {"content": {"multipart/form-data": {"schema": {"type": "object",
                    "properties": {\(parts.joined(separator: ", "))}}}}}, "responses": {"200": {"description": "",
                    "content": {"application/json": {"schema": {"type": "object",
                    "properties": {\(fields.joined(separator: ", "))}}}}}}}},
                    "/b": {"post": {"requestBody": {"content": {"application/x-www-form-urlencoded": {"schema":
                    {"type": "object", "properties": {\(fields.joined(separator: ", "))}}}}}, "responses": {}}},
                    "/c": {"get": {"parameters": [\(parameters.joined(separator: ", "))], "responses": {}}}}
                    """)
            XCTAssertEqual(try TypeCheck().complaints(about: generation, module: "ShopAPI").prefix(4000), "")
        }
    #endif

    // MARK: Numbers and sizes

    func testHugeNumbers() throws {
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
        for index in 0..<2_000 {
            schemas["S\(index)"] = [
                "type": "object",
                "properties": ["next": ["$ref": .string("#/components/schemas/S\(index + 1)")]],
            ]
        }
        schemas["S2000"] = ["type": "object", "properties": ["id": ["type": "integer"]]]
        let document: JSONValue = [
            "openapi": "3.1.0", "paths": [:], "components": ["schemas": .object(schemas)],
        ]
        let folder = try TemporaryFolder()
        let path = try folder.write(document.canonicalText, to: "openapi.json")
        let run = CommandRun([path, "--module", "ChainAPI", "--output", folder.url.path + "/out"])
        XCTAssertEqual(run.status, 0, run.errors.joined())
        XCTAssertTrue(run.out[0].hasPrefix("0 managers and 2001 models"), run.out[0])
    }

    /// Each holds all others, once as what has to be there and once as what may be.
    func testSchemasThatMultiply() throws {
        var schemas: [String: JSONValue] = [:]
        for index in 0..<24 {
            var properties: [String: JSONValue] = [:]
            for other in 0..<24 {
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
            run.errors.joined().contains("is not what generate-managers wrote"), run.errors.joined())
    }
}
