import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCookies
@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingTraffic

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Where the header of a CSRF token goes, and where it does not.
@MainActor
final class CSRFHeaderTests: XCTestCase {
    private func desk(header: String = "X-CSRFToken") throws -> CSRFDesk {
        let desk = try CSRFDesk(header: header)
        addTeardownBlock { desk.server.stop() }
        return desk
    }

    // MARK: Methods and hosts

    func testSafeMethodsNeedNoToken() async throws {
        let desk = try desk()
        let stack = desk.stack()
        for method in [HTTPMethod.get, .head, .options, "TRACE"] {
            _ = await failure(stack.poster("items", method))
        }
        XCTAssertEqual(desk.book.current.fetches, 0)
        for method in [HTTPMethod.post, .put, .patch, .delete, "LOCK"] {
            let error = await failure(stack.poster("items", method))
            XCTAssertNil(error, "\(method)")
        }
        _ = await failure(stack.poster("items", .get))
        XCTAssertEqual(
            desk.book.current.withToken,
            ["POST", "PUT", "PATCH", "DELETE", "LOCK"].map { "\($0) /items proof-1" })
    }

    /// Django and Flask require it over HTTPS.
    func testTheRefererIsTheOrigin() async throws {
        let desk = try desk()
        let stack = desk.stack()
        _ = await stack.post(1)
        let own = stack.poster()
        own.ownHeaders = ["Referer": "https://example.com/"]
        _ = await failure(own)
        let referers = desk.server.requests.filter { $0.method == "POST" }.map { $0.header("Referer") }
        XCTAssertEqual(referers, ["\(desk.server.baseURL.absoluteString)/", "https://example.com/"])
    }

    func testAWholeURLElsewhereGetsNoToken() async throws {
        let (desk, other) = (try desk(), try desk())
        let stack = desk.stack()
        _ = await stack.post(1)
        _ = try? await stack.poster().load(at: other.server.baseURL.appendingPathComponent("x"))
        XCTAssertEqual(other.server.requests.count, 1)
        XCTAssertEqual(other.book.current.withToken, [])
        XCTAssertNil(other.server.requests.first?.header("Referer"))
    }

    /// Another port of the same host is another origin.
    func testARequestThatAHookSendsElsewhereGetsNoToken() async throws {
        let (desk, other) = (try desk(), try desk())
        let stack = desk.stack { rules in
            rules.adapt = { [url = other.server.baseURL] request, call in
                if call.methodName == "moved" { request.url = url.appendingPathComponent("moved") }
            }
        }
        _ = await stack.post(1)
        _ = await failure(stack.poster("moved"))
        XCTAssertEqual(other.server.requests.map(\.method), ["POST"], "and is not repeated")
        XCTAssertEqual(other.book.current.withToken, [])
    }

    func testARedirectTakesTheTokenToNoOtherOriginAndNotAlongWithAGET() async throws {
        let other = try desk()
        for status in [302, 303, 307] {
            for isElsewhere in [false, true] {
                let seen = Locked<[String]>([])
                let server = try serve { [target = other.server.baseURL] request in
                    if let token = request.header("X-XSRF-TOKEN") {
                        seen.withLock { $0.append("\(request.method) \(request.path) \(token)") }
                    }
                    guard request.path == "/orders" else { return .json(teapot) }
                    return .redirect(
                        to: isElsewhere ? "\(target)/end" : "/end", status: status)
                }
                let jar = CookieJar()
                let stack = Stack(StandardTransport.make()) {
                    $0.baseURL = server.baseURL
                    $0.cookies = jar
                    $0.csrf = CSRFProtection()
                }
                jar.add(try XCTUnwrap(Self.cookie("XSRF-TOKEN", "abc", server)))
                _ = await failure(stack.poster())
                let here = status == 307 && !isElsewhere ? ["POST /end abc"] : []
                XCTAssertEqual(seen.current, ["POST /orders abc"] + here, "\(status) \(isElsewhere)")
            }
        }
        XCTAssertEqual(other.server.requests.count, 3)
        for request in other.server.requests {
            XCTAssertNil(request.header("X-XSRF-TOKEN"))
            XCTAssertNil(request.header("Referer"))
        }
    }

