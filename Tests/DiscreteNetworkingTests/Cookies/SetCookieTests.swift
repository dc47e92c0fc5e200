import Foundation
import XCTest

@testable import DiscreteNetworkingCookies
@testable import DiscreteNetworkingCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Odd `Set-Cookie` headers, dates, hosts and public suffixes.
final class SetCookieTests: XCTestCase {
    private let now = Date(timeIntervalSince1970: 1_750_000_000)

    private func cookie(_ line: String, from url: String = "https://shop.example.com/a/b") throws -> Cookie? {
        SetCookie(line)?.cookie(from: try XCTUnwrap(URL(string: url)), now: now)
    }

    func testLifetimesAreLimited() throws {
        for (attribute, seconds) in [
            ("Max-Age=60", 60), ("Max-Age=1", 1), ("Max-Age=99999999999999999999999999", 400 * 86_400),
            ("Max-Age=" + String(repeating: "9", count: 1000), 400 * 86_400),
            ("Max-Age=34560001", 34_560_000),
            ("Expires=Fri, 31 Dec 9999 23:59:59 GMT", 400 * 86_400), ("Max-Age=+60", nil),
            ("Max-Age=6e1", nil),
            ("Max-Age=", nil), ("Max-Age=-", nil), ("Max-Age=٣", nil), ("Max-Age=60; Max-Age=x", 60),
            ("Max-Age=60; Max-Age=90", 90),
        ] as [(String, TimeInterval?)] {
            let expires = try XCTUnwrap(cookie("a=1; " + attribute)).expires
            XCTAssertEqual(
                expires.map { $0.timeIntervalSince(now) }, seconds, attribute.prefix(40).description)
        }
        for attribute in ["Max-Age=0", "Max-Age=-0", "Max-Age=-" + String(repeating: "9", count: 500)] {
            XCTAssertEqual(try cookie("a=1; " + attribute)?.isExpired(at: now), true)
        }
    }

    func testDatesInTheFormsOfServers() {
        let expected = Date(timeIntervalSince1970: 784_111_777)
        for text in [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
            "6-nov-1994 8:49:37", "1994 Nov 06 08:49:37", "08:49:37 06 NOVEMBER 94",
            "06 Nov 1994 08:49:37.999",
            "06 Nov 1994 08:49:37Z", "6th Nov 1994 08:49:37", "06 Nov 1994AD 08:49:37",
            "06/Nov/1994;08:49:37",
        ] {
            XCTAssertEqual(CookieDate.date(text), expected, text)
        }
        for text in [
            "", "never", "06 Nov 1994", "30 Feb 2026 00:00:00", "06 Nov 1600 00:00:00",
            "06 Nov 1994 24:00:00",
            "06 Nov 1994 08:60:00", "06 Nov 1994 08:49", "06 Nov 19945 08:49:37", "006 Nov 1994 08:49:37",
            "06 Nov 1994 008:49:37", "0 Nov 1994 08:49:37", "06 Nov 1994 08:49x:37",
        ] {
            XCTAssertNil(CookieDate.date(text), text)
        }
        XCTAssertEqual(CookieDate.date("01 Jan 70 00:00:00")?.timeIntervalSince1970, 0)
        XCTAssertEqual(CookieDate.date("01 Jan 69 00:00:00")?.timeIntervalSince1970, 3_124_224_000)
    }

    func testDomainsAndHosts() throws {
        for (domain, host, expected) in [
            ("example.com", "shop.example.com", ".example.com"),
            (".Example.COM", "shop.example.com", ".example.com"),
            ("example.com", "SHOP.EXAMPLE.COM", ".example.com"), ("..example.com", "shop.example.com", nil),
            ("example.com.", "shop.example.com", nil), ("example.com.", "shop.example.com.", nil),
            ("", "shop.example.com", "shop.example.com"),
            ("example.com; Domain=", "shop.example.com", "shop.example.com"),
            ("co.uk", "shop.co.uk", nil), ("co.uk", "co.uk", "co.uk"),
            ("shop.co.uk", "www.shop.co.uk", ".shop.co.uk"),
            ("github.io", "casa.github.io", nil), ("casa.github.io", "casa.github.io", ".casa.github.io"),
            ("localhost", "localhost", "localhost"), ("127.0.0.1", "127.0.0.1", "127.0.0.1"),
            ("0.0.1", "127.0.0.1", nil), ("1", "127.0.0.1", nil), ("::1", "[::1]", "::1"),
            ("example.ck", "shop.example.ck", nil), ("exämple.com", "shop.example.com", nil),
            ("xn--mnchen-3ya.de", "www.xn--mnchen-3ya.de", ".xn--mnchen-3ya.de"),
        ] as [(String, String, String?)] {
            let found = try cookie("a=1; Domain=\(domain)", from: "https://\(host)/")
            XCTAssertEqual(
                found?.isValid == true ? found?.dottedDomain : nil, expected, "\(domain) from \(host)")
        }
        XCTAssertTrue(CookieScope.isAddress("1.2.0x7f"))
        XCTAssertFalse(CookieScope.isAddress("1.2.a7"))
    }

