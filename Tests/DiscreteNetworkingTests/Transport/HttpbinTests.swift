import Foundation
import XCTest

@testable import DiscreteNetworking

/// Round trips through managers to a server we did not write.
@MainActor
final class HttpbinTests: XCTestCase {
    private var httpbin: Httpbin?
    private var stack = Stack(URLSessionTransport())

    override func setUp() async throws {
        let httpbin = try Httpbin()
        self.httpbin = httpbin
        stack.service.rules.withLock { rules in
            rules.baseURL = httpbin.baseURL
            rules.timeout = 60
        }
    }

    override func tearDown() async throws { httpbin?.stop() }

    final class EncodedManager<Output: Decodable & Sendable>: APIManager<Output> {
        let serviceIdentifier = ServiceIdentifier.test
        var methodName = "anything"
        var requestType = HTTPMethod.get
        var own: (any ParamEncoding)?
        override var encoding: (any ParamEncoding)? { own }
    }

    private func manager<Output>(_ type: Output.Type, _ method: HTTPMethod, _ path: String) -> EncodedManager<
        Output
    > {
        let manager = stack.manager(EncodedManager<Output>())
        manager.requestType = method
        manager.methodName = path
        return manager
    }

    private static let nasty: Params = [
        "plus": "a+b", "amp&key": "x&y=z", "hash#": "#1;2", "percent%": "100%25", "空格 key": "青花瓷 茶壶 🍵",
        "empty": "",
        "quote\"": "'\"\\/", "line": "a\r\nb\tc", "eq=": "==",
    ]

    func testEveryMethodAndEncodingArrivesExactly() async throws {
        let nasty = Self.nasty
        let expected = nasty.jsonValue
        for method in ["GET", "DELETE", "POST", "PUT", "PATCH"] as [HTTPMethod] {
            let query = manager(JSONValue.self, method, "anything/a")
            query.own = .query
            let echo = try await query.load(with: nasty)
            XCTAssertEqual(echo["args"], expected, "\(method)")
            XCTAssertEqual(echo["method"]?.string, method.rawValue)
        }
        for method in ["POST", "PUT", "PATCH", "DELETE"] as [HTTPMethod] {
            for encoder in [QueryEncoder(spaces: .plus), QueryEncoder(spaces: .percent)] {
                let form = manager(JSONValue.self, method, "anything")
                form.own = .form(encoder)
                let echo = try await form.load(with: nasty)
                XCTAssertEqual(echo["form"], expected, "\(method)")
            }
            let json = manager(JSONValue.self, method, "anything")
            json.own = .json
            let echo = try await json.load(with: nasty)
            XCTAssertEqual(echo["json"], expected, "\(method)")
            let raw = manager(JSONValue.self, method, "anything")
            raw.own = .raw(Data("<茶/>".utf8), contentType: "application/xml")
            let rawEcho = try await raw.load(with: ["a": 1])
            XCTAssertEqual(rawEcho["data"]?.string, "<茶/>")
            XCTAssertEqual(rawEcho["args"], ["a": "1"])
            XCTAssertEqual(rawEcho["headers"]?["Content-Type"]?.string, "application/xml")
        }
    }

    func testArrayStylesArrive() async throws {
        for (style, expected) in [
            (.brackets, ["a[]": ["1", "b c"]]), (.repeated, ["a": ["1", "b c"]]),
            (.commaSeparated, ["a": "1,b c"]),
            (.indexed, ["a[0]": "1", "a[1]": "b c"]),
        ] as [(QueryEncoder.Arrays, JSONValue)] {
            let manager = manager(JSONValue.self, .get, "anything")
            manager.own = .query(QueryEncoder(arrays: style))
            let echo = try await manager.load(with: ["a": JSONValue.array(of: [1, "b c"])])
            XCTAssertEqual(echo["args"], expected)
        }
    }