    func testAHeaderOfTheManagerStays() async throws {
        let desk = try desk()
        let manager = desk.stack().poster()
        manager.ownHeaders = ["X-CSRFToken": "own"]
        let error = await failure(manager)
        XCTAssertEqual(error?.kind, .http(status: 400))
        XCTAssertEqual(desk.book.current.withToken, ["POST /orders own"], "and the call is not repeated")
    }

    func testARequestThatIsShownHasTheKnownToken() async throws {
        let desk = try desk()
        let stack = desk.stack()
        let before = try await stack.poster().request(with: [:])
        XCTAssertNil(before.headers["X-CSRFToken"])
        _ = await stack.post(1)
        let after = try await stack.poster().request(with: [:])
        XCTAssertEqual(after.headers["X-CSRFToken"], "proof-1")
        XCTAssertEqual(desk.book.current.fetches, 1)
    }

    // MARK: Cookies

    private static func cookie(_ name: String, _ value: String, _ server: LoopbackServer) -> HTTPCookie? {
        HTTPCookie(properties: [
            .name: name, .value: value, .domain: server.baseURL.host!, .path: "/",
        ])
    }

    /// Laravel and axios encode the cookie; the header is decoded, as in a browser.
    func testACookieIsRepeatedInTheHeader() async throws {
        for (cookie, header) in [
            ("abc", "abc"), ("a%3D%3D", "a=="), ("a%0D%0AX-Evil:1", "a%0D%0AX-Evil:1"), ("%zz", "%zz"),
            ("\"q\"", "q"), ("%C3%A9", "%C3%A9"),
        ] {
            let server = try serve { _ in
                .json(teapot).adding("Set-Cookie", "other=1; Path=/")
                    .adding("Set-Cookie", "XSRF-TOKEN=\(cookie); Path=/")
            }
            let stack = Stack(StandardTransport.make()) {
                $0.baseURL = server.baseURL
                $0.cookies = CookieJar()
                $0.csrf = CSRFProtection()
            }
            _ = await failure(stack.poster())
            _ = await failure(stack.poster())
            let sent = server.requests.map { $0.header("X-XSRF-TOKEN") }
            XCTAssertEqual(sent, [nil, header])
            XCTAssertNil(server.requests.last?.header("X-Evil"))
        }
    }

