import DiscreteNetworkingSigning
import DiscreteNetworkingTesting
import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

/// The query of a method name is params of every call.
final class MethodQueryTests: XCTestCase {
    private let script = "index.php?c=user&a=login"

    private func url(
        _ name: String, _ params: Params = [:], method: HTTPMethod = .get,
        _ change: (inout ShapedService.Rules) -> Void = { _ in }
    ) async throws -> String {
        try await request(.stub(name, params, method: method), change).url.absoluteString
    }

    func testTheQueryIsAsIfItHadBeenPassed() async throws {
        let given: Params = ["c": "user", "a": "login", "id": 7]
        for encoder in [QueryEncoder(), QueryEncoder(spaces: .plus)] {
            let passed = try await url("index.php", given) { $0.encoding = { _ in .query(encoder) } }
            let named = try await url(script, ["id": 7]) { $0.encoding = { _ in .query(encoder) } }
            XCTAssertEqual(named, passed)
            XCTAssertEqual(named, "https://api.example.com/index.php?a=login&c=user&id=7")
        }
    }

    func testAByteOrderMarkIsPartOfTheValue() async throws {
        let named = try await url("echo?c=%EF%BB%BFa")
        XCTAssertEqual(named, "https://api.example.com/echo?c=%EF%BB%BFa")
        let pairs = QueryEncoder().pairs(of: ["q": "\u{FEFF}a"])
        XCTAssertEqual(pairs.map { Array($0.value.utf8) }, [[0xEF, 0xBB, 0xBF, 0x61]])
        let fields = SignedFields(form: Data("q=%EF%BB%BFa&r=%FF&s=%zz".utf8)).fields
        XCTAssertEqual(
            fields.map { Array($0.value.utf8) },
            [[0xEF, 0xBB, 0xBF, 0x61], Array("%FF".utf8), Array("%zz".utf8)])
    }

    /// An encoding of the app that puts all params in one field.
    private struct OneField: ParamEncoding {
        func encode(_ params: Params, into request: inout APIRequest) throws {
            try QueryParamEncoding().encode(["q": params.canonical], into: &request)
        }
    }

    func testAnEncodingOfTheAppHasThem() async throws {
        let passed = try await url("index.php", ["c": "user", "a": "login"]) {
            $0.encoding = { _ in OneField() }
        }
        let named = try await url(script) { $0.encoding = { _ in OneField() } }
        XCTAssertEqual(named, passed)
    }

