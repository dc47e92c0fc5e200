import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// What fills a method name, what may not, and that no value ever leaves its path segment.
final class PathTemplateTests: XCTestCase {
    private func url(_ methodName: String, _ params: Params = [:]) async throws -> String {
        try await request(.stub(methodName, params)).url.absoluteString
    }

    func testFillsAndConsumesParams() async throws {
        let params: Params = ["id": 7, "page": 2]
        var url = try await url("users/{id}/orders", params)
        XCTAssertEqual(url, "https://api.example.com/users/7/orders?page=2")

        let post = try await request(.stub("users/{id}/orders", params, method: .post))
        XCTAssertEqual(post.url.absoluteString, "https://api.example.com/users/7/orders")
        XCTAssertEqual(post.body.text, #"{"page":2}"#)

        url = try await self.url("{a}-{b}.{a}", ["a": true, "b": 1.5])
        XCTAssertEqual(url, "https://api.example.com/true-1.5.true")
    }

    func testExtraParamsFillToo() async throws {
        let call = APICall.stub("shops/{shop}/users/{id}", ["id": "own"])
        let built = try await request(call) { $0.extraParams = ["shop": 3, "id": "extra", "cid": "1"] }
        XCTAssertEqual(built.url.absoluteString, "https://api.example.com/shops/3/users/own?cid=1")
    }

    func testAURLRuleSeesTheFilledPathAndTheParamsLeft() async throws {
        let call = APICall.stub("users/{id}/茶", ["id": "a/b", "page": 2])
        _ = try await request(call) { rules in
            rules.url = { call in
                XCTAssertEqual(call.path, "users/a%2Fb/%E8%8C%B6")
                XCTAssertEqual(call.methodName, "users/{id}/茶")
                XCTAssertEqual(call.params, ["page": 2])
                return try call.url(baseURL: URL(string: "https://h")!)
            }
        }
    }

    func testAMethodNameIsPlainText() async throws {
        let cases = [
            ("a b/茶", "a%20b/%E8%8C%B6"), ("100%", "100%25"), ("a%2Fb", "a%252Fb"),
            ("a:b@c;d=e", "a:b@c;d=e"),
            ("/a/b/", "a/b/"), ("//evil.com/a", "evil.com/a"), ("///a", "a"), ("a//b", "a//b"),
            ("@evil.com", "@evil.com"), (":8080", ":8080"), ("documents:batchGet", "documents:batchGet"),
            ("a/::b", "a/::b"), ("mirror/http://evil.com", "mirror/http://evil.com"),
            ("[]<>\"^`|", "%5B%5D%3C%3E%22%5E%60%7C"),
        ]
        for (methodName, path) in cases {
            let url = try await url(methodName)
            XCTAssertEqual(url, "https://api.example.com/" + path)
            XCTAssertEqual(URL(string: url)?.host, "api.example.com")
        }
    }

    /// Without a version and a path in the base URL, both meanings are the same URL.
    func testALeadingSlashIsRefusedWhereItIsAmbiguous() async throws {
        for (base, version, below) in [
            ("https://h", "v3", "https://h/v3/health"), ("https://h/api", nil, "https://h/api/health"),
            ("https://h:8443/api/", "/v3/", "https://h:8443/api/v3/health"),
        ] {
            let reason = await refusal(.stub("/health")) {
                $0.baseURL = URL(string: base)!
                $0.apiVersion = version
            }
            XCTAssertTrue(reason?.contains(#""/health" starts with a slash"#) == true, reason ?? base)
            XCTAssertTrue(
                reason?.contains(#""health""#) == true && reason?.contains(below) == true, reason ?? "")
            XCTAssertTrue(reason?.contains("Service.url(for:)") == true, reason ?? "")
        }
        for (base, version) in [("https://h", nil), ("https://h/", ""), ("https://h?k=1", "/")] {
            let url = try await request(.stub("/health")) {
                $0.baseURL = URL(string: base)!
                $0.apiVersion = version
            }.url
            XCTAssertEqual(url.path, "/health")
        }
    }

    func testAWholeURLIsNoMethodName() async {
        for name in ["https://cdn.example.com/a", "http://evil.com", "HTTPS://h/{id}", "/ftp://h", "wss://h"]
        {
            let reason = await refusal(.stub(name, ["id": 7])) ?? ""
            XCTAssertTrue(reason.contains("whole URL") && reason.contains(name), reason)
            XCTAssertTrue(reason.contains("Service"), "what to do: \(reason)")
        }
        // A value is text, whatever it looks like.
        let filled = try? await url("{a}", ["a": "https://h/"])
        XCTAssertEqual(filled, "https://api.example.com/https%3A%2F%2Fh%2F")
    }

    func testAPlaceInTheStyleOfOthersIsNoMethodName() async {
        for (name, right) in [
            ("users/:id/orders", "users/{id}/orders"), (":user_id", "{user_id}"), ("/:id", "/{id}"),
            ("a/:b/:c.json", "a/{b}/{c}.json"), ("u/:_x", "u/{_x}"),
        ] {
            let reason = await refusal(.stub(name, ["id": 7])) ?? ""
            XCTAssertTrue(reason.contains(name) && reason.contains("\"\(right)\""), reason)
        }
    }

    func testAMisspeltPlaceListsTheParams() async {
        let misspelt = await refusal(.stub("users/{id}", ["ID": "s3cr3t", "page": 2])) ?? ""
        XCTAssertTrue(misspelt.contains(#"the call has "ID", "page""#), misspelt)
        XCTAssertFalse(misspelt.contains("s3cr3t"), misspelt)
        let none = await refusal(.stub("users/{id}")) ?? ""
        XCTAssertTrue(none.contains("the call has no params"), none)
    }

    func testErrorNamesAParamThatCannotFillThePath() async {
        let cases: [(Params, String)] = [
            (["x": 1], "missing"), (["order id": JSONValue.null], "missing"), (["order id": ""], "empty"),
            (["order id": [1, 2]], "array"), (["order id": [] as JSONValue], "array"),
            (["order id": ["s3cr3t": 1]], "object"), (["order id": "s3cr3t/../.."], "contains a dot segment"),
        ]
        for (params, cause) in cases {
            let reason = await refusal(.stub("orders/{order id}", params)) ?? ""
            XCTAssertTrue(reason.contains("\"order id\""), reason)
            XCTAssertTrue(reason.contains("orders/{order id}"), reason)
            XCTAssertTrue(reason.contains(cause), reason)
            XCTAssertFalse(reason.contains("s3cr3t"), reason)
        }
    }

    func testAPlaceholderSaysThatItsParamMayBeEmpty() async throws {
        let params: Params = ["room": "!r:h", "key": ""]
        let topic = try await url("rooms/{room}/state/m.room.topic/{key=}", params)
        XCTAssertEqual(topic, "https://api.example.com/rooms/%21r%3Ah/state/m.room.topic/")
        let between = try await url("a/{key=}/b", params)
        XCTAssertEqual(between, "https://api.example.com/a//b?room=%21r%3Ah")
        let filled = try await url("state/{key=}", ["key": "@u:h"])
        XCTAssertEqual(filled, "https://api.example.com/state/%40u%3Ah")

        let empty = await refusal(.stub("state/{key}", ["key": ""])) ?? ""
        XCTAssertTrue(
            empty.contains("which is empty. If the endpoint has an empty one, write {key=}."), empty)
        for params: Params in [[:], ["key": JSONValue.null]] {
            let missing = await refusal(.stub("state/{key=}", params)) ?? ""
            XCTAssertTrue(missing.contains(#"requires the param "key", which is missing"#), missing)
        }
        let nameless = await refusal(.stub("state/{=}", params)) ?? ""
        XCTAssertTrue(nameless.contains("braces"), nameless)
        for start in ["{key=}/a", "/{key=}/a", "{key=}"] {
            let reason = await refusal(.stub(start, params)) ?? ""
            XCTAssertTrue(reason.contains("may begin with an empty value; write {key}."), reason)
        }
    }

    func testUnbalancedBracesAreRefused() async {
        let names = [
            "{", "}", "a{", "a}", "{a", "a}b{", "{}", "a/{}/b", "{{a}}", "{a{b}}", "{a}}", "{{a}", "{a}/{b",
            "}a{", "{a}{", "{a\u{301}}{", "{a}\u{301}",
        ]
        for name in names {
            let reason = await refusal(.stub(name, ["a": 1, "b": 2, "": 3, "{a": 4]))
            XCTAssertTrue(reason?.contains("braces") ?? false, "\(name): \(reason ?? "")")
        }
    }

    func testCharactersThatEndThePathAreRefused() async {
        let pieces = [
            "#", "\\", "\u{0}", "\n", "\r\n", "\t", "\u{1F}", "\u{7F}", "#\u{301}", "?#", "?\u{301}#",
        ]
        for piece in pieces {
            for name in ["a" + piece + "b", piece + "{id}", "{id}" + piece] {
                let reason = await refusal(.stub(name, ["id": 7]))
                XCTAssertTrue(reason?.contains("method name") ?? false, "\(name): \(reason ?? "")")
            }
        }
    }

    func testDotSegmentsAreRefused() async throws {
        for name in [
            "..", ".", "a/..", "a/../b", "../a", "./a", "a/.", "/../a", "a/%2e%2e/b", "%2E./a", "a%2f..",
            "..%5Ca",
        ] {
            let reason = await refusal(.stub(name))
            XCTAssertTrue(reason?.contains("'..'") ?? false, "\(name): \(reason ?? "")")
        }
        // From the text around it, or from two values together.
        for name in ["a/{x}{x}/b", ".{x}", "{x}.", "{x}%2e"] {
            _ = await refusal(.stub(name, ["x": "."]))
        }
        for name in ["a/...", "a..b", ".well-known/x", "a/..b", "v1.2/a.json"] {
            let url = try await url(name)
            XCTAssertEqual(url, "https://api.example.com/" + name)
        }
    }

    /// A slash is one for a server whatever mark follows it.
    func testAMarkBehindASlashHidesNoDots() async {
        for value in ["../\u{301}x", "..%2f\u{301}x", "x/..\\\u{20E3}", "%2e\u{301}/../x"] {
            let reason = await refusal(.stub("users/{id}", ["id": value])) ?? ""
            XCTAssertTrue(reason.contains("contains a dot segment"), "\(value.debugDescription) \(reason)")
        }
    }

    // MARK: Property

    private static let hostile = [
        "../", "//evil.com", "%2F", "%2e%2e", "..\\", "..%2f", "@evil.com", "a/../../b", "?x", "#x", "\r\n",
        "\u{0}", "😀", "/", ".", "..", "%", "%25", "%252e", "%5c", "\\", ":", ":80", "a", "é", "\u{301}", " ",
        "+", "&", "=", ";", "[", "{id}", "}", "http://evil.com/", "茶",
    ]

    func testNoValueChangesMoreThanItsSegment() async throws {
        var random = JSONRandom(seed: 7)
        var count = 0
        let rounds = FullLength.rounds(600, of: 3000)
        for _ in 0..<rounds {
            let value = (0..<1 + random.below(5)).map { _ in random.pick(Self.hostile) }.joined()
            let call = APICall.stub("users/{id}/orders", ["id": value])
            let built: APIRequest
            do {
                built = try await request(call) { rules in
                    rules.baseURL = URL(string: "https://api.example.com:8443/base?k=1")!
                    rules.apiVersion = "v1"
                }
            } catch {
                XCTAssertTrue(error is InvalidRequestError, "\(error)")
                XCTAssertTrue(Self.climbs(value, layers: 9), "refused for nothing: \(value.debugDescription)")
                continue
            }
            count += 1
            let text = built.url.absoluteString
            let (head, tail) = ("https://api.example.com:8443/base/v1/users/", "/orders?k=1")
            XCTAssertTrue(text.hasPrefix(head) && text.hasSuffix(tail), text)
            let segment = text.dropFirst(head.count).dropLast(tail.count)
            XCTAssertTrue(
                segment.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"/?#\\@:".utf8.contains($0) }, text)
            XCTAssertEqual(segment.removingPercentEncoding.map { Array($0.utf8) }, Array(value.utf8), text)
            XCTAssertEqual(built.url.scheme, "https")
            XCTAssertEqual(built.url.host, "api.example.com")
            XCTAssertEqual(built.url.port, 8443)
            XCTAssertNil(built.url.user)
            XCTAssertEqual(text.split(separator: "?")[0].filter { $0 == "/" }.count, 7, text)
            XCTAssertFalse(Self.climbs(value, layers: 2), "a server may climb: \(text)")
        }
        XCTAssertGreaterThan(count, rounds / 6)
    }

    /// Whether a dot segment appears when the text is decoded again and again, by bytes.
    private static func climbs(_ text: String, layers: Int) -> Bool {
        var bytes = Array(text.utf8)
        for _ in 0...layers {
            let segments = bytes.split { $0 == 0x2F || $0 == 0x5C }
            if segments.contains(where: { $0 == [0x2E] || $0 == [0x2E, 0x2E] }) { return true }
            bytes = decoded(bytes)
        }
        return false
    }

    private static func decoded(_ bytes: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == 0x25, index + 2 < bytes.count,
                let byte = UInt8(String(decoding: bytes[index + 1...index + 2], as: UTF8.self), radix: 16)
            {
                output.append(byte)
                index += 3
            } else {
                output.append(bytes[index])
                index += 1
            }
        }
        return output
    }
}
