import DiscreteNetworking
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingContracts

/// Recordings of a service with cookies.
@MainActor
final class CookieCassetteTests: XCTestCase {
    private static let secret = "c00kie-s3cr3t"
    private var file: URL!

    override func setUp() async throws {
        file = try temporaryFolder().appendingPathComponent("login.json")
    }

    private var text: String { get throws { try String(contentsOf: file, encoding: .utf8) } }

    private final class MemberService: Service {
        let baseURL: URL
        let configuration: ServiceConfiguration

        convenience init() { self.init(at: URL(string: "http://127.0.0.1:9")!, later: 0) }

        /// - Parameter later: The seconds by which the clock of the cookies is ahead.
        init(at url: URL, later: TimeInterval) {
            baseURL = url
            configuration = ServiceConfiguration(cookies: CookieJar(now: { Date() + later }))
        }
    }

    /// A server with a login by cookie. Its profile needs the cookie, and a logout deletes it.
    private func server() throws -> LoopbackServer {
        let name = "sid=\(Self.secret)"
        let server = try LoopbackServer(routes: [
            .post("/login") { _ in
                let expiry = DateFormatter.http.string(from: Date() + 3600)
                return .json(#"{"ok":true}"#).adding(
                    "Set-Cookie", "\(name); Path=/; HttpOnly; Expires=\(expiry)"
                )
                .adding("Set-Cookie", "theme=dark; Path=/elsewhere; Max-Age=60; SameSite=Lax")
            },
            .get("/me") { request in
                request.header("Cookie") == name
                    ? .json(#"{"name":"casa"}"#) : .json(#"{"name":null}"#, status: 401)
            },
            .post("/logout") { request in
                .json(#"{"ok":true}"#, status: request.header("Cookie") == name ? 200 : 401)
                    .adding("Set-Cookie", "sid=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT")
            },
        ])
        addTeardownBlock { server.stop() }
        return server
    }

    /// Logs in, uses the login, logs out, and is refused.
    private func converse(over transport: any Transport, at url: URL, later: TimeInterval = 0) async throws {
        let services = ServiceFactory()
        services.register([.depot: { MemberService(at: url, later: later) }])
        let proxy = ApiProxy(transport: transport, services: services)
        func manager(_ method: HTTPMethod, _ name: String) -> AnythingManager {
            let manager = AnythingManager()
            (manager.proxy, manager.methodName, manager.requestType) = (proxy, name, method)
            return manager
        }
        _ = try await manager(.post, "login").load(with: ["name": "casa", "password": "pa55word"])
        let profile = try await manager(.get, "me").load()
        XCTAssertEqual(profile, ["name": "casa"])
        _ = try await manager(.post, "logout").load()
        do throws(APIError) {
            _ = try await manager(.get, "me").load()
            XCTFail("The cookie was not deleted.")
        } catch {
            XCTAssertEqual(error.kind, .http(status: 401), error.localizedDescription)
        }
    }

    private func checkReplay(of transport: any Transport, later: TimeInterval = 0) async throws {
        let server = try server()
        try await converse(
            over: CassetteTransport(at: file, mode: .record(over: transport)), at: server.baseURL)
        server.stop()
        XCTAssertFalse(try text.contains(Self.secret))
        XCTAssertFalse(try text.contains("pa55word"))
        for mode in [CassetteTransport.Mode.replay, .replayExactly] {
            let cassette = CassetteTransport(at: file, mode: mode)
            try await converse(over: cassette, at: server.baseURL, later: later)
            XCTAssertEqual(cassette.problems, [])
        }
    }

    func testALoginWithCookiesReplaysOverURLSession() async throws {
        try await checkReplay(of: URLSessionTransport())
    }

    #if os(Linux)
        func testALoginWithCookiesReplaysOverCurl() async throws {
            try await checkReplay(of: CurlTransport())
        }
    #endif

    func testACookieThatHasExpiredSinceTheRecordingReplays() async throws {
        try await checkReplay(of: URLSessionTransport(), later: 365 * 86_400)
    }

    func testNamesAndAttributesOfCookiesAreRecorded() {
        let now = Date(timeIntervalSince1970: 1_000_000_000)  // 2001-09-09 01:46:40 GMT
        for (line, recorded) in [
            ("sid=\(Self.secret)", "sid=<redacted>"),
            (" sid = \(Self.secret) ;Path=/; HttpOnly;secure", "sid=<redacted>; Path=/; HttpOnly; secure"),
            (
                "a=1; Expires=Sun, 09 Sep 2001 02:46:40 GMT; Domain=.x.com",
                "a=<redacted>; Max-Age=3600; Domain=.x.com"
            ),
            ("a=1; Expires=Sun, 09 Sep 2001 02:46:40 GMT; Max-Age=60", "a=<redacted>; Max-Age=60"),
            ("a=1; Max-Age=soon; Expires=Sun, 09 Sep 2001 02:46:40 GMT", "a=<redacted>; Max-Age=3600"),
            ("a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; SameSite=Lax", "a=; Max-Age=0; SameSite=Lax"),
            ("a=1; Expires=Fri, 31 Dec 9999 23:59:59 GMT", "a=<redacted>; Max-Age=1000000000"),
            (
                "a=1; Expires=never; Note=\(Self.secret); Path=/x?token=\(Self.secret)",
                "a=<redacted>; Path=/x?token=<redacted>"
            ),
            ("\(Self.secret)", "<redacted>"), ("=\(Self.secret)", "<redacted>"), ("", "<redacted>"),
        ] {
            let headers = RecordedCookies.redacted(["Set-Cookie": line, "X-Token": "1"], .standard, at: now)
            XCTAssertEqual(headers.map(\.value), [recorded, "<redacted>"], line)
        }
        let open = RecordedCookies.redacted(["Set-Cookie": "a=1; Path=/"], .none, at: now)
        XCTAssertEqual(open["Set-Cookie"], "a=1; Path=/")
    }

    /// Earlier versions redacted `Set-Cookie` as a whole.
    func testAnEarlierRecordingSaysWhatToDo() async throws {
        func entry(_ method: String, _ path: String, _ request: String, _ response: String) -> String {
            """
            {"request": {"method": "\(method)", "url": "https://depot.example.com/\(path)", "headers": [\(request)]},
             "response": {"status": 200, "headers": [\(response)]}}
            """
        }
        let login = entry("POST", "login", "", #"{"name": "Set-Cookie", "value": "<redacted>"}"#)
        let profile = entry("GET", "me", #"{"name": "Cookie", "value": "<redacted>"}"#, "")
        try Data(#"{"log": {"entries": [\#(login), \#(profile)]}}"#.utf8).write(to: file)
        let cassette = CassetteTransport(at: file, mode: .replay)
        _ = try? await cassette.send(APIRequest(url: URL(string: "https://depot.example.com/me")!))
        XCTAssertEqual(
            cassette.lastMismatch,
            """
            login.json has no response to request 1, GET https://depot.example.com/me. \
            Nearest is request 2, GET https://depot.example.com/me:
              header cookie: recorded "<redacted>", now none
              The cassette has no names of cookies, because an earlier version recorded it. Record it again.
            """)
    }

    // MARK: The nearest entry

    private func record(_ requests: [APIRequest]) async throws -> CassetteTransport {
        let transport = CassetteTransport(at: file, mode: .record(over: CannedTransport("1")))
        for request in requests { _ = try await transport.send(request) }
        return CassetteTransport(at: file, mode: .replay)
    }

    func testTheNearestEntryIsTheOneOfTheSameURLWhateverItsHeaders() async throws {
        let url = URL(string: "https://depot.example.com/orders?page=1")!
        var headers = HTTPFields()
        for number in 1...30 { headers.append(try HTTPFields.Name(validating: "X-\(number)"), "1") }
        let own = APIRequest(url: url, headers: headers)
        let others = [
            APIRequest(url: URL(string: "https://depot.example.com/other?page=1")!),
            APIRequest(url: url, method: .post),
            APIRequest(url: URL(string: "https://depot.example.com/orders?page=2")!),
        ]
        let cassette = try await record(others + [own])
        _ = try? await cassette.send(APIRequest(url: url))
        let text = try XCTUnwrap(cassette.lastMismatch)
        XCTAssertTrue(
            text.contains("Nearest is request 4, GET https://depot.example.com/orders?page=1:"), text)
    }
}

extension DateFormatter {
    /// The dates of `Expires` (RFC 9110 section 5.6.7).
    fileprivate static var http: DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter
    }
}
