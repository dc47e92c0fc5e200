import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCookies
@testable import DiscreteNetworkingCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Cookies by RFC 6265: which are taken, which are sent, and to whom.
final class CookieJarTests: XCTestCase {
    private let start = Date(timeIntervalSince1970: 1_750_000_000)

    private func header(_ line: String, from source: String, to target: String) async throws -> String? {
        let start = start
        let jar = CookieJar(now: { start })
        let turn = await jar.anonymousTurn()
        turn.keep([line], from: try XCTUnwrap(URL(string: source)))
        return turn.header(for: try XCTUnwrap(URL(string: target)))
    }

    func testWhereACookieGoes() async throws {
        let home = "https://shop.example.com/a/b/c"
        for (line, target, expected) in [
            ("a=1", "https://shop.example.com/a/b", "a=1"),
            ("a=1", "https://shop.example.com/a/b/x?y", "a=1"),
            ("a=1", "https://shop.example.com/a", nil), ("a=1", "https://shop.example.com/a/bc", nil),
            ("a=1", "https://www.shop.example.com/a/b", nil), ("a=1", "https://example.com/a/b", nil),
            ("a=1; Path=/", "https://shop.example.com", "a=1"),
            ("a=1; path=/a", "https://shop.example.com/a/x", "a=1"),
            ("a=1; Path=/a", "https://shop.example.com/ab", nil),
            ("a=1; Path=x", "https://shop.example.com/a/b/y", "a=1"),
            ("a=1; Domain=example.com; Path=/", "https://www.example.com/", "a=1"),
            ("a=1; Domain=.example.com; Path=/", "https://example.com/", "a=1"),
            ("a=1; Domain=EXAMPLE.com; Path=/", "https://badexample.com/", nil),
            ("a=1; Domain=other.com; Path=/", "https://other.com/", nil),
            ("a=1; Domain=com; Path=/", "https://shop.example.com/", nil),
            ("a=1; Domain=www.shop.example.com; Path=/", "https://www.shop.example.com/", nil),
            ("a=1; Domain=shop.example.com; Path=/", "https://x.shop.example.com/", "a=1"),
            ("a=1; Path=/; Secure", "https://shop.example.com/", "a=1"),
            ("a=1; Path=/; Secure", "http://shop.example.com/", nil),
            ("a=1; Path=/", "http://shop.example.com/", "a=1"),
            ("a=1; Path=/; Max-Age=10", "https://shop.example.com/", "a=1"),
            ("a=1; Path=/; Max-Age=0", "https://shop.example.com/", nil),
            ("a=1; Path=/; Max-Age=-1", "https://shop.example.com/", nil),
            ("a=1; Path=/; Max-Age=x", "https://shop.example.com/", "a=1"),
            ("a=1; Path=/; Expires=Wed, 21 Oct 2015 07:28:00 GMT", "https://shop.example.com/", nil),
            ("a=1; Path=/; Expires=Wed, 21-Oct-35 07:28:00 GMT", "https://shop.example.com/", "a=1"),
            ("a=1; Path=/; Expires=Wed Oct 21 07:28:00 2015", "https://shop.example.com/", nil),
            (
                "a=1; Path=/; Expires=Wed, 21 Oct 2015 07:28:00 GMT; Max-Age=10", "https://shop.example.com/",
                "a=1"
            ),
            ("a=1; Path=/; Expires=never", "https://shop.example.com/", "a=1"),
            (" a = b=c ;Path=/;HttpOnly;SameSite=Lax", "https://shop.example.com/", "a=b=c"),
            ("a=\"x y\"; Path=/", "https://shop.example.com/", "a=\"x y\""),
            ("a; Path=/", "https://shop.example.com/", nil), ("=1; Path=/", "https://shop.example.com/", nil),
            ("a=" + String(repeating: "x", count: 5000) + "; Path=/", "https://shop.example.com/", nil),
        ] as [(String, String, String?)] {
            let found = try await header(line, from: home, to: target)
            XCTAssertEqual(found, expected, "\(line.prefix(80)) to \(target)")
        }
        let overHTTP = try await header(
            "a=1; Secure; Path=/", from: "http://shop.example.com/", to: "https://shop.example.com/")
        XCTAssertNil(overHTTP, "whoever listens could set it")
        let address = try await header(
            "a=1; Domain=0.0.1; Path=/", from: "http://127.0.0.1/", to: "http://127.0.0.1/")
        XCTAssertNil(address)
    }

    func testLongerPathsFirstAndReplacedInPlace() async throws {
        let (url, jar) = (URL(string: "https://shop.example.com/a/b/c")!, CookieJar())
        let turn = await jar.anonymousTurn()
        turn.keep(["x=1; Path=/", "y=1; Path=/a/b", "z=1; Path=/"], from: url)
        turn.keep(["x=2; Path=/"], from: url)
        XCTAssertEqual(turn.header(for: url), "y=1; x=2; z=1")
        turn.keep(["x=; Path=/; Max-Age=0"], from: url)
        XCTAssertEqual(turn.header(for: url), "y=1; z=1")
    }

    func testAJarIsNeverOverfull() async {
        let (url, jar) = (URL(string: "https://shop.example.com/")!, CookieJar())
        let turn = await jar.anonymousTurn()
        turn.keep((0..<1000).map { "c\($0)=1" }, from: url)
        XCTAssertEqual(jar.cookies.count, CookieStorage.domainLimit)
        XCTAssertEqual(jar.cookies.last?.name, "c999")
    }

    func testAResponseFromBeforeALogoutSetsNothing() async {
        let (url, jar) = (URL(string: "https://shop.example.com/")!, CookieJar())
        let turn = await jar.anonymousTurn()
        turn.keep(["sid=old"], from: url)
        jar.removeAll()
        turn.keep(["sid=late"], from: url)
        XCTAssertEqual(jar.cookies, [])
        XCTAssertNil(turn.header(for: url))
    }

