import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// How base URL, version, path and query come together.
final class URLRuleTests: XCTestCase {
    private func joined(_ base: String, _ version: String?, _ path: String) throws -> String {
        let base = try XCTUnwrap(URL(string: base))
        return try URLRule.join(baseURL: base, apiVersion: version, path: path).absoluteString
    }

    func testBaseURLVersionAndMethodNameAreJoined() throws {
        let cases: [(String, String?, String, String)] = [
            ("https://h", nil, "a/b", "https://h/a/b"), ("https://h/", nil, "a/b", "https://h/a/b"),
            ("https://h", "v3", "a", "https://h/v3/a"), ("https://h/", "v3", "a", "https://h/v3/a"),
            ("https://h/p/q", "v3", "a", "https://h/p/q/v3/a"),
            ("https://h/p/", "v3", "a", "https://h/p/v3/a"),
            ("https://h/p", nil, "", "https://h/p"), ("https://h/p/", nil, "", "https://h/p/"),
            ("https://h", nil, "", "https://h"), ("https://h", "v3", "", "https://h/v3"),
            ("https://h", "", "a", "https://h/a"), ("https://h", "/v3/", "a", "https://h/v3/a"),
            ("https://h", "//v3", "a", "https://h/v3/a"),
            ("https://h", "v 3/茶", "a", "https://h/v%203/%E8%8C%B6/a"),
            ("https://h?k=1", "v3", "a", "https://h/v3/a?k=1"),
            ("https://h/?k=1", nil, "a", "https://h/a?k=1"),
            ("https://h/p?k=a/b?c", nil, "a", "https://h/p/a?k=a/b?c"),
            ("http://h:8080/p", "v", "a", "http://h:8080/p/v/a"),
            ("http://[::1]:8080", "v", "a", "http://[::1]:8080/v/a"),
            ("http://[fe80::1]/p", nil, "a", "http://[fe80::1]/p/a"),
            ("http://127.0.0.1", nil, "a", "http://127.0.0.1/a"), ("HTTPS://H", nil, "a", "HTTPS://H/a"),
            ("https://h/a%20b", nil, "c%2Fd", "https://h/a%20b/c%2Fd"),
        ]
        for (base, version, path, url) in cases {
            XCTAssertEqual(try joined(base, version, path), url, "\(base) \(version ?? "-") \(path)")
        }
    }

    func testARelativeBaseURLIsResolved() throws {
        let base = try XCTUnwrap(URL(string: "p/", relativeTo: URL(string: "https://h/x/")))
        let url = try URLRule.join(baseURL: base, apiVersion: nil, path: "a")
        XCTAssertEqual(url.absoluteString, "https://h/x/p/a")
    }

    func testBaseURLsThatAreRefused() async {
        let cases = [
            ("ftp://h", "scheme"), ("file:///etc/passwd", "scheme"), ("mailto:a@b", "scheme"),
            ("h/p", "scheme"),
            ("ws://h", "scheme"), ("https:///p", "host"), ("https:p", "host"), ("//h/p", "scheme"),
            ("https://user@h", "user name"), ("https://user:s3cr3t@h", "password"),
            ("https://:s3cr3t@h", "password"),
            ("https://h/p#f", "fragment"), ("https://h#", "fragment"), ("https://h?k=1#s3cr3t", "fragment"),
        ]
        for (base, cause) in cases {
            guard let url = URL(string: base) else { return XCTFail(base) }
            let reason = await refusal(.stub()) { $0.baseURL = url }
            XCTAssertTrue(reason?.contains(cause) ?? false, "\(base): \(reason ?? "")")
            XCTAssertTrue(reason?.contains("base URL") ?? false, "\(base): \(reason ?? "")")
            XCTAssertFalse(reason?.contains("s3cr3t") ?? true)
        }
    }

    func testVersionsThatAreRefused() async {
        for version in ["v?x", "v#x", "v\\x", "v\r\nx", "..", "v/../x", ".", "%2e%2e", "v\u{0}"] {
            let reason = await refusal(.stub()) { $0.apiVersion = version }
            XCTAssertTrue(reason?.contains("API version") ?? false, "\(version): \(reason ?? "")")
        }
    }

    func testAVersionCannotChangeTheHost() throws {
        for version in ["@evil.com", ":80", "//evil.com", ".evil.com", "http://evil.com"] {
            let url = try XCTUnwrap(URL(string: try joined("https://h:8443", version, "a")))
            XCTAssertEqual(url.host, "h", version)
            XCTAssertEqual(url.port, 8443, version)
            XCTAssertNil(url.user, version)
        }
    }

    func testQueriesAreAppended() throws {
        let cases = [
            ("https://h/a", "https://h/a?x=1"), ("https://h", "https://h?x=1"),
            ("https://h/a?", "https://h/a?x=1"),
            ("https://h/a?k=1", "https://h/a?k=1&x=1"), ("https://h/a?k=1&", "https://h/a?k=1&x=1"),
            ("https://h/a#f", "https://h/a?x=1#f"), ("https://h/a?k=1#f?g", "https://h/a?k=1&x=1#f?g"),
            ("https://h/a#f?g", "https://h/a?x=1#f?g"),
        ]
        for (base, expected) in cases {
            let url = try XCTUnwrap(URL(string: base))
            XCTAssertEqual(try URLRule.appending(query: "x=1", to: url).absoluteString, expected)
            XCTAssertEqual(try URLRule.appending(query: "", to: url), url)
        }
    }

    func testAnEncodedQueryIsNotEncodedAgain() throws {
        let url = try URLRule.appending(query: "a%5B%5D=%2520&b=1,2", to: URL(string: "https://h/%252F")!)
        XCTAssertEqual(url.absoluteString, "https://h/%252F?a%5B%5D=%2520&b=1,2")
    }

    func testTheBaseQueryComesBeforeTheParams() async throws {
        let built = try await request(.stub("a/{id}", ["id": 7, "b": 1])) { rules in
            rules.baseURL = URL(string: "http://[::1]:8080/p/?k=1")!
            rules.apiVersion = "v3"
        }
        XCTAssertEqual(built.url.absoluteString, "http://[::1]:8080/p/v3/a/7?k=1&b=1")
        XCTAssertEqual(built.url.port, 8080)
    }
}
