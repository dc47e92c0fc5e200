import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Which request follows a redirect, over a transport that only answers.
final class RedirectTests: XCTestCase {
    private static let origin = "https://shop.example.com/a/b/c?old=1"

    /// The request that follows a redirect.
    private func next(
        _ status: Int, _ location: String?, from url: String = origin, _ method: HTTPMethod = .get,
        headers: HTTPFields = [:], body: RequestBody = .none, policy: RedirectPolicy = .follow
    ) throws -> APIRequest? {
        let source = try XCTUnwrap(URL(string: url))
        var request = APIRequest(url: source, method: method, headers: headers, body: body)
        request.notes.redirectPolicy = policy
        let response = TransportResponse(
            url: source, status: status, headers: location.map { ["location": $0] } ?? [:])
        return try RedirectFollower(transport: ClosureTransport(json: ""), redaction: .standard)
            .next(after: response, to: request)
    }

    private func refusal(_ location: String, from url: String = origin) -> TransportError.Kind? {
        do {
            let next = try next(302, location, from: url)
            XCTAssertNil(next?.url.absoluteString, "followed")
            return nil
        } catch {
            return (error as? TransportError)?.kind
        }
    }

    // MARK: Method and body

    private static let body = RequestBody.data(Data("{}".utf8))
    private static let bodyHeaders: HTTPFields = [
        "content-type": "application/json", "Content-Language": "en", "Content-Encoding": "gzip",
        "Content-Length": "2", "Content-Location": "/x", "X-Kept": "1",
    ]

    func testMethodsThatBecomeAGetWithoutABody() throws {
        let cases: [(Int, HTTPMethod)] = [
            (301, .post), (302, .post), (303, .post), (303, .put), (303, .patch), (303, .delete), (303, .get),
        ]
        for (status, method) in cases {
            let next = try XCTUnwrap(
                next(status, "/n", method, headers: Self.bodyHeaders, body: Self.body))
            XCTAssertEqual(next.method, .get, "\(status) \(method)")
            guard case .none = next.body else { return XCTFail("\(status) \(method) keeps its body") }
            XCTAssertEqual(next.headers, ["X-Kept": "1"], "\(status) \(method)")
        }
    }

    func testMethodsThatStayWithTheirBody() throws {
        let cases: [(Int, HTTPMethod)] = [
            (307, .post), (308, .post), (307, .put), (308, .patch), (307, .delete), (301, .put), (302, .put),
            (302, .delete), (301, .patch), (302, .get), (307, .get),
        ]
        for (status, method) in cases {
            let next = try XCTUnwrap(
                next(status, "/n", method, headers: Self.bodyHeaders, body: Self.body))
            XCTAssertEqual(next.method, method, "\(status)")
            guard case .data(Data("{}".utf8)) = next.body else { return XCTFail("\(status) \(method)") }
            XCTAssertEqual(next.headers, Self.bodyHeaders, "\(status) \(method)")
        }
    }

    func testAHeadStaysAHead() throws {
        for status in [301, 302, 303, 307, 308] {
            XCTAssertEqual(try next(status, "/n", .head)?.method, .head, "\(status)")
        }
    }

    func testOtherStatusesAreAnswers() throws {
        for status in [200, 201, 300, 304, 305, 306, 309, 400, 401, 503] {
            XCTAssertNil(try next(status, "/n"), "\(status)")
        }
    }

    // MARK: Locations

    func testLocationsAreResolvedAgainstTheURL() throws {
        let cases = [
            ("/n", "https://shop.example.com/n"), ("n", "https://shop.example.com/a/b/n"),
            ("./n", "https://shop.example.com/a/b/n"), ("../n", "https://shop.example.com/a/n"),
            ("../../../../n", "https://shop.example.com/n"), ("?q=2", "https://shop.example.com/a/b/c?q=2"),
            ("/x/./y/../z", "https://shop.example.com/x/z"),
            ("//other.example.com/n", "https://other.example.com/n"),
            ("https://other.example.com", "https://other.example.com"),
            ("HTTPS://other.example.com/n", "HTTPS://other.example.com/n"),
            ("/a%2Fb?x=%26+c", "https://shop.example.com/a%2Fb?x=%26+c"),
            ("https://shop.example.com:8443/n", "https://shop.example.com:8443/n"),
            ("n;v=1?a=b#part", "https://shop.example.com/a/b/n;v=1?a=b#part"),
        ]
        for (location, expected) in cases {
            XCTAssertEqual(try next(302, location)?.url.absoluteString, expected, location)
        }
    }