    func testAnotherUserFindsNothing() async {
        let (url, jar) = (URL(string: "https://shop.example.com/")!, CookieJar())
        await jar.anonymousTurn().keep(["sid=casa"], from: url)
        let session = TokenSession()
        session.adopt(SessionTokens(accessToken: "1", user: "casa"))
        let first = await jar.machinery.turn(for: session.snapshot, of: session)
        XCTAssertEqual(first.header(for: url), "sid=casa", "set by the login itself")
        let late = session.snapshot
        session.adopt(SessionTokens(accessToken: "2", user: "tigerhu"))
        let second = await jar.machinery.turn(for: session.snapshot, of: session)
        XCTAssertNil(second.header(for: url))
        first.keep(["sid=late"], from: url)
        XCTAssertNil(second.header(for: url))
        second.keep(["sid=tigerhu"], from: url)
        let third = await jar.machinery.turn(for: late, of: session)
        XCTAssertNil(third.header(for: url), "a request of casa that is built late")
        third.keep(["sid=late"], from: url)
        XCTAssertEqual(second.header(for: url), "sid=tigerhu")
    }

    func testCookiesWithAnExpirySurviveARestart() async throws {
        let store = MemoryCredentialStore()
        let url = URL(string: "https://shop.example.com/")!
        let first = CookieJar(store: store)
        await first.anonymousTurn().keep(["keep=1; Max-Age=3600; Secure", "forget=1"], from: url)
        try await first.save()
        let second = CookieJar(store: store)
        let turn = await second.anonymousTurn()
        XCTAssertEqual(turn.header(for: url), "keep=1")
        XCTAssertEqual(second.cookies.first?.isSecure, true)
        second.removeAll()
        try await second.save()
        XCTAssertNil(store.read("cookies"), "a logout forgets them in the store, too")
    }

    func testTheTextShowsNoValue() async {
        let jar = CookieJar()
        await jar.anonymousTurn().keep(["sid=s3cr3t"], from: URL(string: "https://shop.example.com/")!)
        XCTAssertEqual("\(jar)", "CookieJar(1 cookies)")
    }

    // MARK: Over real sockets

    /// A server that wants the cookie that its login has set, and redirects once on the way.
    private func server() throws -> LoopbackServer {
        try LoopbackServer(routes: [
            .get("/login") { _ in
                .init(
                    status: 302,
                    headers: [("Location", "/welcome"), ("Set-Cookie", "sid=s1; Path=/; HttpOnly")])
            },
            .get("/welcome") { request in
                .init(
                    headers: [
                        ("Set-Cookie", "theme=dark; Path=/; Expires=Wed, 21 Oct 2099 07:28:00 GMT"),
                        ("Set-Cookie", "other=1; Path=/elsewhere"),
                    ],
                    body: .data(Data(teapot.utf8)))
            },
            .get("/products/detail") { request in
                request.header("Cookie")?.contains("sid=s1") == true
                    ? .json(teapot) : .json("{}", status: 403)
            },
        ])
    }

    @MainActor
    private func converse(over transport: any Transport) async throws {
        let server = try server()
        defer { server.stop() }
        let jar = CookieJar()
        let session = TokenSession()
        let stack = Stack(transport) {
            $0.baseURL = server.baseURL
            $0.cookies = jar
            $0.session = session
        }
        let (login, product) = (stack.manager(ProductManager()), stack.manager(ProductManager()))
        login.methodName = "login"
        _ = try await login.load()
        XCTAssertEqual(
            server.requests.map { $0.header("Cookie") }, [nil, "sid=s1"], "on the redirect already")
        _ = try await product.load()
        XCTAssertEqual(server.requests.last?.header("Cookie"), "sid=s1; theme=dark")
        try await session.logOut()
        XCTAssertEqual(jar.cookies, [])
        let refused = await failure(product)
        XCTAssertEqual(refused?.kind, .http(status: 403))
        XCTAssertNil(server.requests.last?.header("Cookie"))
    }

    @MainActor
    func testOverTheStandardTransport() async throws { try await converse(over: StandardTransport.make()) }

    @MainActor
    func testOverURLSession() async throws { try await converse(over: URLSessionTransport()) }

    @MainActor
    func testNothingUnlessTheServiceAsks() async throws {
        let server = try server()
        defer { server.stop() }
        let stack = Stack(StandardTransport.make()) { $0.baseURL = server.baseURL }
        let login = stack.manager(ProductManager())
        login.methodName = "login"
        _ = try await login.load()
        _ = try await login.load()
        XCTAssertEqual(server.requests.compactMap { $0.header("Cookie") }, [])
    }

    /// The cookie of the service's host goes nowhere else, on a redirect neither.
    @MainActor
    func testAnotherHostGetsNoCookie() async throws {
        let other = try LoopbackServer { _ in .json(teapot) }
        let server = try LoopbackServer { _ in
            .init(status: 302, headers: [("Location", "\(other.baseURL.absoluteString)/x")])
        }
        defer {
            server.stop()
            other.stop()
        }
        let jar = CookieJar()
        let local = "http://localhost:\(try XCTUnwrap(server.baseURL.port))"
        await jar.anonymousTurn().keep(["sid=s1; Path=/"], from: URL(string: local)!)
        let stack = Stack(StandardTransport.make()) {
            $0.baseURL = URL(string: local)!
            $0.cookies = jar
        }
        _ = try await stack.manager(ProductManager()).load()
        XCTAssertEqual(server.requests.last?.header("Cookie"), "sid=s1")
        XCTAssertNil(other.requests.last?.header("Cookie"))
    }
}
