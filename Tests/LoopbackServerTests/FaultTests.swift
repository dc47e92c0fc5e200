import Foundation
import LoopbackServer
import XCTest

final class FaultTests: XCTestCase {
    /// A hundred bytes of body behind a head of known size.
    private static let body = LoopbackResponse.pattern(count: 100)
    private static let head = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\nConnection: close\r\n\r\n"

    private func serve(_ fault: LoopbackFault) throws -> LoopbackServer {
        let server = try LoopbackServer { _ in
            LoopbackResponse(body: .data(Self.body)).failing(with: fault)
        }
        addTeardownBlock { server.stop() }
        return server
    }

    private func curl(_ fault: LoopbackFault, _ options: String...) throws -> CurlResult {
        let server = try serve(fault)
        let result = try Curl.run(options + [server.baseURL.absoluteString])
        XCTAssertEqual(server.requests.count, 1)
        return result
    }

    private func raw(_ fault: LoopbackFault) throws -> (text: String, isOrderly: Bool) {
        let client = RawClient(try serve(fault).port)
        client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        return client.readToEnd()
    }

    func testCloseEndsTheConnectionInOrder() throws {
        XCTAssertEqual(try curl(.close).exitCode, 52)
        let end = try raw(.close)
        XCTAssertEqual(end.text, "")
        XCTAssertTrue(end.isOrderly)
    }

    func testResetEndsTheConnectionWithAReset() throws {
        XCTAssertEqual(try curl(.reset).exitCode, 56)
        let end = try raw(.reset)
        XCTAssertEqual(end.text, "")
        XCTAssertFalse(end.isOrderly)
    }

    func testStallSendsNothingAfterItsByte() throws {
        let count = Self.head.utf8.count + 10
        let result = try curl(.stall(atByte: count), "-m", "0.5")
        XCTAssertEqual(result.exitCode, 28)
        XCTAssertEqual(result.output, Self.body.prefix(10))
        XCTAssertEqual(try curl(.stall(atByte: 0), "-m", "0.5").exitCode, 28)
    }

    func testStallPastTheEndComesAfterTheWholeResponse() throws {
        let client = RawClient(try serve(.stall(atByte: 10_000)).port)
        client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        XCTAssertEqual(client.read(until: "\r\n\r\n"), Self.head)
        var body: [UInt8] = []
        while body.count < 100, let next = client.read(), !next.isEmpty { body += next }
        XCTAssertEqual(Data(body), Self.body)
    }

    func testCutClosesTheConnectionAtItsByte() throws {
        let count = Self.head.utf8.count + 10
        let result = try curl(.cut(atByte: count))
        XCTAssertEqual(result.exitCode, 18)
        XCTAssertEqual(result.output, Self.body.prefix(10))
        let inHead = try raw(.cut(atByte: 20))
        XCTAssertEqual(inHead.text, String(Self.head.prefix(19)))  // CRLF is one character
        XCTAssertEqual(inHead.text.utf8.count, 20)
        XCTAssertTrue(inHead.isOrderly)
        XCTAssertEqual(try curl(.cut(atByte: 10_000)).output, Self.body)
    }

    func testAbortResetsTheConnectionAtItsByte() throws {
        let count = Self.head.utf8.count + 10
        let result = try curl(.abort(atByte: count))
        XCTAssertEqual(result.exitCode, 56)
        #if os(Linux)  // elsewhere a reset may take received bytes with it
            XCTAssertEqual(result.output, Self.body.prefix(10))
        #endif
        XCTAssertFalse(try raw(.abort(atByte: count)).isOrderly)
    }

    func testAbortDeliversEveryByteBefore() throws {
        let server = try LoopbackServer { _ in
            LoopbackResponse(body: .generated(count: 50_000_000)).failing(with: .abort(atByte: 30_000_000))
        }
        defer { server.stop() }
        let result = try Curl.run(
            "-i", "-o", "/dev/null", "-w", "%{size_download} %{size_header}", server.baseURL.absoluteString)
        XCTAssertEqual(result.exitCode, 56)
        #if os(Linux)
            XCTAssertEqual(result.text.split(separator: " ").compactMap { Int($0) }.reduce(0, +), 30_000_000)
        #endif
    }

    func testAMalformedHeadIsNoHTTP() throws {
        XCTAssertTrue([1, 8].contains(try curl(.malformedHead).exitCode))
        XCTAssertFalse(try raw(.malformedHead).text.hasPrefix("HTTP/"))
    }

    func testRawSendsTheGivenBytes() throws {
        let bytes = "HTTP/1.1 200 OK\r\nContent-Length: nonsense\r\n\r\n"
        XCTAssertEqual(try curl(.raw(Data(bytes.utf8))).exitCode, 8)
        let end = try raw(.raw(Data(bytes.utf8)))
        XCTAssertEqual(end.text, bytes)
        XCTAssertTrue(end.isOrderly)
    }

    func testAWrongContentLengthIsSentAsGiven() throws {
        let server = try LoopbackServer { _ in
            var response = LoopbackResponse.text("short").adding("content-length", "50")
            response.closesConnection = true
            return response
        }
        defer { server.stop() }
        XCTAssertEqual(try Curl.run(server.baseURL.absoluteString).exitCode, 18)
    }

    func testARefusedPortRefusesConnections() throws {
        let port = try LoopbackServer.refusedPort()
        XCTAssertEqual(try Curl.run("http://127.0.0.1:\(port)/").exitCode, 7)
    }
}
