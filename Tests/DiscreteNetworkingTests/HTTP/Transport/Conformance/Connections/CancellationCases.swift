import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// Giving up at every stage. The servers here never go on by themselves and there is no timeout, so a
/// case that ends at all shows that the caller did not wait.
extension ConnectionsConformance {
    /// Cancels a request once `reached` returns; the caller is told and the server is left.
    private func checkCancel(
        _ request: APIRequest, on server: LoopbackServer, line: UInt = #line, after reached: () async -> Void
    ) async {
        let task = Task { [transport] in await transport.outcome(of: request) }
        await reached()
        task.cancel()
        let outcome = await task.value
        XCTAssertEqual(outcome.error?.kind, .cancelled, line: line)
        // One that is only being accepted may come a moment later, and goes, too.
        await server.waitForOpenConnections(atMost: 0)
    }

    func testCancellingBeforeTheStart() async throws {
        let server = try serve { _ in .fault(.stall(atByte: 0)) }
        await checkCancel(server.request(), on: server) {}
        await checkCancel(Delivery.stream.apply(to: server.request()), on: server) {}
    }

    func testATaskThatIsCancelledAlreadySendsNothing() async throws {
        let server = try serve { _ in .text("ok") }
        let request = server.request()
        let gate = Gate()
        let task = Task { [transport] in
            await gate.pass()
            return await transport.outcome(of: request)
        }
        await gate.arrival()
        task.cancel()
        gate.open()
        let outcome = await task.value
        XCTAssertEqual(outcome.error?.kind, .cancelled)
    }

    #if os(Linux)
        private func cancelWhileConnecting(_ silent: SilentPort) async throws {
            let url = try XCTUnwrap(URL(string: "http://127.0.0.1:\(silent.port)/"))
            let task = Task { [transport] in
                await transport.outcome(of: APIRequest(url: url, timeout: .infinity))
            }
            await until { silent.connecting > 0 }
            task.cancel()
            let outcome = await task.value
            XCTAssertEqual(outcome.error?.kind, .cancelled)
        }

        func testCancellingWhileConnecting() async throws {
            let silent = try SilentPort()
            defer { silent.stop() }
            try await cancelWhileConnecting(silent)
        }

        func testCancellingWhileConnectingFreesTheConnection() async throws {
            let silent = try SilentPort()
            defer { silent.stop() }
            try await cancelWhileConnecting(silent)
            await until { silent.connecting == 0 }
        }
    #endif

    func testCancellingBeforeTheHead() async throws {
        let server = try serve { _ in .fault(.stall(atByte: 0)) }
        await checkCancel(server.request(), on: server) { await server.waitForRequests(1) }
    }

    func testCancellingInTheMiddleOfTheHead() async throws {
        let server = try serve { _ in .text("late").failing(with: .stall(atByte: 20)) }
        await checkCancel(server.request(), on: server) { await server.waitForRequests(1) }
    }

    func testCancellingInTheMiddleOfTheBody() async throws {
        let server = try serve { _ in
            LoopbackResponse(body: .stream([.chunk(Data(count: 1000)), .wait(LoopbackGate())]))
        }
        let arrived = Promise<Void>()
        var request = server.request()
        request.onProgress = { if $0.received > 0 { arrived.fulfil(()) } }
        await checkCancel(request, on: server) { await arrived.value }
    }

    func testCancellingWhileABodyInMemoryIsSent() async throws {
        // No server reads so much at once: what it does not take stays with the client.
        try await checkCancelOfUpload(.data(Data(count: 200 << 20)))
    }

