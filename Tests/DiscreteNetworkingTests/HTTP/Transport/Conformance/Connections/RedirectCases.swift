import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// Redirects, which the framework follows over every transport.
extension ConnectionsConformance {
    func testMethodAndBodyAreSentAgainAfter307And308() async throws {
        let size = 100_000
        let bodies = [
            RequestBody.data(LoopbackResponse.pattern(count: size)), .file(try patternFile(size)),
            .stream(length: nil, Self.patternStream(size)),
            .stream(length: Int64(size), Self.patternStream(size)),
        ]
        for status in [307, 308] {
            for body in bodies {
                let server = try LoopbackServer(keepsBodies: false) { request in
                    request.path == "/old"
                        ? .redirect(to: "/new?x=1", status: status) : .text("\(request.bodyCount)")
                }
                defer { server.stop() }
                for method in [HTTPMethod.post, .put] {
                    let response = try await transport.outcome(of: server.request("/old", method, body: body))
                        .get()
                    XCTAssertEqual(response.text, "\(size)")
                    XCTAssertEqual(response.url.path, "/new")
                }
                XCTAssertEqual(server.requests.map(\.method), ["POST", "POST", "PUT", "PUT"])
                XCTAssertEqual(server.requests.map(\.target), ["/old", "/new?x=1", "/old", "/new?x=1"])
                XCTAssertEqual(server.requests.map(\.bodyCount), [size, size, size, size])
                XCTAssertTrue(server.requests.allSatisfy(\.bodyIsPattern))
            }
        }
    }

    func testAPostBecomesAGetAfter301And302And303() async throws {
        for status in [301, 302, 303] {
            let server = try serve { request in
                request.path == "/orders" ? .redirect(to: "/orders/7", status: status) : .text("seven")
            }
            let request = server.request(
                "/orders", .post, headers: ["Content-Type": "text/plain"], body: .data(Data("x".utf8)))
            let response = try await transport.outcome(of: request).get()
            XCTAssertEqual(response.text, "seven")
            XCTAssertEqual(server.requests.map(\.method), ["POST", "GET"])
            XCTAssertEqual(server.requests.map { $0.body.count }, [1, 0])
            XCTAssertNil(server.requests.last?.header("Content-Type"))
        }
    }

    func testRelativeLocationsAndTheirEscapes() async throws {
        for (location, target) in [
            ("next", "/a/b/next"), ("/n", "/n"), ("../n", "/a/n"), ("?q=2", "/a/b/c?q=2"),
            ("/x%2Fy?z=%26", "/x%2Fy?z=%26"),
            ("%E8%8C%B6", "/a/b/%E8%8C%B6"),
        ] {
            let server = try serve { $0.target == "/a/b/c" ? .redirect(to: location) : .text("there") }
            let response = try await transport.outcome(of: server.request("/a/b/c")).get()
            XCTAssertEqual(response.text, "there")
            XCTAssertEqual(server.requests.map(\.target), ["/a/b/c", target])
        }
    }

    func testLocationsThatAreNoHTTPAreRefused() async throws {
        for location in [
            "file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1/", "javascript:1", "//",
            "http://[::1",
        ] {
            let server = try serve { _ in .redirect(to: location) }
            for delivery in Delivery.allCases {
                let outcome = await transport.fetch(server.request(), as: delivery)
                XCTAssertEqual(outcome.error?.kind, .redirectRefused, location)
            }
            XCTAssertEqual(server.requests.count, 2, location)
        }
    }

    /// A transport would make credentials of it, which the server has chosen (RFC 9110 section 4.2.4).
    func testUserinfoInALocationIsRefused() async throws {
        let other = try serve { _ in .text("there") }
        for userinfo in ["user:pw", "user", ":pw", "user:", "localhost%3A80", ":", ""] {
            for location in [
                "http://\(userinfo)@localhost:\(other.port)/", "//\(userinfo)@localhost:\(other.port)/",
            ] {
                let server = try serve { _ in .redirect(to: location) }
                for policy in [RedirectPolicy.follow, .decide { _ in true }] {
                    var request = server.request()
                    request.notes.redirectPolicy = policy
                    let outcome = await transport.outcome(of: request)
                    XCTAssertEqual(outcome.error?.kind, .redirectRefused, location)
                }
            }
        }
        let itself = try serve { request in
            request.path == "/"
                ? .redirect(to: "http://user:pw@\(request.header("Host") ?? "")/there") : .text("there")
        }
        let outcome = await transport.outcome(of: itself.request())
        XCTAssertEqual(outcome.error?.kind, .redirectRefused, "at home too")
        XCTAssertEqual(itself.requests.count + other.requests.count, 1)
    }

    func testCredentialsDoNotCrossHosts() async throws {
        let other = try serve { _ in .text("there") }
        let target = "http://localhost:\(other.port)/there"
        let server = try serve {
            $0.path == "/far" ? .redirect(to: target, status: 307) : .redirect(to: "/far", status: 307)
        }
        var request = server.request(
            "/near", .post,
            headers: [
                "Authorization": "Bearer s3cr3t", "Cookie": "a=1", "Proxy-Authorization": "x",
                "X-Api-Key": "k", "X-Plain": "1",
            ], body: .data(Data("x".utf8)))
        request.credential = .digest(user: "casa", password: "s3cr3t")
        _ = try await transport.outcome(of: request).get()
        XCTAssertEqual(server.requests.map { $0.header("Cookie") }, ["a=1", "a=1"])
        let far = try XCTUnwrap(other.requests.first)
        for name in ["Authorization", "Cookie", "Proxy-Authorization", "X-Api-Key"] {
            XCTAssertNil(far.header(name), name)
        }
        XCTAssertNil(far.header("X-Plain"), "only what is known to be harmless goes along")
        XCTAssertEqual(far.header("Host"), "localhost:\(other.port)")
        XCTAssertEqual(far.body, Data("x".utf8))
    }

    func testALongChainEndsAndALoopIsRefused() async throws {
        let server = try serve { request in
            let left = Int(request.path.dropFirst()) ?? 0
            return left == 0
                ? .text("end") : request.path == "/99" ? .redirect(to: "/99") : .redirect(to: "/\(left - 1)")
        }
        let response = try await transport.outcome(of: server.request("/20")).get()
        XCTAssertEqual(response.text, "end")
        XCTAssertEqual(server.acceptedConnections, 1)
        let kind = await transport.failure(server.request("/99"))
        XCTAssertEqual(kind, .redirectRefused)
    }

    func testARedirectToAStream() async throws {
        let server = try serve {
            $0.path == "/" ? .redirect(to: "/body") : LoopbackResponse(body: .generated(count: 1 << 20))
        }
        let response = try await transport.fetch(server.request(), as: .stream).get()
        XCTAssertTrue(response.data == LoopbackResponse.pattern(count: 1 << 20))
    }
}