    func testFromHTTPToHTTPSIsFollowed() throws {
        let next = try next(302, "https://shop.example.com/n", from: "http://shop.example.com/")
        XCTAssertEqual(next?.url.absoluteString, "https://shop.example.com/n")
    }

    func testARedirectWithoutALocationIsTheAnswer() throws {
        XCTAssertNil(try next(302, nil))
    }

    func testLocationsThatAreRefused() {
        for location in [
            "file:///etc/passwd", "ftp://shop.example.com/n", "javascript:alert(1)", "data:text/plain,x",
            "mailto:a@example.com", "https:///n", "https://", "http://[::1",
            "https://shop.example.com@evil.example/", "https://user:pw@shop.example.com/",
            "//@shop.example.com/",
        ] {
            XCTAssertEqual(refusal(location), .redirectRefused, location)
            XCTAssertEqual(refusal(location, from: "http://shop.example.com/"), .redirectRefused, location)
        }
    }

    func testFromHTTPSToHTTPIsRefusedWhateverThePolicy() {
        XCTAssertEqual(refusal("http://shop.example.com/n"), .plainHTTPRefused)
        XCTAssertEqual(refusal("HTTP://shop.example.com/n"), .plainHTTPRefused)
        XCTAssertEqual(refusal("http://127.0.0.1/n"), .plainHTTPRefused)
        XCTAssertThrowsError(
            try next(302, "http://shop.example.com/n", policy: .decide { _ in true }))
    }

    /// A path alone leads to the same authority (RFC 3986 section 5.2.2), whose userinfo no server has chosen.
    func testTheRequestsOwnUserinfoStays() throws {
        let source = "https://casa:pw@shop.example.com/a/b"
        for location in ["/n", "n", "?x=1", "https://casa:pw@shop.example.com/n"] {
            XCTAssertEqual(try next(302, location, from: source)?.url.password, "pw", location)
        }
        XCTAssertNil(try next(302, "https://other.example.com/", from: source)?.url.user)
        for location in ["https://casa:pw@other.example.com/", "https://bob:pw@shop.example.com/"] {
            XCTAssertEqual(refusal(location, from: source), .redirectRefused, location)
        }
    }

    func testTheFragmentIsInherited() throws {
        let source = "https://shop.example.com/a#part"
        XCTAssertEqual(try next(302, "/n?x=1", from: source)?.url.absoluteString.suffix(9), "?x=1#part")
        XCTAssertEqual(try next(302, "/n#own", from: source)?.url.fragment, "own")
        XCTAssertNil(try next(302, "/n")?.url.fragment)
    }

    // MARK: Headers

    private static let secrets: [HTTPFields.Name] = [
        "Authorization", "cookie", "Proxy-Authorization", "X-Api-Key", "X-Token", "X-Auth-Token",
        "X-Signature", "Client-Secret", "X-Auth", "X-JWT", "X-Session", "Ocp-Apim-Subscription-Key",
    ]

    private func keptHeaders(_ location: String, from url: String) throws -> [HTTPFields.Name]? {
        var headers: HTTPFields = ["Host": "shop.example.com", "Accept": "text/plain", "X-Other": "1"]
        for name in Self.secrets { headers.append(name, "s3cr3t") }
        return try next(307, location, from: url, .post, headers: headers)?.headers.map(\.name)
    }

    func testSecretsStayWithTheirOrigin() throws {
        for location in [
            "https://other.example.com/", "//other.example.com/", "https://sub.shop.example.com/",
            "https://shop.example.com:8443/", "https://shop.example.com.evil.example/",
        ] {
            let kept = try keptHeaders(location, from: Self.origin)
            XCTAssertEqual(kept, ["Accept"], location)
        }
        let kept = try keptHeaders("https://shop.example.com/", from: "http://shop.example.com/")
        XCTAssertEqual(kept, ["Accept"], "another scheme")
    }

