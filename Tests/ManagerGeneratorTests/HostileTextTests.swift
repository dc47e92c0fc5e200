import DiscreteNetworkingJSON
import Foundation
import XCTest

@testable import ManagerGenerator

/// Texts and names that mean harm to the code that comes of them, or to those who read it.
final class HostileTextTests: XCTestCase {
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

    /// The characters that hide, reorder or break text, or drive a terminal. Joiners inside of words and emoji are not
    /// among them.
    private func invisible(_ text: String) -> [String] {
        text.unicodeScalars.filter {
            $0.properties.isBidiControl || ($0.value < 0x20 && $0 != "\n") || 0x7F...0x9F ~= $0.value
                || ["\u{AD}", "\u{200B}", "\u{2028}", "\u{2029}", "\u{2060}", "\u{FEFF}", "\u{FFF9}"]
                    .contains($0)
        }
        .map { String($0.value, radix: 16) }
    }

    /// Trojan source: what a reviewer sees is what the compiler reads, in manifests and contracts, too.
    func testFilesHoldNothingInvisible() throws {
        let generation = try hostile()
        for file in generation.files {
            XCTAssertEqual(invisible(file.text), [], file.path)
            XCTAssertEqual(invisible(file.path), [])
        }
        XCTAssertEqual(invisible(generation.manifest.text), [])
    }

    /// A tag or a name of a file has no joiners either: two folders would look the same.
    func testFoldersHoldNothingInvisible() throws {
        let generation = try generate(
            paths: #"""
                {"/a": {"get": {"tags": ["a\u200Db"], "responses": {}}}, "/b": {"get": {"tags": ["ab\uFE0F"], "responses": {}}},
                "/c": {"get": {"tags": ["a\u034Fb"], "responses": {}}}}
                """#)
        for path in generation.files.map(\.path) {
            XCTAssertFalse(
                path.unicodeScalars.contains { $0.properties.isDefaultIgnorableCodePoint },
                path.debugDescription)
        }
    }

    func testTheTerminalIsToldNothingInvisible() throws {
        let hidden = #"\u001b]0;x\u0007\u001b[2J\u202e\u2028\u2029\u0085\u200b\ufeff\r\n"#
        let folder = try TemporaryFolder()
        for (text, status) in [
            (#"{"openapi": "\#(hidden)", "paths": {}}"#, Int32(2)),
            (##"{"openapi": "3.1.0", "paths": {"/\##(hidden)": {"$ref": "#/\##(hidden)"}}}"##, 2),
            (##"{"openapi": "3.1.0", "paths": {"/\##(hidden)": 7}}"##, 2),
            (
                ##"{"openapi": "3.1.0", "paths": {"/\##(hidden)": {"get": {"callbacks": {}, "responses": {}}}}}"##,
                0
            ),
            (#"{"openapi": "3.1.0", "paths": {"/\#(hidden)": {"get": {"responses": {}}}}}"#, 0),
        ] {
            let path = try folder.write(text, to: "openapi.json")
            for check in [[], ["--check"]] {
                let run = CommandRun([path, "--module", "A", "--output", folder.url.path + "/out"] + check)
                XCTAssertEqual(run.status, status, run.errors.joined())
                for line in run.out + run.errors {
                    XCTAssertEqual(invisible(line.replacingOccurrences(of: "\n", with: "\u{7}")), [], line)
                }
            }
        }
        let yaml = try folder.write("openapi: [\u{9B}31m\u{202E}\n", to: "openapi.yaml")
        let run = CommandRun([yaml, "--module", "A"])
        XCTAssertEqual(run.status, 2)
        XCTAssertEqual(invisible(run.errors.joined()), [])
    }

    func testALongReferenceIsCutInErrors() throws {
        let long = String(repeating: "x", count: 1 << 20)
        XCTAssertThrowsError(try generate(paths: ##"{"/a": {"$ref": "#/\##(long)"}}"##)) {
            XCTAssertLessThan("\($0)".utf8.count, 8_192)
        }
    }

    #if os(Linux)
        func testCodeSaysOnlyWhatIsMeant() throws {
            let generation = try hostile()
            if FullLength.isOn {
                XCTAssertEqual(
                    try TypeCheck().complaints(about: generation, module: "HostileAPI").prefix(4000), "")
            }
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
            try FullLength.require()
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
}