    /// In Swift, a combining character belongs to the character before it; on the wire it does not.
    func testCharactersAreBytes() throws {
        let cookie = try XCTUnwrap(cookie("a=1;\u{301}x; Path=/\u{301}; Secure"))
        XCTAssertEqual(cookie.value, "1")
        XCTAssertEqual(cookie.id.path, "/\u{301}")
        XCTAssertTrue(cookie.isSecure)
        XCTAssertEqual(
            try self.cookie("a=\u{A0}1\u{3000}")?.value, "\u{A0}1\u{3000}", "only space and tab are trimmed")
        XCTAssertNil(try self.cookie("a=1\r\nb=2"))
    }

    func testSizesAreLimited() throws {
        let long = String(repeating: "x", count: 4095)
        XCTAssertEqual(try cookie("a=" + long)?.isValid, true)
        XCTAssertNil(try cookie("aa=" + long))
        XCTAssertNil(try cookie("a=" + String(repeating: "青", count: 1366)), "bytes count")
        let path = "/" + String(repeating: "x", count: 1024)
        XCTAssertEqual(try cookie("a=1; Path=\(path)")?.id.path, "/a", "too long an attribute is ignored")
        XCTAssertEqual(try cookie("a=1; Note=\(long)")?.value, "1")
        for (count, isValid) in [(1024, true), (1025, false)] {
            let url = "https://" + String(repeating: "x", count: count) + "/"
            XCTAssertEqual(try cookie("a=1", from: url)?.isValid ?? false, isValid, "\(count)")
        }
    }

    func testCookiesOfTheAppAreCheckedToo() {
        var made = 0
        for (name, value, domain, path) in [
            ("a", "x\u{1B}", "shop.example.com", "/"), ("a", "x; b=y", "shop.example.com", "/"),
            ("__Host-a", "1", "shop.example.com", "/"), ("a", "1", ".co.uk", "/"),
            ("a", String(repeating: "x", count: 5000), "shop.example.com", "/"),
        ] {
            let jar = CookieJar()
            guard
                let cookie = HTTPCookie(properties: [
                    .name: name, .value: value, .domain: domain, .path: path,
                ])
            else { continue }
            made += 1
            XCTAssertFalse(jar.add(cookie), name)
            XCTAssertEqual(jar.cookies, [])
        }
        XCTAssertGreaterThan(made, 2, "Foundation makes nearly all of them")
    }

    func testHTTPOnlyIsKept() async throws {
        let jar = CookieJar()
        await jar.anonymousTurn().keep(
            ["a=1; HttpOnly", "b=1"], from: URL(string: "https://shop.example.com/")!)
        XCTAssertEqual(jar.cookies.map(\.isHTTPOnly), [true, false])
    }

    func testSecureCookiesOfThisMachineNeedNoTLS() async throws {
        for host in ["localhost", "127.0.0.1", "[::1]"] {
            let url = try XCTUnwrap(URL(string: "http://\(host):8080/"))
            let turn = await CookieJar().anonymousTurn()
            turn.keep(["__Host-a=1; Path=/; Secure"], from: url)
            XCTAssertEqual(turn.header(for: url), "__Host-a=1", host)
        }
    }

    // MARK: Limits

    func testManyDomainsDoNotEvictTheCookiesOfAHost() async throws {
        let jar = CookieJar()
        let turn = await jar.anonymousTurn()
        let own = URL(string: "https://api.example.com/")!
        turn.keep(["sid=own", "b=own"], from: own)
        for host in 0..<20 {
            turn.keep(
                (0..<60).map { "c\($0)=1" },
                from: try XCTUnwrap(URL(string: "https://h\(host).evil.example/")))
        }
        XCTAssertEqual(jar.cookies.count, CookieStorage.countLimit)
        XCTAssertEqual(turn.header(for: own), "sid=own; b=own")
    }