    /// Django rotates its token at a login.
    func testACallIsRepeatedIfItsRejectionSetsAnotherCookie() async throws {
        let server = try serve { request in
            let isRight = request.header("X-CSRFToken") == "new"
            let answer = LoopbackResponse.json(
                isRight ? teapot : #"{"detail":"CSRF Failed"}"#, status: isRight ? 200 : 403)
            return request.path == "/orders" ? answer.adding("Set-Cookie", "csrftoken=new; Path=/") : answer
        }
        let jar = CookieJar()
        let stack = Stack(StandardTransport.make()) {
            $0.baseURL = server.baseURL
            $0.cookies = jar
            $0.csrf = CSRFProtection(cookie: "csrftoken", header: "X-CSRFToken")
        }
        jar.add(try XCTUnwrap(Self.cookie("csrftoken", "old", server)))
        let stays = await failure(stack.poster("fixed"))
        XCTAssertEqual(stays?.kind, .http(status: 403), "the same token would be rejected again")
        XCTAssertEqual(server.requests.count, 1)
        let error = await failure(stack.poster())
        XCTAssertNil(error)
        XCTAssertEqual(server.requests.map { $0.header("X-CSRFToken") }, ["old", "old", "new"])
    }

    /// Laravel Sanctum.
    func testAnEndpointSetsTheCookieOnceForManyCalls() async throws {
        let valid = Locked(1)
        let server = try serve { request in
            let now = valid.current
            if request.path == "/sanctum/csrf-cookie" {
                return LoopbackResponse.status(204).adding("Set-Cookie", "XSRF-TOKEN=t\(now)%3D; Path=/")
            }
            return request.header("X-XSRF-TOKEN") == "t\(now)=" ? .json(teapot) : .status(419)
        }
        let stack = Stack(StandardTransport.make()) {
            $0.baseURL = server.baseURL
            $0.cookies = CookieJar()
            $0.csrf = CSRFProtection(setBy: "sanctum/csrf-cookie")
        }
        var errors = await stack.post(10)
        XCTAssertEqual(errors.map(\.description), [])
        XCTAssertEqual(server.requests.count, 11)
        valid.current = 2
        errors = await stack.post(10)
        XCTAssertEqual(errors.map(\.description), [])
        XCTAssertEqual(server.requests.filter { $0.method == "GET" }.count, 2)
    }

    func testAServiceMayMakeARequestUnsafe() async throws {
        final class Tunnel: Service {
            let baseURL = URL(string: "https://api.example.com")!
            let configuration = ServiceConfiguration(cookies: CookieJar(), csrf: CSRFProtection())
            func adapt(_ request: inout APIRequest, for call: APICall) { request.method = .post }
        }
        let sent = Locked<[APIRequest]>([])
        let services = ServiceFactory()
        services.register([.test: Tunnel.self])
        let transport = ClosureTransport { request in
            sent.withLock { $0.append(request) }
            return TransportResponse(
                url: request.url, status: 200, headers: ["Set-Cookie": "XSRF-TOKEN=t; Path=/"],
                body: .data(Data(teapot.utf8)))
        }
        for _ in 0..<2 {
            let manager = ProductManager()
            manager.proxy = ApiProxy(transport: transport, services: services)
            let error = await failure(manager)
            XCTAssertNil(error)
        }
        XCTAssertEqual(sent.current.map { $0.headers["X-XSRF-TOKEN"] }, [nil, "t"])
        XCTAssertEqual(
            sent.current.map { $0.headers["Referer"] }, Array(repeating: "https://api.example.com/", count: 2)
        )
    }

    // MARK: Declarations

    func testACookieWithoutAJarIsAnError() async throws {
        let stack = Stack(ClosureTransport(json: teapot)) { $0.csrf = CSRFProtection() }
        let error = await failure(stack.poster())
        guard case .invalidService(let reason)? = error?.kind else { return XCTFail("\(error as Any)") }
        XCTAssertTrue(reason.contains("XSRF-TOKEN") && reason.contains("CookieJar()"), reason)
    }

    func testAPropertyOfTheServiceIsAnError() async throws {
        final class Misplaced: Service {
            let baseURL = URL(string: "https://api.example.com")!
            let csrf = CSRFProtection(endpoint: "csrf", header: "X-CSRFToken")
        }
        let services = ServiceFactory()
        services.register([.test: Misplaced.self])
        let manager = ProductManager()
        manager.proxy = ApiProxy(transport: ClosureTransport(json: teapot), services: services)
        let error = await failure(manager)
        guard case .invalidService(let reason)? = error?.kind else { return XCTFail("\(error as Any)") }
        XCTAssertTrue(reason.contains("ServiceConfiguration(csrf: …)"), reason)
    }

    // MARK: Secrets

    func testTheTokenIsASecretUnderAnyName() async throws {
        let desk = try desk(header: "X-Proof")
        let lines = Locked<[String]>([])
        let recorder = TrafficRecorder()
        let logger = APILogger(.full) { line in lines.withLock { $0.append(line) } }
        let stack = desk.stack {
            $0.csrf = CSRFProtection(endpoint: "csrf", at: "result", header: "X-Proof")
        }
        .observed(by: logger).observed(by: recorder)
        let error = await failure(stack.poster())
        XCTAssertNil(error)
        desk.book.withLock { $0.rejectsAll = true }
        let rejected = await failure(stack.poster())
        XCTAssertEqual(desk.book.current.withToken.count, 3)
        let request = try await stack.poster().request(with: [:])
        XCTAssertEqual(request.headers["X-Proof"], "proof-1")
        let texts =
            lines.current + [
                "\(rejected as Any)", request.curlCommand(), "\(request)",
                recorder.archive().canonicalText,
            ]
        XCTAssertTrue(texts.contains { $0.contains("X-Proof") })
        for text in texts { XCTAssertFalse(text.contains("proof-1"), text) }
    }

    /// Tokens differ from call to call, and requests are the same.
    func testTheTokenIsNoPartOfARequestsIdentity() async throws {
        let desk = try desk()
        let stack = desk.stack { $0.cookies = nil }
        var identities: [RequestIdentity?] = []
        for _ in 1...2 {
            _ = await stack.post(1)
            identities.append(RequestIdentity(try await stack.poster().request(with: [:])))
            desk.rotate()
        }
        XCTAssertEqual(Set(desk.book.current.withToken.map { $0.suffix(1) }), ["1", "2"])
        XCTAssertNotNil(identities[0])
        XCTAssertEqual(identities[0], identities[1])
    }
}
