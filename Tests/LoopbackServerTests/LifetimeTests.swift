import Foundation
import LoopbackServer
import XCTest

final class LifetimeTests: XCTestCase {
    private static let get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

    private func descriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    private func threads() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
    }

    // MARK: Gates

    func testADelayedResponseWaitsForItsGate() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer { _ in .text("now").delayed(until: gate) }
        defer { server.stop() }
        let client = RawClient(server.port)
        client.write(Self.get)
        await server.waitForRequests(1)
        XCTAssertFalse(gate.isOpen)
        gate.open()
        gate.wait()
        XCTAssertTrue(client.read(until: "now").hasSuffix("\r\n\r\nnow"))
        client.write(Self.get)
        XCTAssertTrue(client.read(until: "now").hasSuffix("\r\n\r\nnow"), "an open gate holds nothing")
    }

    func testNothingPassesAClosedGate() throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer(routes: [
            .get("/all") { _ in .text("x").delayed(until: gate) },
            .get("/body") { _ in LoopbackResponse(body: .gated(gate, Data("x".utf8))) },
        ])
        defer { server.stop() }
        let url = server.baseURL.absoluteString
        let all = try Curl.run("-i", "-m", "0.3", "\(url)/all")
        XCTAssertEqual(all.exitCode, 28)
        XCTAssertEqual(all.text, "")
        let body = try Curl.run("-i", "-m", "0.3", "\(url)/body")
        XCTAssertEqual(body.exitCode, 28)
        XCTAssertTrue(body.text.hasSuffix("Content-Length: 1\r\n\r\n"))
    }

    func testAStreamGoesStepByStep() throws {
        let gates = [LoopbackGate(), LoopbackGate()]
        let server = try LoopbackServer { _ in
            LoopbackResponse(
                body: .stream([
                    .chunk(Data("a".utf8)), .wait(gates[0]), .chunk(Data("b".utf8)), .pause(0.001),
                    .wait(gates[1]), .chunk(Data("c".utf8)),
                ]))
        }
        defer { server.stop() }
        let client = RawClient(server.port)
        client.write(Self.get)
        XCTAssertTrue(client.read(until: "1\r\na\r\n").hasSuffix("\r\n\r\n1\r\na\r\n"))
        gates[0].open()
        XCTAssertEqual(client.read(until: "b\r\n"), "1\r\nb\r\n")
        gates[1].open()
        XCTAssertEqual(client.read(until: "0\r\n\r\n"), "1\r\nc\r\n0\r\n\r\n")
    }

    func testAGateReleasesPlainThreads() {
        let gate = LoopbackGate()
        let released = expectation(description: "released")
        released.expectedFulfillmentCount = 3
        for _ in 0..<3 {
            Thread.detachNewThread {
                gate.wait()
                released.fulfill()
            }
        }
        gate.open()
        wait(for: [released], timeout: 20)
    }

    // MARK: Clients that leave

    func testALeavingClientEndsItsConnectionInEveryState() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer(routes: [
            .get("/stall") { _ in .text("x").failing(with: .stall(atByte: 10)) },
            .get("/delay") { _ in .text("x").delayed(until: gate) },
            .get("/gated") { _ in LoopbackResponse(body: .gated(gate, Data("x".utf8))) },
            .get("/slow") { _ in .slow(Data("xx".utf8), bytesPerPiece: 1, interval: 600) },
            .get("/handler") { _ in
                gate.wait()
                return .text("x")
            },
            .get("/large") { _ in LoopbackResponse(body: .generated(count: 1 << 40)) },
        ])
        defer { server.stop() }
        let pipelined = String(repeating: Self.get, count: 3)
        for extra in ["", pipelined] {
            for path in ["stall", "delay", "gated", "slow", "handler", "large"] {
                let client = RawClient(server.port)
                let before = server.requests.count
                client.write("GET /\(path) HTTP/1.1\r\nHost: x\r\n\r\n")
                await server.waitForRequests(before + 1)
                client.write(extra)  // stays in the socket, as the server is busy
                let other = RawClient(server.port)  // a round trip gives the server time to see it there
                other.write("GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                XCTAssertTrue(other.readToEnd().isOrderly)
                await server.waitForOpenConnections(atMost: 1)
                XCTAssertEqual(server.openConnections, 1)
                client.end()
                await server.waitForOpenConnections(atMost: 0)
                XCTAssertEqual(server.openConnections, 0)
            }
        }
    }

    // MARK: Stopping

    func testStopEndsEverythingAtOnceAndLeaksNothing() async throws {
        #if !os(Linux)
            throw XCTSkip("counts descriptors in /proc")
        #else
            var descriptorsBefore = 0
            var threadsBefore = 0
            for round in 0..<3 {
                if round == 1 {  // the first round has warmed everything up
                    descriptorsBefore = try descriptors()
                    threadsBefore = try threads()
                }
                let gate = LoopbackGate()
                let server = try LoopbackServer(routes: [
                    .get("/stall") { _ in .text("x").failing(with: .stall(atByte: 10)) },
                    .get("/delay") { _ in .text("x").delayed(until: gate) },
                    .get("/handler") { _ in
                        gate.wait()
                        return .text("x")
                    },
                    .get("/large") { _ in LoopbackResponse(body: .generated(count: 1 << 40)) },
                    .get("/") { _ in .text("x") },
                ])
                let clients = (0..<50).map { _ in RawClient(server.port) }
                let paths = ["stall", "delay", "handler", "large", ""]
                for (number, client) in clients.enumerated() {
                    client.write("GET /\(paths[number % 5]) HTTP/1.1\r\nHost: x\r\n\r\n")
                }
                await server.waitForRequests(50)
                XCTAssertEqual(server.openConnections, 50)
                let start = Date()
                server.stop()
                XCTAssertLessThan(Date().timeIntervalSince(start), 2)
                XCTAssertEqual(server.openConnections, 0)
                server.stop()
                for client in clients { client.end() }
            }
            // A thread that has left its group still needs a moment to end, and with it the descriptors of its server:
            // those of the round before may have been counted, too.
            let deadline = Date() + 10
            while try descriptors() > descriptorsBefore || threads() > threadsBefore, Date() < deadline {
                sched_yield()
            }
            XCTAssertLessThanOrEqual(try descriptors(), descriptorsBefore)
            XCTAssertLessThanOrEqual(try threads(), threadsBefore)
        #endif
    }

    /// A test keeps its servers, as XCTest keeps the test, until the whole run is over.
    func testAStoppedServerHoldsNoDescriptorHoweverLongItIsKept() throws {
        #if !os(Linux)
            throw XCTSkip("counts descriptors in /proc")
        #else
            let before = try descriptors()
            let servers = try (0..<50).map { _ in try LoopbackServer { _ in .text("x") } }
            defer { withExtendedLifetime(servers) {} }
            // Servers of the tests before may have ended since.
            XCTAssertGreaterThanOrEqual(try descriptors(), 150)
            for server in servers { server.stop() }
            XCTAssertLessThanOrEqual(try descriptors(), before)
        #endif
    }

    func testAStoppedServerRefusesAndFreesItsPort() throws {
        let server = try LoopbackServer { _ in .text("x") }
        server.stop()
        XCTAssertEqual(try Curl.run(server.baseURL.absoluteString).exitCode, 7)
        let next = try LoopbackServer(port: server.port) { _ in .text("next") }
        defer { next.stop() }
        XCTAssertEqual(try Curl.run(server.baseURL.absoluteString).text, "next")
    }

    func testATakenPortThrows() throws {
        let server = try LoopbackServer { _ in .text("x") }
        defer { server.stop() }
        XCTAssertThrowsError(try LoopbackServer(port: server.port) { _ in .text("y") }) { error in
            XCTAssertEqual((error as? POSIXError)?.code, .EADDRINUSE)
        }
    }

    func testAReleasedServerStops() throws {
        var server: LoopbackServer? = try LoopbackServer { _ in .fault(.stall(atByte: 0)) }
        let client = RawClient(try XCTUnwrap(server).port)
        client.write(Self.get)
        server = nil
        XCTAssertEqual(client.readToEnd().text, "")
    }

    func testStoppingInsideAHandlerDoesNotBlock() throws {
        let box = Box()
        let server = try LoopbackServer { _ in
            box.server?.stop()
            return .text("x")
        }
        box.server = server
        let client = RawClient(server.port)
        client.write(Self.get)
        XCTAssertEqual(client.readToEnd().text, "")
        box.server = nil
        server.stop()
    }

    func testStopAndCancellationReleaseWaiters() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let waiting = Task { await server.waitForRequests(1) }
        waiting.cancel()
        await waiting.value
        async let other: Void = server.waitForRequests(1)
        server.stop()
        await other
        XCTAssertTrue(server.requests.isEmpty)
    }

    // MARK: Load

    func testAThousandConnectionsAreServedAtOnce() async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer { _ in .text("x").delayed(until: gate) }
        defer { server.stop() }
        let clients = (0..<1000).map { _ in RawClient(server.port) }
        for client in clients { client.write(Self.get) }
        await server.waitForRequests(1000)
        XCTAssertEqual(server.openConnections, 1000)
        gate.open()
        for client in clients {
            XCTAssertTrue(client.read(until: "\r\n\r\nx").hasSuffix("\r\n\r\nx"))
        }
        XCTAssertEqual(server.acceptedConnections, 1000)
    }
}

/// A place for a server its own handler can reach. `@unchecked` because `lock` guards `value`.
private final class Box: @unchecked Sendable {
    private let lock = NSLock()
    private var value: LoopbackServer?

    var server: LoopbackServer? {
        get { lock.withLock { value } }
        set { lock.withLock { value = newValue } }
    }
}
