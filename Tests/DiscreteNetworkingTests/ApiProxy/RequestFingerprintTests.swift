import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

/// The parts in which two requests differ.
final class RequestFingerprintTests: XCTestCase {
    private func fingerprint(_ request: APIRequest) throws -> RequestFingerprint {
        RequestFingerprint(try XCTUnwrap(RequestIdentity(request)), headers: request.headers)
    }

    private func request(
        _ url: String = "https://a.example.com/x?a=1", _ method: HTTPMethod = .get, headers: HTTPFields = [:],
        _ body: String? = nil
    ) -> APIRequest {
        APIRequest(
            url: URL(string: url)!, method: method, headers: headers,
            body: body.map { .data(Data($0.utf8)) } ?? .none)
    }

    private func differences(_ left: APIRequest, _ right: APIRequest) throws -> [RequestPart] {
        let (left, right) = (try fingerprint(left), try fingerprint(right))
        XCTAssertEqual(left.resource, right.resource)
        XCTAssertFalse(left.isSame(as: right))
        return left.differences(from: right)
    }

    func testParamsOfTheQueryAreCompared() throws {
        let own = request()
        XCTAssertTrue(try fingerprint(own).isSame(as: fingerprint(own)))
        XCTAssertEqual(try differences(own, request("https://a.example.com/x?a=2")), [.param("a")])
        XCTAssertEqual(try differences(own, request("https://a.example.com/x")), [.param("a")])
        XCTAssertEqual(try differences(own, request("https://a.example.com/x?a=1&a=1")), [.param("a")])
        XCTAssertEqual(
            try differences(own, request("https://a.example.com/x?a=1&b+%C3%A9=2")), [.param("b é")])
        XCTAssertEqual(try differences(own, request("https://a.example.com/x?a=1&flag")), [.query])
        XCTAssertEqual(try differences(own, request("http://a.example.com:81/x?a=1")), [.server])
        XCTAssertEqual(
            try differences(
                request("https://a.example.com/x?a=1&b=2"), request("https://a.example.com/x?b=2&a=1")),
            [.order])
        let many = (0..<300).map { "p\($0)=1" }.joined(separator: "&")
        XCTAssertEqual(
            try differences(own, request("https://a.example.com/x?\(many)")), [.param("a"), .query])
    }

    func testPathAndMethodIdentifyTheResource() throws {
        let own = try fingerprint(request())
        for other in [request("https://a.example.com/y?a=1"), request("https://a.example.com/x?a=1", .post)] {
            XCTAssertNotEqual(try fingerprint(other).resource, own.resource)
        }
    }

    func testHeadersHaveTheCaseOfTheRequest() throws {
        let own = request(headers: ["X-Trace": "1", "Accept": "*/*"])
        let found = try differences(own, request(headers: ["X-Trace": "2", "Accept": "*/*"]))
        XCTAssertEqual(found.map(\.description), ["header X-Trace"])
        let order = try differences(own, request(headers: ["Accept": "*/*", "X-Trace": "1"]))
        XCTAssertEqual(order, [.order])
    }

