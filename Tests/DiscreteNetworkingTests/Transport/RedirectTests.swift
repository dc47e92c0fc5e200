import Foundation
import XCTest

@testable import DiscreteNetworking

/// Where redirects lead, and what goes along.
final class RedirectTests: XCTestCase {
    private func next(
        _ status: Int, _ location: String?, from url: String = "https://a.example.com/x/y?q=1",
        method: HTTPMethod = .get, headers: HTTPFields = [:], policy: RedirectPolicy = .follow
    ) throws -> APIRequest? {
        let request = APIRequest(
            url: URL(string: url)!, method: method, headers: headers,
            body: method == .get ? .none : .data(Data("body".utf8)), redirectPolicy: policy)
        var response = TransportResponse(url: request.url, status: status)
        response.headers["Location"] = location
        let follower = RedirectFollower(transport: StubTransport(json: ""), redaction: .none)
        return try follower.next(after: response, to: request)
    }

    private func hasBody(_ request: APIRequest?) -> Bool {
        if case .data? = request?.body { true } else { false }
    }

    func testMethodsAndBodies() throws {
        for (status, method, expected, keepsBody) in [
            (301, .post, .get, false), (302, .post, .get, false), (303, .post, .get, false),
            (303, .put, .get, false),
            (303, .head, .head, true), (301, .put, .put, true), (302, .delete, .delete, true),
            (307, .post, .post, true), (308, .patch, .patch, true),
        ] as [(Int, HTTPMethod, HTTPMethod, Bool)] {
            let next = try next(
                status, "/z", method: method, headers: ["Content-Type": "a/b", "X-Kept": "1"])
            XCTAssertEqual(next?.method, expected, "\(status) \(method)")
            XCTAssertEqual(hasBody(next), keepsBody, "\(status) \(method)")
            XCTAssertEqual(next?.headers["Content-Type"] != nil, keepsBody, "\(status) \(method)")
            XCTAssertEqual(next?.headers["X-Kept"], "1")
        }
        for status in [200, 300, 304, 305, 306, 400] { XCTAssertNil(try next(status, "/z")) }
        XCTAssertNil(try next(302, nil))
    }

    func testLocations() throws {
        for (location, expected) in [
            ("/z", "https://a.example.com/z"), ("z", "https://a.example.com/x/z"),
            ("../z", "https://a.example.com/z"), ("?p=2", "https://a.example.com/x/y?p=2"),
            ("//b.example.com/z", "https://b.example.com/z"),
            ("https://b.example.com:444/z", "https://b.example.com:444/z"),
            ("z%2Fw", "https://a.example.com/x/z%2Fw"),
        ] {
            XCTAssertEqual(try next(302, location)?.url.absoluteString, expected, location)
        }
        XCTAssertEqual(try next(302, "/z", from: "https://a/x#part")?.url.absoluteString, "https://a/z#part")
    }

    func testWhereNoRedirectMayLead() {
        for location in [
            "http://a.example.com/", "file:///etc/passwd", "ftp://a/", "javascript:alert(1)", "https://",
            "data:,x",
        ] {
            XCTAssertThrowsError(try next(302, location), location) { error in
                XCTAssertEqual((error as? TransportError)?.kind, .redirectRefused, location)
            }
        }
        XCTAssertNoThrow(try next(302, "https://a.example.com/", from: "http://a.example.com/"))
    }

    func testCredentialsStayAtTheirOrigin() throws {
        let headers: HTTPFields = [
            "Authorization": "Bearer x", "Cookie": "a=1", "Proxy-Authorization": "y", "X-Api-Key": "z",
            "X-Token": "t",
            "Host": "a.example.com", "Accept": "a/b",
        ]
        for location in ["https://b.example.com/", "https://a.example.com:8443/", "//example.com/"] {
            let next = try next(307, location, headers: headers)
            XCTAssertEqual(next?.headers.map(\.name), ["Accept"], location)
        }
        let upgraded = try next(
            307, "https://a.example.com/", from: "http://a.example.com/", headers: headers)
        XCTAssertEqual(upgraded?.headers.map(\.name), ["Accept"], "another scheme is another origin")
        let same = try next(307, "https://A.example.com:443/z", headers: headers)
        XCTAssertEqual(same?.headers.count, 7)
    }

    func testPolicies() throws {
        XCTAssertNil(try next(302, "/z", policy: .refuse))
        XCTAssertNil(try next(302, "/z", policy: .decide { _ in false }))
        let decided = try next(302, "/z", policy: .decide { $0.status == 302 && $0.request.url.path == "/z" })
        XCTAssertNotNil(decided)
        XCTAssertThrowsError(try next(302, "http://a.example.com/", policy: .decide { _ in true }))
    }
}