    func testPairsOfAPOSTStayInTheQuery() async throws {
        for (encoding, body) in [
            (JSONParamEncoding(), #"{"user":"\u5c0f"}"#), (FormParamEncoding(), "user=%E5%B0%8F"),
        ] as [(any ParamEncoding, String)] {
            let built = try await request(.stub(script, ["user": "小"], method: .post)) {
                $0.encoding = { _ in encoding }
            }
            XCTAssertEqual(built.url.absoluteString, "https://api.example.com/index.php?a=login&c=user")
            let sent = built.body.text ?? ""
            XCTAssertTrue(sent == body || sent == #"{"user":"小"}"#, sent)
        }
    }

    func testAnExtraParamLoses() async throws {
        let text = try await url(script) { $0.extraParams = ["c": "extra", "cid": 1] }
        XCTAssertEqual(text, "https://api.example.com/index.php?a=login&c=user&cid=1")
    }

    func testPairsAreParsedAndEncoded() async throws {
        let cases = [
            ("a?x", "a?x="), ("a?", "a"), ("a?&&x=1&", "a?x=1"), ("a?x=a%20b+c", "a?x=a%20b%20c"),
            ("a?x=b=c?d", "a?x=b%3Dc%3Fd"), ("a?x=%E8%8C%B6", "a?x=%E8%8C%B6"), ("a?x=茶", "a?x=%E8%8C%B6"),
            ("a?x=%zz", "a?x=%25zz"), ("{id}?x=1", "7?x=1"), ("?x=1", "?x=1"),
            ("a?x=http://b", "a?x=http%3A%2F%2Fb"),
        ]
        for (name, expected) in cases {
            let text = try await url(name, name.contains("{") ? ["id": 7] : [:])
            let base = expected.hasPrefix("?") ? "https://api.example.com" : "https://api.example.com/"
            XCTAssertEqual(text, base + expected, name)
        }
    }

    func testAmbiguousMethodNamesAreRefused() async {
        let cases: [(String, Params, String)] = [
            ("a?x=1", ["x": 2], #"The param "x" is in the query"#), ("a?x=1", ["x": "1"], "pass it once"),
            ("a?x=1&x=2", [:], "twice"), ("a?x=1&%78=2", [:], "twice"), ("a?=1", [:], "without a name"),
            ("a?x={id}", ["id": 7], "placeholder fills the path only"), ("a?x=1#top", [:], "fragment"),
            ("a#top", [:], "fragment"), ("a?x=\n", [:], "control character"),
            ("a/../b?x=1", [:], "dot segment"),
            ("a?c=1", ["c[]": 2], #"The params "c[]" and "c""#),
            ("a?c[x]=1", ["c": 2], #"The params "c" and "c[x]""#),
        ]
        for (name, params, text) in cases {
            let reason = await refusal(.stub(name, params))
            XCTAssertTrue(reason?.contains(text) == true, "\(name): \(reason ?? "")")
        }
        let other = try? await url("a?c[x]=1", ["c[y]": 2])
        XCTAssertEqual(other, "https://api.example.com/a?c%5Bx%5D=1&c%5By%5D=2", "members of one object")
        let none = try? await url("a?x=1", ["x": nil as String?])
        XCTAssertEqual(none, "https://api.example.com/a?x=1", "null is no param")
    }
}

/// The same in whole calls.
@MainActor
final class MethodQueryCallTests: XCTestCase {
    private let script = "index.php?c=user&a=login"

    func testNoTextHasASecret() async {
        let stack = Stack(ClosureTransport(json: "", status: 500))
        let manager = stack.manager(ProductManager())
        manager.methodName = "index.php?c=user&token=s3cr3t"
        let error = await failure(manager)
        let text = error.map { "\($0) \($0.call)" } ?? ""
        XCTAssertTrue(text.contains("c=user"), text)
        XCTAssertFalse(text.contains("s3cr3t"), text)
    }

    /// Signed with the query, and cached under it.
    func testPairsAreSignedAndCachedLikeParams() async throws {
        let server = try serve { .json(teapot).adding("X-Query", String($0.target)) }
        let stack = Stack(server) {
            $0.signer = HMACSigner(
                key: SigningKey("k"),
                nonceSource: NonceSource(now: { Date(timeIntervalSince1970: 0) }, nonce: { "n" }))
        }
        func manager(_ name: String) -> ProductManager {
            let manager = stack.manager(ProductManager())
            manager.methodName = name
            manager.ownCache = .memory
            return manager
        }
        let named = manager(script)
        _ = try await named.load(with: ["id": 7])
        _ = try await named.load(with: ["id": 7])
        XCTAssertEqual(named.response?.isFromCache, true)
        _ = try await manager("index.php?c=user&a=logout").load(with: ["id": 7])
        XCTAssertEqual(
            server.requests.map { $0.target.prefix { $0 != "&" } },
            ["/index.php?a=login", "/index.php?a=logout"])
        let passed = manager("index.php")
        let (one, other) = (
            try await named.request(with: ["id": 7]),
            try await passed.request(with: ["id": 7, "c": "user", "a": "login"])
        )
        XCTAssertEqual(one.url, other.url)
        XCTAssertEqual(one.headers, other.headers)
    }

    func testAWholeURLIsAsItWas() async throws {
        let server = try serve { _ in .json(teapot) }
        let manager = Stack(server).manager(ProductManager())
        manager.methodName = script
        _ = try await manager.load(at: server.baseURL.appendingPathComponent("x"), with: ["c": "other"])
        XCTAssertEqual(server.requests.last?.target, "/x?c=other")
    }
}
