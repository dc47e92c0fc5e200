import Foundation
import XCTest

@testable import LoopbackServer

/// Clients that go on sending, or never end what they began.
final class UntrustedClientTests: XCTestCase {
    private func server(_ change: (inout ServingRules) -> Void) throws -> LoopbackServer {
        var rules = ServingRules()
        change(&rules)
        let server = try LoopbackServer(port: 0, bodyLimit: 1000, rules: rules) { request in
            var response = LoopbackResponse.text("ok")
            response.trustsClient = request.path == "/trusted"
            return response
        }
        addTeardownBlock { server.stop() }
        return server
    }

    /// Sends a head, then pieces until the server has had enough.
    private func send(_ head: String, _ piece: String, every seconds: TimeInterval, to server: LoopbackServer)
    {
        let port = server.port
        Thread.detachNewThread {
            let client = RawClient(port)
            client.write(head)
            while client.write(piece) { Thread.sleep(forTimeInterval: seconds) }
        }
    }

    func testARejectedClientIsLeftAfterSomeBytesOrSeconds() async throws {
        for (rules, piece) in [((60, 100_000), String(repeating: "x", count: 10_000)), ((1, 1 << 30), "x")] {
            let server = try server { ($0.drainSeconds, $0.drainBytes) = rules }
            send("X\r\n\r\n", piece, every: 0.01, to: server)
            await server.waitForSentBytes(1)
            await server.waitForOpenConnections(atMost: 0)
            XCTAssertEqual(server.openConnections, 0, "\(rules)")
        }
    }

    func testARequestThatDoesNotEndIsLeft() async throws {
        let heads = [
            "GET / HTTP/1.1\r\nHost: x\r\nX: ", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1;",
        ]
        let servers = try heads.map { _ in
            try server {
                $0.patience = 1
                $0.drainSeconds = 1
            }
        }
        for (head, server) in zip(heads, servers) { send(head, "x", every: 0.05, to: server) }
        for (head, server) in zip(heads, servers) {
            await until { server.acceptedConnections == 1 }
            await server.waitForOpenConnections(atMost: 0)
            XCTAssertEqual(server.openConnections, 0, head)
        }
    }

    func testAnUntrustedClientMakesRoomAndATrustedOneDoesNot() async throws {
        let server = try server {
            $0.connectionLimit = 4
            $0.untrustedLimit = 2
        }
        let get = "GET /trusted HTTP/1.1\r\nHost: x\r\n\r\n"
        let trusted = RawClient(server.port)
        trusted.write(get)
        XCTAssertTrue(trusted.read(until: "ok").hasSuffix("ok"))
        var others: [RawClient] = []
        for number in 2...8 {
            others.append(RawClient(server.port))
            await until { server.acceptedConnections == number }
            // While the threads of four that made room have not ended, further clients are refused.
            await server.waitForOpenConnections(atMost: 3)
        }
        for client in others.prefix(5) { XCTAssertEqual(client.read(), []) }
        XCTAssertEqual(server.openConnections, 3)
        for client in [trusted] + others.suffix(2) {
            client.write(get)
            XCTAssertTrue(client.read(until: "ok").hasSuffix("ok"))
        }
        // One place is left, and one more, at which an untrusted client waits.
        let last = [RawClient(server.port), RawClient(server.port)]
        XCTAssertEqual(last[0].read(), [])
        last[1].write(get)
        XCTAssertTrue(last[1].read(until: "ok").hasSuffix("ok"))
        // All places are those of trusted clients.
        XCTAssertTrue([nil, []].contains(RawClient(server.port).read()))
    }

    private func until(_ condition: () -> Bool) async {
        while !condition() { await Task.yield() }
    }
}
