import Foundation
import LoopbackServer
import XCTest

/// What the server counts instead of keeping it.
final class CountingTests: XCTestCase {
    private func upload(_ body: Data, to server: LoopbackServer, _ options: String...) throws {
        let result = try Curl.run(
            options + ["--data-binary", "@-", server.baseURL.absoluteString], input: body)
        XCTAssertEqual(result.exitCode, 0, result.log)
    }

    func testABodyThatIsNotKeptIsCountedAndCompared() throws {
        let server = try LoopbackServer(keepsBodies: false) { _ in .text("ok") }
        defer { server.stop() }
        let pattern = LoopbackResponse.pattern(count: 1_000_003)
        var other = pattern
        other[999_999] ^= 1
        try upload(pattern, to: server)
        try upload(pattern, to: server, "-H", "Transfer-Encoding: chunked")
        try upload(other, to: server)
        try upload(pattern.dropFirst(), to: server)
        XCTAssertEqual(server.requests.map(\.bodyCount), [1_000_003, 1_000_003, 1_000_003, 1_000_002])
        XCTAssertEqual(server.requests.map(\.bodyIsPattern), [true, true, false, false])
        XCTAssertTrue(server.requests.allSatisfy(\.body.isEmpty))
    }

    func testABodyThatIsKeptIsCountedToo() throws {
        let server = try LoopbackServer { _ in .text("ok") }
        defer { server.stop() }
        try upload(Data("abc".utf8), to: server)
        XCTAssertEqual(server.requests.map(\.bodyCount), [3])
        XCTAssertEqual(server.requests.map(\.body), [Data("abc".utf8)])
        XCTAssertEqual(server.requests.map(\.bodyIsPattern), [false])
    }

    func testThePatternHasTheDescribedBytes() {
        for count in [0, 1, 250, 251, 252, 600_000] {
            let pattern = LoopbackResponse.pattern(count: count)
            XCTAssertEqual(pattern.count, count)
            XCTAssertTrue(pattern.elementsEqual((0..<count).lazy.map { UInt8($0 % 251) }), "\(count)")
        }
    }

    func testTheBytesOfAResponseAreCounted() async throws {
        let server = try LoopbackServer { _ in LoopbackResponse(body: .generated(count: 300_000)) }
        defer { server.stop() }
        let head = try Curl.run("-I", server.baseURL.absoluteString).output.count
        let result = try Curl.run(server.baseURL.absoluteString)
        XCTAssertEqual(result.output.count, 300_000)
        await server.waitForSentBytes(300_000 + 2 * head)
        XCTAssertEqual(server.sentBytes, 300_000 + 2 * head)
    }

    func testAClientThatTakesNothingEndsTheWait() async throws {
        let server = try LoopbackServer { _ in LoopbackResponse(body: .generated(count: 1 << 30)) }
        defer { server.stop() }
        let client = RawClient(server.port)
        client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        await server.waitForSentBytes(1 << 30)
        XCTAssertGreaterThan(server.sentBytes, 0)
        XCTAssertLessThan(server.sentBytes, 64 << 20)
        client.end()
        await server.waitForOpenConnections(atMost: 0)
    }
}