    func testExpiredCookiesAreEvictedFirstAndUsedOnesLast() async throws {
        let now = Locked(self.now)
        let jar = CookieJar(now: { now.current })
        let turn = await jar.anonymousTurn()
        let url = URL(string: "https://api.example.com/")!
        turn.keep(["used=1; Path=/used", "old=1; Path=/"], from: url)
        turn.keep((0..<47).map { "c\($0)=1; Path=/" } + ["short=1; Path=/; Max-Age=5"], from: url)
        XCTAssertNotNil(turn.header(for: URL(string: "https://api.example.com/used")!))
        now.current += 10
        turn.keep(["new1=1; Path=/"], from: url)
        XCTAssertTrue(jar.cookies.map(\.name).contains("old"), "the expired one is evicted")
        XCTAssertEqual(
            turn.header(for: URL(string: "https://api.example.com/used")!)?.hasPrefix("used=1"), true)
        XCTAssertEqual(jar.cookies.count, 50)
    }

    func testALongHeaderHasTheCookiesOfTheHostItself() async throws {
        let jar = CookieJar()
        let turn = await jar.anonymousTurn()
        let (own, sibling) = (
            URL(string: "https://api.example.com/v1/")!, URL(string: "https://evil.example.com/")!
        )
        let value = String(repeating: "x", count: 900)
        turn.keep((0..<50).map { "evil\($0)=\(value); Domain=example.com; Path=/v1/" }, from: sibling)
        turn.keep(["sid=1; Path=/", "deep=2; Path=/v1"], from: own)
        let header = try XCTUnwrap(turn.header(for: own))
        XCTAssertLessThanOrEqual(header.utf8.count, CookieStorage.headerLimit)
        XCTAssertTrue(header.hasPrefix("evil0="), "longer paths come first (RFC 6265 section 5.4)")
        XCTAssertTrue(header.contains("; deep=2; sid=1"), String(header.suffix(60)))
    }

    func testTheCookieHeaderIsLimitedToTheByte() async throws {
        let url = URL(string: "https://api.example.com/")!
        for excess in [0, 1] {
            let turn = await CookieJar().anonymousTurn()
            let long = String(repeating: "x", count: 3000)
            let rest = CookieStorage.headerLimit - 2 * 3002 - 2 * 2 - 2 + excess
            turn.keep(["a=\(long)", "b=\(long)", "c=\(String(repeating: "x", count: rest))"], from: url)
            let header = try XCTUnwrap(turn.header(for: url))
            XCTAssertEqual(header.utf8.count, excess == 0 ? CookieStorage.headerLimit : 6006)
        }
    }

    func testTenThousandCookiesTakeNoQuadraticTime() async throws {
        let jar = CookieJar()
        let turn = await jar.anonymousTurn()
        let url = URL(string: "https://api.example.com/")!
        turn.keep((0..<10_000).map { "c\($0)=1" }, from: url)
        XCTAssertEqual(jar.cookies.map(\.name), (9_950..<10_000).map { "c\($0)" })
    }

    // MARK: Public suffixes

    func testPublicSuffixesAgainstTheList() throws {
        let path = "/usr/share/publicsuffix/public_suffix_list.dat"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw XCTSkip("\(path) is not installed")
        }
        let rules = Set(text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("//") })
        for domain in [
            "com", "co.uk", "com.cn", "co.jp", "com.au", "com.br", "github.io", "vercel.app", "herokuapp.com",
            "cloudfront.net", "co.za", "org.uk", "gov.cn", "pages.dev", "s3.amazonaws.com",
        ] {
            XCTAssertTrue(rules.contains(domain) && PublicSuffix.contains(domain), domain)
        }
        for domain in ["example.com", "shop.co.uk", "casa.github.io", "google.de", "bbc.uk", "x.y.z.com"] {
            XCTAssertFalse(PublicSuffix.contains(domain), domain)
        }
        let countries = rules.filter { $0.utf8.count == 2 }
        let seconds = ["com", "net", "org", "gov", "edu", "co", "ac"]
        let listed = countries.flatMap { country in seconds.map { "\($0).\(country)" } }.filter(
            rules.contains)
        XCTAssertGreaterThan(listed.count, 500)
        XCTAssertEqual(listed.filter { !PublicSuffix.contains($0) }, [])
    }
}
