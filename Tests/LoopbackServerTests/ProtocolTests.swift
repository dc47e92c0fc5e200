import Foundation
import LoopbackServer
import XCTest

/// What curl would never send.
final class ProtocolTests: XCTestCase {
    private func serve() throws -> LoopbackServer {
        let server = try LoopbackServer { request in
            .text("\(request.method) \(request.target) \(String(decoding: request.body, as: UTF8.self))\n")
        }
        addTeardownBlock { server.stop() }
        return server
    }

    func testMalformedRequestsAreRefused() throws {
        let server = try serve()
        let host = "Host: x\r\n"
        let cases: [(request: String, status: Int)] = [
            ("nonsense\r\n\r\n", 400),
            ("GET  / HTTP/1.1\r\n\(host)\r\n", 400),
            ("GET / HTTP/1.1 \r\n\(host)\r\n", 400),
            ("G@T / HTTP/1.1\r\n\(host)\r\n", 400),
            ("GET / http/1.1\r\n\(host)\r\n", 400),
            ("GET / HTTP/11\r\n\(host)\r\n", 400),
            ("GET / HTTP/2.0\r\n\(host)\r\n", 505),
            ("GET / HTTP/1.1\n\(host)\n", 400),
            ("GET / HTTP/1.1\r\n\(host)A: bb\nC: dd\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\n\(host)\(host)\r\n", 400),
            ("GET / HTTP/1.1\r\n\(host)Bad Name: x\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\n\(host)Name : x\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\n\(host)A: b\r\n folded\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\n\(host)No colon\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\n\(host)A: b\u{0}c\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\n\(host)Content-Length: abc\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\n\(host)Content-Length: +5\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\n\(host)Content-Length: -5\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\n\(host)Content-Length:\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\n\(host)Content-Length: 5\r\nContent-Length: 6\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\n\(host)Content-Length: 99999999999999999999\r\n\r\n", 413),
            ("POST / HTTP/1.1\r\n\(host)Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
            ("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\n\(host)Transfer-Encoding: rot13\r\n\r\n", 501),
            ("POST / HTTP/1.1\r\n\(host)Transfer-Encoding: gzip, chunked\r\n\r\n", 501),
            ("POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked, chunked\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\nxyz\r\n", 400),
            ("POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n", 400),
            ("POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n3\r\nabc!!0\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n", 413),
            ("GET / HTTP/1.1\r\n\(host)Expect: miracles\r\n\r\n", 417),
            ("GET /" + String(repeating: "a", count: 70_000) + " HTTP/1.1\r\n\(host)\r\n", 431),
            ("GET / HTTP/1.1\r\n\(host)A: " + String(repeating: "a", count: 70_000) + "\r\n\r\n", 431),
            ("GET / HTTP/1.1\r\n\(host)" + String(repeating: "A: b\r\n", count: 12_000) + "\r\n", 431),
        ]
        for (request, status) in cases {
            let client = RawClient(server.port)
            client.write(request)
            let head = client.read(until: "\r\n\r\n")
            XCTAssertTrue(head.hasPrefix("HTTP/1.1 \(status) "), "\(request.prefix(90)) gave \(head)")
            XCTAssertTrue(head.contains("Connection: close\r\n"))
            XCTAssertTrue(client.readToEnd().isOrderly, "\(request.prefix(90))")
        }
        XCTAssertTrue(server.requests.isEmpty)
    }

    func testUnusualRequestsAreServed() throws {
        let server = try serve()
        let host = "Host: x\r\n"
        let cases: [(request: String, answer: String)] = [
            ("\r\n\r\nGET / HTTP/1.1\r\n\(host)\r\n", "GET / \n"),
            ("GET http://x/abs?q HTTP/1.1\r\nhOsT:\t x \t\r\n\r\n", "GET http://x/abs?q \n"),
            ("OPTIONS * HTTP/1.1\r\n\(host)\r\n", "OPTIONS * \n"),
            ("GET / HTTP/1.9\r\n\(host)\r\n", "GET / \n"),
            ("M-SEARCH / HTTP/1.1\r\n\(host)Empty:\r\n\r\n", "M-SEARCH / \n"),
            ("POST / HTTP/1.1\r\n\(host)Content-Length: 2\r\nContent-Length: 2\r\n\r\nok", "POST / ok\n"),
            (
                "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: Chunked\r\n\r\n"
                    + "3;name=\"v\"\r\nabc\r\n00A ; x\r\n0123456789\r\n000\r\nX-Sum: 13\r\n\r\n",
                "POST / abc0123456789\n"
            ),
        ]
        for (request, answer) in cases {
            let client = RawClient(server.port)
            client.write(request)
            XCTAssertTrue(client.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 OK\r\n"), request)
            XCTAssertEqual(client.read(until: "\n"), answer)
        }
        XCTAssertEqual(server.requests[1].path, "/abs")
        XCTAssertEqual(server.requests[1].header("host"), "x")
        XCTAssertEqual(server.requests.last?.trailers.map(\.value), ["13"])
    }

    func testPipelinedRequestsAreAnsweredInOrder() throws {
        let server = try serve()
        let client = RawClient(server.port)
        let requests = (0..<200).map { number in
            "POST /\(number) HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n\(number % 10)"
        }
        client.write(requests.joined())
        for number in 0..<200 {
            XCTAssertTrue(client.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 OK"))
            XCTAssertEqual(client.read(until: "\n"), "POST /\(number) \(number % 10)\n")
        }
        XCTAssertEqual(server.requests.map(\.target), (0..<200).map { "/\($0)" })
        XCTAssertEqual(server.acceptedConnections, 1)
    }

    func testNoBodyFollowsWhereNoneMayBe() throws {
        let server = try LoopbackServer { .text("body", status: Int($0.path.dropFirst()) ?? 200) }
        defer { server.stop() }
        let client = RawClient(server.port)
        let requests = ["HEAD /200", "GET /204", "GET /304", "HEAD /204"]
        client.write(requests.map { "\($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined())
        for status in ["200", "204", "304", "204"] {
            XCTAssertTrue(client.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 \(status) "))
        }
        client.write("GET /200 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        XCTAssertTrue(client.readToEnd().text.hasPrefix("HTTP/1.1 200 "))
    }

    /// On a watch with 32 bits, from 2 GB on.
    func testALengthBeyondTheRangeOfIntIsRefusedWithoutALimit() throws {
        let server = try LoopbackServer(bodyLimit: .max) { _ in .status(204) }
        defer { server.stop() }
        let client = RawClient(server.port)
        client.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9223372036854775808\r\n\r\n")
        XCTAssertTrue(client.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 413 "))
    }

    func testARefusedUploadIsStillReadWhileItComes() async throws {
        let server = try LoopbackServer(bodyLimit: 10) { _ in .status(204) }
        defer { server.stop() }
        let client = RawClient(server.port)
        client.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\n")
        let end = client.readToEnd()
        XCTAssertTrue(end.text.hasPrefix("HTTP/1.1 413 "))
        XCTAssertTrue(end.isOrderly)
        XCTAssertEqual(server.openConnections, 1, "closing now would reset a client that is still sending")
        client.write("hello world")
        client.end()
        await server.waitForOpenConnections(atMost: 0)
        XCTAssertEqual(server.openConnections, 0)
    }

    func testARequestMayComeByteByByte() throws {
        let server = try serve()
        let client = RawClient(server.port)
        let request =
            "POST /b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"
        for byte in request.unicodeScalars { client.write(String(byte)) }
        _ = client.read(until: "\r\n\r\n")
        XCTAssertEqual(client.read(until: "\n"), "POST /b hi\n")
    }

    func testOldClientsKeepTheConnectionOnlyOnRequest() throws {
        let server = try serve()
        let client = RawClient(server.port)
        client.write("GET /1 HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n")
        XCTAssertTrue(client.read(until: "\r\n\r\n").contains("Connection: keep-alive\r\n"))
        XCTAssertEqual(client.read(until: "\n"), "GET /1 \n")
        client.write("GET /2 HTTP/1.0\r\n\r\n")
        let end = client.readToEnd()
        XCTAssertTrue(end.text.contains("Connection: close\r\n"))
        XCTAssertTrue(end.isOrderly)
    }

    func testTrailersFollowTheLastChunk() throws {
        let server = try LoopbackServer { _ in
            LoopbackResponse(body: .chunks([Data("0123456789abcdef".utf8)], trailers: [("X-Sum", "7")]))
        }
        defer { server.stop() }
        let client = RawClient(server.port)
        client.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        XCTAssertTrue(
            client.readToEnd().text.hasSuffix(
                "\r\n\r\n10\r\n0123456789abcdef\r\n0\r\nX-Sum: 7\r\n\r\n"))
    }

    func testAResponseIsNotResetByRequestsLeftUnread() throws {
        let server = try LoopbackServer { _ in
            LoopbackResponse(body: .generated(count: 100_000)).failing(with: .cut(atByte: 90_000))
        }
        defer { server.stop() }
        let client = RawClient(server.port)
        let request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
        client.write(String(repeating: request, count: 10_000))
        let end = client.readToEnd()
        XCTAssertEqual(end.text.utf8.count >= 90_000, true)
        XCTAssertTrue(end.isOrderly)
        XCTAssertEqual(server.requests.count, 1)
    }
}