    func testFieldsOfBodiesAreCompared() throws {
        let url = "https://a.example.com/x"
        func json(_ text: String) -> APIRequest {
            request(url, .post, headers: ["Content-Type": "application/json"], text)
        }
        let own = json(#"{"a":1,"b":{"c":[1]}}"#)
        XCTAssertEqual(
            try differences(own, json(#"{"a":1,"b":{"c":[2]},"d":null}"#)), [.param("b"), .param("d")])
        XCTAssertEqual(try differences(own, json(#"{"b":{"c":[1]},"a":1}"#)), [.order])
        XCTAssertEqual(try differences(own, json("[1]")), [.param("a"), .param("b"), .body])
        XCTAssertEqual(try differences(json("[1]"), json("[2]")), [.body])
        let large = String(repeating: "x", count: 70_000)
        XCTAssertEqual(try differences(json(#"{"a":"\#(large)"}"#), json(#"{"a":"\#(large)y"}"#)), [.body])
        func form(_ text: String) -> APIRequest {
            request(
                url, .post, headers: ["Content-Type": "application/x-www-form-urlencoded; charset=utf-8"],
                text)
        }
        XCTAssertEqual(try differences(form("a=1&b=2"), form("a=2&b=2")), [.param("a")])
    }

    func testCredentialsAndUsersChangeTheFingerprint() throws {
        let credential = HTTPCredential.digest(user: "casa", password: "1")
        var (left, right) = (request(), request())
        left.credential = credential
        XCTAssertEqual(try differences(left, right), [.credential])
        right.credential = .digest(user: "casa", password: "2")
        XCTAssertEqual(try differences(left, right), [.credential])
        right = left
        left.notes.identity.session = (["Authorization": "Bearer 1"], "casa")
        left.headers = ["Authorization": "Bearer 1"]
        right.notes.identity.session = (["Authorization": "Bearer 2"], "tigerhu")
        right.headers = ["Authorization": "Bearer 2"]
        XCTAssertEqual(try differences(left, right), [.user])
    }

    /// What is read back is all that was written.
    func testTheIdentityIsReadBack() throws {
        var request = request(headers: ["A": "1", "B": ""], "body")
        request.credential = .basic(user: "casa", password: "secret")
        let parts = try XCTUnwrap(RequestIdentity(request)).parts
        XCTAssertEqual(
            parts.map(\.name),
            [.method, .url, .credential, .credential, .credential, .header("a"), .header("b"), .body])
        XCTAssertEqual(
            parts.map { String(decoding: $0.value, as: UTF8.self) }.enumerated().filter { $0.offset != 2 }
                .map(\.element),
            ["GET", "https://a.example.com/x?a=1", "casa", "secret", "1", "", "body"])
    }

    func testTheTextIsShortAndHasNoSecret() {
        let parts = (1...9).map { RequestPart.param("p\($0)") }
        XCTAssertEqual("\(MissReason.differs([parts[0]]))", "param p1 differs")
        XCTAssertEqual("\(MissReason.differs(Array(parts.prefix(2))))", "param p1 and param p2 differ")
        XCTAssertEqual(
            "\(MissReason.differs(parts))", "param p1, param p2, param p3, param p4 and 5 more differ")
        let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYXNhIn0.c2lnbmF0dXJlLXNpZ25hdHVyZQ"
        var dumped = ""
        dump(MissReason.differs([.param(token)]), to: &dumped)
        XCTAssertFalse(dumped.contains(token), dumped)
        let long = RequestPart.param(String(repeating: "x", count: 5000)).description
        XCTAssertLessThan(long.count, 120)
    }

    func testTheLastOfEquallyNearRequestsIsTaken() throws {
        let others = try ["a=2&b=1", "a=2&b=2", "a=1&b=2"].map {
            try fingerprint(request("https://a.example.com/x?\($0)"))
        }
        let own = try fingerprint(request("https://a.example.com/x?a=1&b=1"))
        XCTAssertEqual(own.differences(fromNearestOf: others), [.param("b")])
        XCTAssertNil(own.differences(fromNearestOf: []))
    }

    // MARK: The registry

    func testTheRegistryRemembersAFewRequestsOfEachResource() throws {
        let registry = StoredRequestRegistry()
        for number in 0..<5000 {
            let path = number < 100 ? "x" : "p\(number)"
            registry.note(
                try fingerprint(request("https://a.example.com/\(path)?a=\(number)")), isStored: true)
            XCTAssertLessThanOrEqual(registry.count, 1024)
            if number == 99 { XCTAssertEqual(registry.count, 16) }
        }
        let gone = try fingerprint(request("https://a.example.com/x?a=99"))
        XCTAssertEqual(registry.reason(for: gone), .nothingStored)
        let near = try fingerprint(request("https://a.example.com/p4999?a=0"))
        XCTAssertEqual(registry.reason(for: near), .differs([.param("a")]))
    }
}
