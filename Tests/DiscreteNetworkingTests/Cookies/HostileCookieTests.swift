import DiscreteNetworkingTesting
import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCookies
@testable import DiscreteNetworkingCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Cookies that a server sets to harm later calls, over real sockets.
@MainActor
final class HostileCookieTests: XCTestCase {
    /// What RFC 6265bis section 5.6 forbids in a `Set-Cookie` header, except NUL and LF, which end the exchange.
    private static let controls: [UInt8] = Array(0x01...0x08) + Array(0x0B...0x1F) + [0x7F]

    /// The first response sets cookies with forbidden bytes, and two good ones.
    private func hostileServer(_ bytes: [UInt8] = controls) throws -> LoopbackServer {
        try serve { request in
            guard request.path == "/hostile" else { return .json(teapot) }
            var lines = Data()
            for byte in bytes {
                lines += Data("Set-Cookie: bad\(byte)=x".utf8) + [byte] + Data("y; Path=/\r\n".utf8)
                lines +=
                    Data("Set-Cookie: attribute\(byte)=x; Path=/; Note=".utf8) + [byte] + Data("y\r\n".utf8)
            }
            lines += Data("Set-Cookie: good=1; Path=/\r\nSet-Cookie: tab=a\tb; Path=/\r\n".utf8)
            var response = LoopbackResponse.json(teapot)
            response.rawHeaders = lines
            return response
        }
    }

    private func checkControlCharacters(over transport: any Transport) async throws {
        for byte in Self.controls {
            let server = try hostileServer([byte])
            let jar = CookieJar()
            let stack = Stack(transport) {
                $0.baseURL = server.baseURL
                $0.cookies = jar
            }
            let (hostile, product) = (stack.manager(ProductManager()), stack.manager(ProductManager()))
            hostile.methodName = "hostile"
            // A transport may refuse such a head altogether.
            let refused = await failure(hostile)
            let error = await failure(product)
            XCTAssertNil(error, "byte \(byte)")
            let expected = refused == nil ? "good=1; tab=a\tb" : nil
            XCTAssertEqual(server.requests.last?.header("Cookie"), expected, "byte \(byte)")
        }
    }

    func testControlCharactersDisableNoCallsOverTheStandardTransport() async throws {
        try await checkControlCharacters(over: StandardTransport.make())
    }

    func testControlCharactersDisableNoCallsOverURLSession() async throws {
        try await checkControlCharacters(over: URLSessionTransport())
    }