    func testCancellingWhileAFileIsSent() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data().write(to: file)
        addTeardownBlock { try? FileManager.default.removeItem(at: file) }
        let handle = try FileHandle(forWritingTo: file)
        // Nothing is written: the file is one hole.
        try handle.truncate(atOffset: 200 << 20)
        try handle.close()
        try await checkCancelOfUpload(.file(file))
    }

    func testCancellingWhileAStreamIsSent() async throws {
        let asked = Promise<Void>()
        let server = try serve { _ in .text("ok") }
        let body = RequestBody.stream(length: nil) {
            AsyncThrowingStream { continuation in
                // Then nothing more, for ever.
                continuation.yield(Data(count: 1000))
                asked.fulfil(())
            }
        }
        await checkCancel(server.request("/", .post, body: body), on: server) { await asked.value }
        XCTAssertEqual(server.requests.count, 0, "the body did not arrive whole")
    }

    func testCancellingWhileAStreamHeedsNoCancellation() async throws {
        let gate = Gate()
        let server = try serve { _ in .text("ok") }
        let body = RequestBody.stream(length: nil) {
            AsyncThrowingStream {
                await gate.pass()
                return nil
            }
        }
        await checkCancel(server.request("/", .post, body: body), on: server) { await gate.arrival() }
        gate.open()
        XCTAssertEqual(server.requests.count, 0, "the body did not arrive whole")
    }

    private func checkCancelOfUpload(_ body: RequestBody, line: UInt = #line) async throws {
        let server = try LoopbackServer(bodyLimit: 1 << 30, keepsBodies: false) { _ in .text("ok") }
        defer { server.stop() }
        let started = Promise<Void>()
        var request = server.request("/", .post, body: body)
        request.onProgress = { if $0.sent > 0 { started.fulfil(()) } }
        await checkCancel(request, on: server, line: line) { await started.value }
        XCTAssertEqual(server.requests.count, 0, "the body did not arrive whole", line: line)
    }

    func testCancellingTheReaderOfAStream() async throws {
        let server = try serve { _ in
            LoopbackResponse(body: .stream([.chunk(Data(count: 1000)), .wait(LoopbackGate())]))
        }
        let arrived = Promise<Void>()
        let request = Delivery.stream.apply(to: server.request())
        let task = Task { [transport] () -> TransportError.Kind? in
            do {
                for try await _ in try await transport.send(request).stream() { arrived.fulfil(()) }
                // A stream of the standard library may also just end for a reader that is cancelled.
                return Task.isCancelled ? .cancelled : nil
            } catch {
                return (error as? TransportError)?.kind
            }
        }
        await arrived.value
        task.cancel()
        let kind = await task.value
        XCTAssertEqual(kind, .cancelled)
        await server.waitForOpenConnections(atMost: 0)
    }

    func testCancellingAfterTheEndChangesNothing() async throws {
        let server = try serve { _ in .text("ok") }
        let request = server.request()
        for _ in 0..<50 {
            let task = Task { [transport] in await transport.outcome(of: request) }
            let outcome = await task.value
            task.cancel()
            XCTAssertEqual(outcome.success?.text, "ok")
        }
        XCTAssertEqual(server.acceptedConnections, 1)
    }

    func testCancellingWhileARedirectStalls() async throws {
        let server = try serve { _ in
            LoopbackResponse(status: 302, headers: [("Location", "/next")], body: .data(Data(count: 1000)))
                .failing(with: .stall(atByte: 500))
        }
        await checkCancel(server.request(), on: server) { await server.waitForRequests(1) }
        XCTAssertEqual(server.requests.map(\.path), ["/"])
    }

    func testCancellingAfterARedirect() async throws {
        let server = try serve { request in
            request.path == "/" ? .redirect(to: "/next") : .fault(.stall(atByte: 0))
        }
        await checkCancel(server.request(), on: server) { await server.waitForRequests(2) }
        XCTAssertEqual(server.requests.map(\.path), ["/", "/next"])
    }

    func testCancellingAfterAChallenge() async throws {
        let server = try serve { _ in
            .text("log in", status: 401).adding("WWW-Authenticate", "Basic realm=x")
                .failing(with: .stall(atByte: 130))
        }
        await checkCancel(server.request(), on: server) { await server.waitForRequests(1) }
    }

    func testReleasingTheTransportLetsTheExchangeEndAndClosesItsConnections() async throws {
        let gate = LoopbackGate()
        let server = try serve { _ in .text("late").delayed(until: gate) }
        var transport: (any Transport)? = try Self.subject.make(.init())
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
