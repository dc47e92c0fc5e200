import Foundation
import XCTest

@testable import LoopbackServer

/// Bodies that are written while they arise, and servers for clients that are not trusted.
final class ProducedBodyTests: XCTestCase {
    private static let get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

    func testABodyIsSentAsItIsWritten() throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer { _ in
            LoopbackResponse(
                body: .produced { writer in
                    try writer.send(Data("one".utf8))
                    gate.wait()
                    try writer.send(Data())
                    try writer.wait(seconds: 0)
                    try writer.send(Data("two".utf8))
                })
        }
        defer { server.stop() }
        let client = RawClient(server.port)
        client.write(Self.get)
        XCTAssertTrue(client.read(until: "3\r\none\r\n").contains("Transfer-Encoding: chunked"))
        gate.open()
        XCTAssertEqual(client.read(until: "0\r\n\r\n"), "3\r\ntwo\r\n0\r\n\r\n")
        client.write(Self.get)
        XCTAssertTrue(client.read(until: "0\r\n\r\n").hasSuffix("two\r\n0\r\n\r\n"), "the connection goes on")
    }

    func testAProducerEndsWithItsClientAndWithTheServer() async throws {
        let server = try LoopbackServer { _ in
            LoopbackResponse(
                body: .produced { writer in
                    try writer.send(Data("x".utf8))
                    while true { try writer.wait(seconds: 3600) }
                })
        }
        let client = RawClient(server.port)
        client.write(Self.get)
        _ = client.read(until: "1\r\nx\r\n")
        client.end()
        await server.waitForOpenConnections(atMost: 0)
        let other = RawClient(server.port)
        other.write(Self.get)
        _ = other.read(until: "1\r\nx\r\n")
        server.stop()
        XCTAssertEqual(server.openConnections, 0)
    }

    func testAClientThatNeitherSendsNorReadsIsLeft() async throws {
        var rules = ServingRules()
        rules.patience = 1
        let server = try LoopbackServer(port: 0, bodyLimit: 0, rules: rules) { _ in
            LoopbackResponse(
                body: .produced { writer in while true { try writer.send(Data(count: 1 << 16)) } })
        }
        defer { server.stop() }
        let (silent, greedy) = (RawClient(server.port), RawClient(server.port))
        greedy.write(Self.get)
        await server.waitForSentBytes(1)
        await server.waitForOpenConnections(atMost: 0)
        XCTAssertEqual(server.openConnections, 0)
        silent.end()
        greedy.end()
    }

    func testConnectionsBeyondTheLimitAreClosedAndRequestsNotKept() async throws {
        var rules = ServingRules()
        rules.connectionLimit = 2
        rules.keepsRequests = false
        let server = try LoopbackServer(port: 0, bodyLimit: 0, rules: rules) { _ in .text("here") }
        defer { server.stop() }
        let clients = [RawClient(server.port), RawClient(server.port)]
        for client in clients {
            client.write(Self.get)
            XCTAssertTrue(client.read(until: "here").hasSuffix("here"))
        }
        let third = RawClient(server.port)
        third.write(Self.get)
        XCTAssertEqual(third.readToEnd().text, "")
        clients[0].end()
        await server.waitForOpenConnections(atMost: 1)
        let fourth = RawClient(server.port)
        fourth.write(Self.get)
        XCTAssertTrue(fourth.read(until: "here").hasSuffix("here"))
        XCTAssertEqual(server.requests.count, 0)
    }
}
