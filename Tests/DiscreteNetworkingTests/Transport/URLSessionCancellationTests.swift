import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworking

/// Giving up at every stage. The servers here never go on by themselves and there is no time limit, so a
/// test that ends at all shows that the caller did not wait.
final class URLSessionCancellationTests: XCTestCase {
    private let transport = URLSessionTransport()

    /// Cancels a request once `reached` returns; the caller is told and the server is left.
    private func check(
        _ request: APIRequest, on server: LoopbackServer, line: UInt = #line, after reached: () async -> Void
    ) async {
        let task = Task { [transport] in await transport.outcome(of: request) }
        await reached()
        task.cancel()
        let outcome = await task.value
        XCTAssertEqual(outcome.error?.kind, .cancelled, line: line)
        await server.waitForOpenConnections(atMost: 0)
        XCTAssertEqual(server.openConnections, 0, line: line)
    }

    func testBeforeItStarts() async throws {
        let server = try serve { _ in .fault(.stall(atByte: 0)) }
        await check(server.request(), on: server) {}
    }

    func testBeforeTheHeaders() async throws {
        let server = try serve { _ in .fault(.stall(atByte: 0)) }
        await check(server.request(), on: server) { await server.waitForRequests(1) }
    }

    func testInTheMiddleOfTheHeaders() async throws {
        let server = try serve { _ in .text("late").failing(with: .stall(atByte: 20)) }
        await check(server.request(), on: server) { await server.waitForRequests(1) }
    }

    func testInTheMiddleOfTheBody() async throws {
        let server = try serve { _ in
            LoopbackResponse(body: .stream([.chunk(Data(count: 1000)), .wait(LoopbackGate())]))
        }
        let arrived = Promise<Void>()
        var request = server.request()
        request.onProgress = { if $0.received > 0 { arrived.fulfil(()) } }
        await check(request, on: server) { await arrived.value }
    }

    func testWhileTheBodyIsSent() async throws {
        // No server reads so much at once: what it does not take stays with the client.
        let server = try LoopbackServer(bodyLimit: 1 << 30) { _ in .text("ok") }
        defer { server.stop() }
        let started = Promise<Void>()
        var request = server.request("/", .post, body: .data(Data(count: 200 << 20)))
        request.onProgress = { if $0.sent > 0 { started.fulfil(()) } }
        await check(request, on: server) { await started.value }
        XCTAssertEqual(server.requests.count, 0, "the body did not arrive whole")
    }

    func testWhileARedirectStalls() async throws {
        let server = try serve { _ in
            LoopbackResponse(status: 302, headers: [("Location", "/next")], body: .data(Data(count: 1000)))
                .failing(with: .stall(atByte: 500))
        }
        await check(server.request(), on: server) { await server.waitForRequests(1) }
        XCTAssertEqual(server.requests.map(\.path), ["/"])
    }

    func testAfterARedirect() async throws {
        let server = try serve { request in
            request.path == "/" ? .redirect(to: "/next") : .fault(.stall(atByte: 0))
        }
        await check(server.request(), on: server) { await server.waitForRequests(2) }
        XCTAssertEqual(server.requests.map(\.path), ["/", "/next"])
    }

    func testAfterAChallenge() async throws {
        let server = try serve { _ in
            .text("log in", status: 401).adding("WWW-Authenticate", "Basic realm=x")
                .failing(with: .stall(atByte: 130))
        }
        await check(server.request(), on: server) { await server.waitForRequests(1) }
    }

    func testAnyMomentOfAQuickExchange() async throws {
        let server = try serve { request in
            request.path == "/0" ? .redirect(to: "/1") : .text("ok")
        }
        let request = server.request("/0")
        var random = FixedRandom(seed: 7)
        var kinds: [TransportError.Kind?: Int] = [:]
        for _ in 0..<500 {
            let turns = Int.random(in: 0..<60, using: &random)
            let task = Task { [transport] in await transport.outcome(of: request) }
            for _ in 0..<turns { await Task.yield() }
            task.cancel()
            kinds[await task.value.error?.kind, default: 0] += 1
        }
        XCTAssertTrue(kinds.keys.allSatisfy { $0 == nil || $0 == .cancelled }, "\(kinds)")
        XCTAssertGreaterThan(kinds[.cancelled] ?? 0, 0)
        let response = try await transport.send(server.request("/1"))
        XCTAssertEqual(response.text, "ok", "the transport goes on working")
    }

    func testReleasingTheTransportLetsTheExchangeEndAndClosesItsConnections() async throws {
        let gate = LoopbackGate()
        let server = try serve { _ in .text("late").delayed(until: gate) }
        var transport: URLSessionTransport? = URLSessionTransport()
        let request = server.request()
        let task = Task { [transport] in try await transport?.send(request) }
        await server.waitForRequests(1)
        transport = nil
        gate.open()
        let response = try await task.value
        XCTAssertEqual(response?.text, "late")
        await server.waitForOpenConnections(atMost: 0)
    }
}
