import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingTraffic

/// Secrets of bodies in UTF-16 and UTF-32, which the framework reads as JSON (RFC 4627 section 3).
@MainActor
final class RedactedEncodingsTests: XCTestCase {
    private nonisolated static let json = #"{"token":"s3cr3t-t0ken","a":1}"#

    private struct Shown {
        let output: JSONValue?
        let log: String
        let snippet: String?
        let content: JSONValue

        /// The body in the archive, in each encoding that it may have.
        var archived: [String] {
            let text = content["text"]?.string ?? ""
            let data = content["encoding"] == "base64" ? Data(base64Encoded: text) ?? Data() : Data(text.utf8)
            return [text, String(decoding: data.filter { $0 != 0 }, as: UTF8.self)]
        }
    }

    private func shown(_ body: Data, _ type: String?, status: Int = 200, limit: Int = 1 << 20) async -> Shown
    {
        let lines = Locked<[String]>([])
        let recorder = TrafficRecorder(limits: .init(body: limit))
        let transport = ClosureTransport { request in
            TransportResponse(
                url: request.url, status: status, headers: type.map { ["Content-Type": $0] } ?? [:],
                body: .data(body))
        }
        let manager = Stack(transport).manager(TestManager<JSONValue>())
        manager.proxy.addObserver(APILogger(.full) { line in lines.withLock { $0.append(line) } })
        manager.proxy.addObserver(recorder)
        var (output, failure): (JSONValue?, APIError?)
        do { output = try await manager.load() } catch { failure = error }
        return Shown(
            output: output, log: lines.current.joined(separator: "\n"), snippet: failure?.snippet,
            content: recorder.archive()["log"]?["entries"]?[0]?["response"]?["content"] ?? .null)
    }

    private func data(_ text: String, _ encoding: String.Encoding) throws -> Data {
        try XCTUnwrap(text.data(using: encoding))
    }

    func testJSONInOtherEncodingsIsRedacted() async throws {
        let redacted = #"{"token":"<redacted>","a":1}"#
        for encoding in [
            String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian, .utf16,
        ] {
            let body = try data(Self.json, encoding)
            for type in ["application/json", "application/octet-stream", nil] {
                let shown = await shown(body, type)
                XCTAssertEqual(shown.output?["token"], "s3cr3t-t0ken", "\(encoding)")
                XCTAssertTrue(shown.log.contains(redacted), shown.log)
                XCTAssertEqual(shown.content["text"]?.string, redacted)
                XCTAssertEqual(shown.content["size"]?.int, body.count)
                let failed = await self.shown(body, type, status: 500)
                XCTAssertEqual(failed.snippet, redacted)
            }
        }
    }

    /// The beginning of a large body may end within a character.
    func testTheBeginningOfALargeBodyIsRedacted() async throws {
        let json = #"{"token":"s3cr3t-t0ken","a":""# + String(repeating: "茶😀", count: 20_000) + #""}"#
        for encoding in [String.Encoding.utf16LittleEndian, .utf32BigEndian] {
            for limit in 30_000..<30_004 {
                let shown = await shown(try data(json, encoding), "application/json", limit: limit)
                XCTAssertTrue(shown.log.contains(#"{"token":"<redacted>","a":"茶😀"#))
                for text in shown.archived {
                    XCTAssertTrue(text.hasPrefix(#"{"token":"<redacted>","a":"茶😀"#), "\(text.prefix(99))")
                }
            }
        }
    }

    /// A text with neither a byte order mark nor an ASCII character at its beginning.
    func testATextInAnUnknownEncodingIsHidden() async throws {
        let body = try data("密码: s3cr3t-t0ken", .utf16LittleEndian)
        let unknown = await shown(body, "text/plain")
        XCTAssertTrue(unknown.log.contains("bytes [Content-Type: text/plain] <redacted>"), unknown.log)
        XCTAssertEqual(unknown.content["text"], "<redacted>")
        let known = await shown(body, "text/plain; charset=UTF-16LE")
        XCTAssertTrue(known.log.contains("密码: <redacted>"), known.log)
        XCTAssertEqual(known.archived[0], "密码: <redacted>")
    }

    func testBinaryBodiesAreArchivedAsTheyAre() async throws {
        for bytes: [UInt8] in [[0, 0, 1, 0, 2], [0x0A, 0, 0x12, 5], [0x89, 0x50, 0, 0xFF]] {
            for type in ["image/x-icon", "application/protobuf", nil] {
                let content = await shown(Data(bytes), type).content
                XCTAssertEqual(content["text"]?.string, Data(bytes).base64EncodedString(), "\(bytes)")
            }
        }
    }

    func testACommandHidesATextInUTF16() throws {
        var request = APIRequest(
            url: try XCTUnwrap(URL(string: "https://h/a")), method: .post,
            headers: ["Content-Type": "application/json"],
            body: .data(try data(Self.json, .utf16LittleEndian)))
        XCTAssertTrue(request.curlCommand().contains("--data-binary '<redacted>'"), request.curlCommand())
        XCTAssertTrue(request.curlCommand(redaction: .none).contains(#"\163\000\063\000"#))
        request.headers["Content-Type"] = "application/octet-stream"
        request.body = .data(Data([0, 1]))
        XCTAssertTrue(request.curlCommand().contains(#"printf '\000\001'"#), request.curlCommand())
    }

    /// What is sent in a text of another name is a secret as well where the server repeats it.
    func testSecretsInQuotedTextsAndPartsAreHiddenWhereTheyAreRepeated() throws {
        let quoted = #"{"password":"s3cr3t-t0ken"}"#
        let url = try XCTUnwrap(URL(string: "https://shop.example.com/a"))
        var plain = APIRequest(url: url, method: .post)
        var form = plain
        try MultipartParamEncoding([.text("s3cr3t-t0ken", named: "token")]).encode(
            ["token": "other-s3cr3t-t0ken"], into: &form)
        var query = plain
        try QueryParamEncoding().encode(["q": quoted], into: &query)
        plain.headers["X-Data"] = quoted
        let cases: [(Params, APIRequest)] = [
            (Params(), form), (Params(), query), (Params(), plain),
            (["inner": quoted], APIRequest(url: url)),
        ]
        for (params, request) in cases {
            let text = Redaction.standard.hiding(CallSecrets(params, request)).redacted(
                text: "x s3cr3t-t0ken")
            XCTAssertFalse(text.contains("s3cr3t"), "\(request) \(params)")
        }
    }

    /// A body that the service wrote itself in UTF-16.
    func testABodyInUTF16StaysWithItsOrigin() throws {
        let request = APIRequest(
            url: try XCTUnwrap(URL(string: "https://shop.example.com/a")), method: .post,
            headers: ["Content-Type": "application/json"],
            body: .data(try data(Self.json, .utf16LittleEndian)))
        let response = TransportResponse(
            url: request.url, status: 307, headers: ["Location": "https://other.example.org/"])
        XCTAssertThrowsError(
            try RedirectFollower(transport: ClosureTransport(json: ""), redaction: .standard)
                .next(after: response, to: request))
        XCTAssertFalse(
            Redaction.standard.hiding(CallSecrets([:], request)).redacted(text: "x s3cr3t-t0ken").contains(
                "s3"))
    }
}