    func testSecretsGoAlongWithinTheirOrigin() throws {
        for location in [
            "/n", "?x=1", "https://shop.example.com/n", "https://shop.example.com:443/n",
            "https://SHOP.example.COM/n",
        ] {
            let kept = try keptHeaders(location, from: Self.origin)
            XCTAssertEqual(kept, ["Host", "Accept", "X-Other"] + Self.secrets, location)
        }
    }

    /// What is said in RedirectPolicy is what is sent.
    func testHeadersThatGoToAnotherOrigin() throws {
        let harmless = [
            "Accept", "Accept-Encoding", "Accept-Language", "Cache-Control", "Content-Encoding",
            "Content-Language",
            "Content-Type", "If-Match", "If-Modified-Since", "If-None-Match", "If-Range",
            "If-Unmodified-Since",
            "Range", "User-Agent",
        ]
        var headers = HTTPFields(
            try harmless.map { .init(name: try .init(validating: $0.uppercased()), value: "1") })
        for name: HTTPFields.Name in ["Referer", "Origin", "X-Request-ID", "traceparent", "From"] {
            headers.append(name, "1")
        }
        let next = try next(307, "https://other.example.com/", .put, headers: headers)
        XCTAssertEqual(next?.headers.map(\.name.rawName), harmless.map { $0.uppercased() })
    }

    private static let secretBodies: [(String, String)] = [
        ("application/json", #"{"user":{"password":"hunter"}}"#),
        ("application/x-www-form-urlencoded", "a=1&access_token=hunter"),
        (
            "multipart/form-data; boundary=b",
            "--b\r\nContent-Disposition: form-data; name=\"pin\"\r\n\r\n1234\r\n--b--\r\n"
        ),
    ]

    func testASecretBodyIsNotSentToAnotherOriginUnasked() throws {
        for (type, body) in Self.secretBodies {
            for (status, method) in [(307, HTTPMethod.post), (308, .post), (302, .put)] {
                func next(_ location: String, _ policy: RedirectPolicy) throws -> APIRequest? {
                    try self.next(
                        status, location, method, headers: ["Content-Type": type],
                        body: .data(Data(body.utf8)), policy: policy)
                }
                XCTAssertThrowsError(try next("https://other.example.com/", .follow), type) {
                    XCTAssertEqual(($0 as? TransportError)?.kind, .redirectRefused)
                    XCTAssertFalse("\($0)".contains("hunter"))
                }
                XCTAssertNil(try next("https://other.example.com/", .decide { _ in false }))
                let asked = Locked(0)
                let allowed = try next(
                    "https://other.example.com/",
                    .decide { redirect in
                        asked.withLock { $0 += 1 }
                        return redirect.request.body.text == body
                    })
                XCTAssertEqual(allowed?.body.text, body)
                XCTAssertEqual(asked.current, 1)
                XCTAssertEqual(try next("/n", .follow)?.body.text, body, "the same origin")
            }
        }
    }

    func testABodyWithoutSecretsGoesAlong() throws {
        let next = try next(
            307, "https://other.example.com/", .put, headers: ["Content-Type": "image/png"],
            body: .data(Data([0x89, 0x50, 0xFF])))
        XCTAssertEqual(try next?.body.length, 3)
    }

    func testWordsOfTheProxysRedactionAreSecretsToo() throws {
        let follower = RedirectFollower(
            transport: ClosureTransport(json: ""), redaction: .standard.adding("User-Agent"))
        let source = try XCTUnwrap(URL(string: Self.origin))
        let response = TransportResponse(
            url: source, status: 302, headers: ["Location": "https://other.example.com"])
        let request = APIRequest(url: source, headers: ["User-Agent": "1", "Accept": "1"])
        XCTAssertEqual(try follower.next(after: response, to: request)?.headers, ["Accept": "1"])
    }

    func testLoggingSecretsDoesNotGiveThemAway() throws {
        let follower = RedirectFollower(transport: ClosureTransport(json: ""), redaction: .none)
        let source = try XCTUnwrap(URL(string: Self.origin))
        let response = TransportResponse(
            url: source, status: 302, headers: ["Location": "https://other.example.com"])
        let request = APIRequest(url: source, headers: ["Authorization": "x", "X-Token": "1"])
        XCTAssertEqual(try follower.next(after: response, to: request)?.headers, [:])
    }
}