    func testRandomParamsArriveExactly() async throws {
        let pieces = [
            "+", "&", "=", "#", "%", ";", "%41", " ", "a", "Z", "9", "青", "🍵", "é", "\u{0}", "\n", "\"", "'",
            "<", "[", "]",
            "/", "?", ":", "@", ",", "~", "{", "}", "\u{7F}", "\u{2028}", "|", "\\", "^", "`",
        ]
        var random = JSONRandom(seed: 20_261_121)
        for round in 0..<100 {
            var params = Params()
            for number in 0..<random.below(5) + 1 {
                let name = "\(number)" + (0..<random.below(6)).map { _ in random.pick(pieces) }.joined()
                params[name] = .string((0..<random.below(9)).map { _ in random.pick(pieces) }.joined())
            }
            let manager = manager(JSONValue.self, round % 2 == 0 ? .get : .post, "anything")
            manager.own = round % 2 == 0 ? .query : .form
            let echo = try await manager.load(with: params)
            XCTAssertEqual(echo[round % 2 == 0 ? "args" : "form"], params.jsonValue, "round \(round)")
        }
    }

    func testAPathValueArrivesInItsSegment() async throws {
        let manager = manager(JSONValue.self, .get, "anything/{name}/end")
        let echo = try await manager.load(with: ["name": "青 花&=#?;%+🍵", "q": 1])
        XCTAssertEqual(echo["args"], ["q": "1"])
        let url = try XCTUnwrap(echo["url"]?.string)
        XCTAssertTrue(url.contains("/end?q=1"), url)
        XCTAssertEqual(manager.response?.url.pathComponents.last, "end")
    }

    func testStatusCodes() async throws {
        for status in [
            200, 201, 202, 203, 206, 226, 400, 401, 402, 403, 404, 405, 406, 409, 410, 418, 422, 429, 451,
            500, 502, 503, 504, 599,
        ] {
            let kind = await failure(manager(NoContent.self, .get, "status/\(status)"))?.kind
            XCTAssertEqual(kind, status < 300 ? nil : .http(status: status))
        }
        for (method, path) in [
            (.get, "status/204"), (.head, "anything"), (.get, "status/304"), (.delete, "status/205"),
        ]
            as [(HTTPMethod, String)]
        {
            _ = try await manager(NoContent.self, method, path).load()
            let data = try await manager(Data.self, method, path).load()
            XCTAssertEqual(data, Data())
        }
    }

    func testRedirects() async throws {
        let absolute = try await manager(JSONValue.self, .get, "absolute-redirect/3").load()
        XCTAssertNotNil(absolute["url"])
        let relative = try await manager(JSONValue.self, .get, "relative-redirect/3").load()
        XCTAssertNotNil(relative["url"])
        let moved = manager(JSONValue.self, .post, "redirect-to?url=x")
        moved.methodName = "redirect-to"
        moved.own = .query
        let posted = try await moved.load(with: ["url": "/anything", "status_code": 307])
        XCTAssertEqual(posted["method"]?.string, "POST")
        let port = httpbin?.baseURL.port ?? 0
        stack.service.rules.withLock { $0.extraHeaders = ["Authorization": "Bearer x", "X-Kept": "1"] }
        let elsewhere = try await manager(JSONValue.self, .get, "redirect-to")
            .load(with: ["url": JSONValue.string("http://localhost:\(port)/headers")])
        XCTAssertNil(elsewhere["headers"]?["Authorization"])
        XCTAssertEqual(elsewhere["headers"]?["X-Kept"]?.string, "1")
        let here = try await manager(JSONValue.self, .get, "redirect-to").load(with: ["url": "/headers"])
        XCTAssertEqual(here["headers"]?["Authorization"]?.string, "Bearer x")
    }

    func testCompressedAndUnicodeBodies() async throws {
        let gzip = try await manager(JSONValue.self, .get, "gzip").load()
        XCTAssertEqual(gzip["gzipped"]?.bool, true)
        let deflate = try await manager(JSONValue.self, .get, "deflate").load()
        XCTAssertEqual(deflate["deflated"]?.bool, true)
        let text = try await manager(String.self, .get, "encoding/utf8").load()
        XCTAssertTrue(text.contains("ಬಾ ಇಲ್ಲಿ") || text.contains("STARGΛ̊TE"), String(text.prefix(200)))
    }

    func testTenMegabytesUpAndDown() async throws {
        let large = String(repeating: "茶", count: 3_400_000)
        let up = manager(JSONValue.self, .post, "anything")
        up.own = .raw(Data(large.utf8), contentType: "text/plain; charset=utf-8")
        let echo = try await up.load()
        XCTAssertTrue(echo["data"]?.string == large)
        XCTAssertGreaterThan(up.response?.body.count ?? 0, 10_000_000, "and as much came down")
    }
}
