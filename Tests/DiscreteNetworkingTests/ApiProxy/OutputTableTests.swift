import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingTransfers

/// Every output that the article "Managers and params" names, and its optional, of every kind of body, over real sockets.
@MainActor
final class OutputTableTests: XCTestCase {
    /// Lines of text, which may be empty.
    private struct Lines: PayloadDecodable, Decodable {
        var lines: [String]
        static func decode(_ payload: Data, of response: APIResponse) throws -> Lines {
            guard let text = String(bytes: payload, encoding: .utf8) else {
                throw CocoaError(.coderInvalidValue)
            }
            return Lines(lines: text.split(separator: "\n").map(String.init))
        }
    }

    private typealias Response = (name: String, LoopbackResponse, method: HTTPMethod)

    private static func response(
        _ name: String, _ body: String, _ type: String?, status: Int = 200, _ method: HTTPMethod = .get
    ) -> Response {
        var response = LoopbackResponse.data(Data(body.utf8), type: "x/x", status: status)
        response.headers.removeAll { $0.name == "Content-Type" }
        return (name, type.map { response.adding("Content-Type", $0) } ?? response, method)
    }

    private static let responses: [Response] = [
        response("object", teapot, "application/json"),
        response("string", #" "a\n\u00e9" "#, "application/json; charset=utf-8"),
        response("null", " null\n", "application/vnd.shop+json"),
        response("broken", #""a"#, "application/json"),
        response("text", "a\nb", "text/plain"),
        response("quoted", #""a""#, "text/plain"),
        response("none", "null", nil),
        ("bytes", .data(Data([0xFF, 0x00]), type: "application/octet-stream"), .get),
        response("empty", "", "application/json"),
        ("204", .status(204), .get), ("205", .status(205), .get), ("304", .status(304), .get),
        response("HEAD", teapot, "application/json", .head),
    ]

    private static let empties = ["empty", "204", "205", "304", "HEAD"]

    /// Makes every response an output.
    /// - Returns: The outputs and the kinds of the errors, by the names of the responses.
    private func outcomes<Output>(of type: Output.Type) async throws -> [String: String]
    where Output: Decodable & Sendable {
        var found: [String: String] = [:]
        for (name, response, method) in Self.responses {
            let server = try serve { _ in response }
            let manager = Stack(StandardTransport.make()) { $0.baseURL = server.baseURL }
                .manager(TestManager<Output>())
            manager.requestType = method
            do throws(APIError) {
                let output = try await manager.load()
                found[name] = Self.text(of: output)
                XCTAssertEqual(manager.output.map(Self.text), Self.text(of: output), name)
                XCTAssertTrue(manager.response?.output is Output, "\(Output.self) of \(name)")
            } catch {
                switch error.kind {
                case .decoding(let why):
                    found[name] = why.reason.contains("is empty") ? "is empty" : "decoding"
                case .http(let status): found[name] = "status \(status)"
                default: found[name] = "\(error)"
                }
            }
        }
        return found
    }

    private static func text(of output: Any) -> String {
        switch output {
        case let data as Data: data.map { String(format: "%02x", $0) }.joined()
        case let text as String: text
        case let json as JSONValue: json.canonicalText
        case let lines as Lines: "\(lines.lines)"
        case let product as Product: "product \(product.id)"
        case is NoContent: "no content"
        case Optional<Any>.none: "nil"
        default: "\(output)"
        }
    }

    private func check<Output>(
        _ type: Output.Type, _ expected: [String: String], empty: String, line: UInt = #line
    ) async throws where Output: Decodable & Sendable {
        var all = expected
        for name in Self.empties where all[name] == nil { all[name] = empty }
        let found = try await outcomes(of: type)
        XCTAssertEqual(all.count, Self.responses.count, line: line)
        for (name, _, _) in Self.responses {
            XCTAssertEqual(found[name], all[name], "\(type) of \(name)", line: line)
        }
    }

    private static let hexOfTeapot = text(of: Data(teapot.utf8))

    func testDecodableOutputOfEachResponse() async throws {
        var expected = [
            "object": "product 7", "string": "decoding", "null": "decoding", "broken": "decoding",
            "text": "decoding", "quoted": "decoding", "none": "decoding", "bytes": "decoding",
            "304": "status 304",
        ]
        try await check(Product.self, expected, empty: "is empty")
        for name in ["null", "none", "304"] { expected[name] = "nil" }
        try await check(Product?.self, expected, empty: "nil")
    }

    func testUntypedOutputOfEachResponse() async throws {
        var expected = [
            "object": teapot, "string": #""a\né""#, "null": "null", "broken": "decoding", "text": "decoding",
            "quoted": #""a""#, "none": "null", "bytes": "decoding",
        ]
        try await check(JSONValue.self, expected, empty: "null")
        for name in ["null", "none"] { expected[name] = "nil" }
        try await check(JSONValue?.self, expected, empty: "nil")
    }

    func testDataOutputOfEachResponse() async throws {
        var expected = [
            "object": Self.hexOfTeapot, "string": "2022615c6e5c75303065392220", "null": "206e756c6c0a",
            "broken": "2261", "text": "610a62", "quoted": "226122", "none": "6e756c6c", "bytes": "ff00",
        ]
        try await check(Data.self, expected, empty: "")
        expected["null"] = "nil"
        try await check(Data?.self, expected, empty: "nil")
    }

    func testStringOutputOfEachResponse() async throws {
        var expected = [
            "object": teapot, "string": "a\né", "null": "", "broken": #""a"#, "text": "a\nb",
            "quoted": #""a""#, "none": "null", "bytes": "decoding",
        ]
        try await check(String.self, expected, empty: "")
        expected["null"] = "nil"
        try await check(String?.self, expected, empty: "nil")
    }

    func testNoContentOutputOfEachResponse() async throws {
        var expected = Dictionary(uniqueKeysWithValues: Self.responses.map { ($0.name, "no content") })
        try await check(NoContent.self, expected, empty: "no content")
        for name in Self.empties + ["null"] { expected[name] = "nil" }
        try await check(NoContent?.self, expected, empty: "nil")
    }

    func testAFormatOfOnesOwn() async throws {
        var expected = [
            "object": "[\(String(reflecting: teapot))]", "string": #"[" \"a\\n\\u00e9\" "]"#,
            "null": #"[" null"]"#, "broken": #"["\"a"]"#, "text": #"["a", "b"]"#,
            "quoted": #"["\"a\""]"#, "none": #"["null"]"#, "bytes": "decoding", "304": "status 304",
        ]
        try await check(Lines.self, expected, empty: "[]")
        for name in ["null", "304"] { expected[name] = "nil" }
        try await check(Lines?.self, expected, empty: "nil")
    }

    // MARK: In an envelope

    func testPayloadsInAnEnvelope() async throws {
        func load<Output: Decodable & Sendable>(_ type: Output.Type, _ body: String) async throws -> String {
            let server = try serve { _ in .json(body) }
            let manager = Stack(StandardTransport.make()) {
                $0.baseURL = server.baseURL
                $0.envelope = Envelope(code: "code", payload: "content")
            }
            .manager(TestManager<Output>())
            do throws(APIError) {
                return Self.text(of: try await manager.load())
            } catch {
                guard case .decoding(let why) = error.kind else { return "\(error)" }
                return why.reason.contains("is missing") ? "is missing" : "decoding"
            }
        }
        for (content, data, string, lines, json) in [
            (
                #","content":"a\nb""#, Self.text(of: Data(#""a\nb""#.utf8)), "a\nb", #"["\"a\\nb\""]"#,
                #""a\nb""#
            ),
            (#","content":null"#, "nil", "nil", "nil", "nil"),
            ("", "nil", "nil", "nil", "nil"),
            (#","content":[1.10]"#, "5b312e31305d", "[1.10]", #"["[1.10]"]"#, "[1.10]"),
        ] {
            let body = "{\"code\":0\(content)}"
            let found = [
                try await load(Data?.self, body), try await load(String?.self, body),
                try await load(Lines?.self, body), try await load(JSONValue?.self, body),
            ]
            XCTAssertEqual(found, [data, string, lines, json], body)
        }
        let missing = [
            try await load(Data.self, #"{"code":0}"#), try await load(String.self, #"{"code":0}"#),
            try await load(Lines.self, #"{"code":0}"#), try await load(JSONValue.self, #"{"code":0}"#),
        ]
        XCTAssertEqual(missing, Array(repeating: "is missing", count: 4))
        let empty = try await load(String.self, #"{"code":0,"content":null}"#)
        XCTAssertEqual(empty, "")
    }

    // MARK: Files

    /// A file has no optional, and the call says so before it is sent.
    func testAFileHasNoOptional() async throws {
        let server = try serve { _ in .text("never") }
        let stack = Stack(StandardTransport.make()) { $0.baseURL = server.baseURL }
        let errors = [
            await failure(stack.manager(TestManager<DownloadedFile?>())),
            await failure(stack.manager(TestManager<ByteStream?>())),
        ]
        for (error, name) in zip(errors, ["DownloadedFile", "ByteStream"]) {
            guard case .invalidRequest(let reason)? = error?.kind else {
                XCTFail("\(String(describing: error))")
                continue
            }
            XCTAssertTrue(reason.contains("make the output \(name)."), reason)
        }
        XCTAssertEqual(server.requests.count, 0)
    }
}