    /// A jar that an earlier version stored.
    func testStoredControlCharactersDisableNoCalls() async throws {
        let server = try serve { _ in .json(teapot) }
        let store = MemoryCredentialStore()
        store.write(
            Data(
                #"""
                [{"name":"bad","value":"x\u001by","domain":"127.0.0.1","path":"/","isSecure":false,"expires":4000000000},
                {"name":"two","value":"x; y=z","domain":"127.0.0.1","path":"/","isSecure":false,"expires":4000000000},
                {"name":"good","value":"1","domain":"127.0.0.1","path":"/","isSecure":false,"expires":4000000000}]
                """#.utf8), for: "cookies")
        let jar = CookieJar(store: store)
        let stack = Stack(StandardTransport.make()) {
            $0.baseURL = server.baseURL
            $0.cookies = jar
        }
        let error = await failure(stack.manager(ProductManager()))
        XCTAssertNil(error)
        XCTAssertEqual(server.requests.last?.header("Cookie"), "good=1")
    }

    func testACookieHeaderIsBounded() async throws {
        let server = try serve { request in
            guard request.path == "/hostile" else { return .json(teapot) }
            let value = String(repeating: "x", count: 3900)
            return .init(
                headers: (0..<60).map { ("Set-Cookie", "c\($0)=\(value); Path=/") },
                body: .data(Data(teapot.utf8)))
        }
        let jar = CookieJar()
        let stack = Stack(StandardTransport.make()) {
            $0.baseURL = server.baseURL
            $0.cookies = jar
        }
        let (hostile, product) = (stack.manager(ProductManager()), stack.manager(ProductManager()))
        hostile.methodName = "hostile"
        _ = try await hostile.load()
        _ = try await product.load()
        let size = try XCTUnwrap(server.requests.last?.header("Cookie")).utf8.count
        XCTAssertLessThanOrEqual(size, 8000)
        XCTAssertGreaterThan(size, 4000, "as many as fit are sent")
    }

    /// The jar is persistent, the session is not.
    func testCookiesOfAnEarlierUserAreNotSentAfterARestart() async throws {
        for wait in [true, false] {
            let server = try serve { request in
                guard request.path == "/login" else { return .json(teapot) }
                return .init(
                    headers: [("Set-Cookie", "sid=casa; Path=/; Max-Age=3600")],
                    body: .data(Data(teapot.utf8)))
            }
            let store = MemoryCredentialStore()
            func launch() -> (Stack, TokenSession, CookieJar) {
                let (session, jar) = (TokenSession(), CookieJar(store: store))
                let stack = Stack(StandardTransport.make()) {
                    $0.baseURL = server.baseURL
                    $0.session = session
                    $0.cookies = jar
                }
                return (stack, session, jar)
            }
            func login(_ stack: Stack) -> ProductManager {
                let manager = stack.manager(ProductManager())
                manager.methodName = "login"
                manager.ownSessionUse = false
                return manager
            }
            let (first, firstSession, firstJar) = launch()
            _ = try await login(first).load()
            firstSession.adopt(SessionTokens(accessToken: "1", user: "casa"))
            if wait {
                _ = try await first.manager(ProductManager()).load()
                XCTAssertEqual(server.requests.last?.header("Cookie"), "sid=casa")
            }
            try await firstJar.saved()

            let (second, session, _) = launch()
            let product = second.manager(ProductManager())
            product.ownSessionUse = false
            _ = try await product.load()
            XCTAssertNil(server.requests.last?.header("Cookie"), "nobody is logged in")
            session.adopt(SessionTokens(accessToken: "2", user: "tigerhu"))
            _ = try await second.manager(ProductManager()).load()
            XCTAssertNil(server.requests.last?.header("Cookie"), "tigerhu is logged in")
        }
    }

    func testASiblingHostCannotEvictCookies() async throws {
        let (own, sibling) = (
            URL(string: "https://api.example.com/")!, URL(string: "https://evil.example.com/")!
        )
        let jar = CookieJar()
        let turn = await jar.anonymousTurn()
        turn.keep(["sid=own; Path=/"], from: own)
        turn.keep((0..<1000).map { "c\($0)=1; Domain=example.com; Path=/" }, from: sibling)
        XCTAssertEqual(turn.header(for: own)?.hasPrefix("sid=own"), true)
    }

    func testAPublicSuffixGetsNoCookie() async throws {
        for (host, domain) in [
            ("shop.co.uk", "co.uk"), ("shop.com.cn", "com.cn"), ("shop.github.io", "github.io"),
            ("shop.com.", "com."), ("shop.example.com", "com"),
        ] {
            let jar = CookieJar()
            let turn = await jar.anonymousTurn()
            turn.keep(["a=1; Domain=\(domain); Path=/"], from: URL(string: "https://\(host)/")!)
            XCTAssertEqual(jar.cookies, [], domain)
        }
    }

    func testPrefixesAreEnforced() async throws {
        let url = URL(string: "https://api.example.com/a/b")!
        for line in [
            "__Host-a=1; Path=/; Secure; Domain=api.example.com", "__Host-a=1; Path=/a; Secure",
            "__Host-a=1; Path=/",
            "__host-a=1; Path=/", "__HOST-a=1; Secure", "__Secure-a=1; Path=/", "__sEcUrE-a=1; Path=/",
            "=__Host-a=1; Path=/", "__Host-a; Path=/", " = __Secure-a=1; Path=/; Secure",
        ] {
            let jar = CookieJar()
            await jar.anonymousTurn().keep([line], from: url)
            XCTAssertEqual(jar.cookies, [], line)
        }
        let jar = CookieJar()
        await jar.anonymousTurn().keep(
            ["__Host-a=1; Path=/; Secure", "__Secure-b=1; Secure; Domain=example.com"], from: url)
        XCTAssertEqual(jar.cookies.map(\.name), ["__Host-a", "__Secure-b"])
    }

    func testCleartextCannotReplaceASecureCookie() async throws {
        let jar = CookieJar()
        let turn = await jar.anonymousTurn()
        let (secure, plain) = (
            URL(string: "https://api.example.com/")!, URL(string: "http://api.example.com/")!
        )
        turn.keep(["sid=1; Path=/; Secure", "deep=1; Path=/login; Secure"], from: secure)
        turn.keep(
            [
                "sid=2; Path=/", "sid=3; Path=/; Domain=example.com", "sid=4; Path=/a",
                "sid=; Path=/; Max-Age=0",
            ],
            from: plain)
        XCTAssertEqual(turn.header(for: URL(string: "https://api.example.com/a")!), "sid=1")
        // RFC 6265bis section 5.7 step 16.4: a cookie for another path is set.
        turn.keep(["deep=2; Path=/"], from: plain)
        XCTAssertEqual(turn.header(for: URL(string: "https://api.example.com/a")!), "sid=1; deep=2")
    }
}

extension CookieJar {
    /// The turn of an exchange whose service has no session.
    func anonymousTurn() async -> any CookieKeeping { await machinery.turn(for: nil, of: nil) }

    func saved() async throws { try await save() }
}
