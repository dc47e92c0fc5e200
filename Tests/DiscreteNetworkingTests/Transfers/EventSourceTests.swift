import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingTransfers

/// Events that go on after the connection has ended. Nothing here waits for time to pass.
@MainActor
final class EventSourceTests: XCTestCase {
    /// Answers each request with the next of these.
    private final class Script: Sendable {
        let steps: Locked<[@Sendable (APIRequest) throws -> TransportResponse]>
        let delays = Locked<[TimeInterval]>([])

        init(_ steps: [@Sendable (APIRequest) throws -> TransportResponse]) { self.steps = Locked(steps) }

        var transport: ClosureTransport {
            ClosureTransport { request in
                let step = self.steps.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                return try step?(request) ?? TransportResponse(url: request.url, status: 204)
            }
        }
    }

    private static func events(
        _ text: String, status: Int = 200, type: String? = "text/event-stream", error: TransportError? = nil
    ) -> @Sendable (APIRequest) throws -> TransportResponse {
        { request in
            TransportResponse(
                url: request.url, status: status, headers: type.map { ["Content-Type": $0] } ?? [:],
                body: .pieces([text], error: error))
        }
    }

    private func run(
        _ script: Script, _ transport: ClosureTransport, headers: [String: String] = [:],
        intercept: @escaping @Sendable (FailureContext) async -> FailureDisposition = { _ in .report }
    ) async -> ([ServerSentEvent], (any Error)?) {
        let manager = Stack(transport) { $0.intercept = intercept }.manager(StreamManager())
        manager.ownHeaders = headers
        let source = manager.events(with: nil, reconnectingAfter: 3) { delay in
            script.delays.withLock { $0.append(delay) }
        }
        var events: [ServerSentEvent] = []
        do {
            for try await event in source { events.append(event) }
            return (events, nil)
        } catch {
            return (events, error)
        }
    }

    func testEventSourceReconnectsUntilStatus204() async {
        let script = Script([
            Self.events("id: 1\ndata: a\n\nretry: 750\n\ndata: cut"),
            Self.events("data: b\n\n", error: .lost),
            { _ in throw TransportError.lost },
            Self.events("id: 2\ndata: c\n\n", type: "Text/Event-Stream; charset=utf-8"),
        ])
        let transport = script.transport
        let (events, error) = await run(script, transport)
        XCTAssertNil(error)
        XCTAssertEqual(events.map(\.data), ["a", "b", "c"])
        XCTAssertEqual(events.map(\.id), ["1", "1", "2"])
        XCTAssertEqual(
            transport.requests.map { $0.headers["Last-Event-ID"] }, [nil, "1", "1", "1", "2"])
        XCTAssertEqual(script.delays.current, [0.75, 0.75, 0.75, 0.75])
        XCTAssertEqual(transport.requests.first?.headers["Accept"], "text/event-stream")
        XCTAssertEqual(transport.requests.first?.headers["Cache-Control"], "no-store")
    }

    func testThreeSecondsUnlessTheServerSaysOtherwise() async {
        let script = Script([Self.events("data: a\n\n")])
        _ = await run(script, script.transport)
        XCTAssertEqual(script.delays.current, [3])
    }

    func testOtherAnswersEndIt() async {
        for (step, kind) in [
            (Self.events("", status: 500), APIError.Kind.http(status: 500)),
            (Self.events("", status: 201), .http(status: 201)),
            (Self.events("", type: "text/plain"), .transfer(.notAnEventStream(contentType: "text/plain"))),
            (Self.events("", type: nil), .transfer(.notAnEventStream(contentType: nil))),
        ] {
            let script = Script([Self.events("data: a\n\n"), step, Self.events("data: never\n\n")])
            let (events, error) = await run(script, script.transport)
            XCTAssertEqual(events.map(\.data), ["a"])
            XCTAssertEqual((error as? APIError)?.kind, kind)
        }
    }

    func testTheVeryFirstConnectionHasToStand() async {
        let script = Script([{ _ in throw TransportError.lost }, Self.events("data: never\n\n")])
        let (events, error) = await run(script, script.transport)
        XCTAssertEqual(events, [])
        XCTAssertEqual((error as? APIError)?.kind, .transport(.lost))
    }

    func testTheServiceMayRepeatTheFirstConnection() async {
        let script = Script([{ _ in throw TransportError.lost }, Self.events("data: a\n\n")])
        let (events, error) = await run(script, script.transport) { _ in .retry }
        XCTAssertEqual(events.map(\.data), ["a"])
        XCTAssertNil(error)
    }

    func testTheManagersOwnHeadersWin() async {
        let script = Script([Self.events("data: a\n\n")])
        let transport = script.transport
        _ = await run(script, transport, headers: ["accept": "text/event-stream, */*"])
        XCTAssertEqual(transport.requests.first?.headers.values(of: "Accept"), ["text/event-stream, */*"])
    }

    func testCancellingWhileItWaitsIsTold() async {
        let script = Script([Self.events("data: a\n\n")])
        let manager = Stack(script.transport).manager(StreamManager())
        let waiting = Gate()
        let source = manager.events(with: nil, reconnectingAfter: 3) { _ in
            waiting.open()
            await waiting.pass()
            try await Task.sleep(nanoseconds: .max)
        }
        let task = Task.detached { for try await _ in source {} }
        await waiting.arrival()
        task.cancel()
        guard case .failure(let error) = await task.result else { return XCTFail() }
        XCTAssertEqual((error as? APIError)?.kind, .cancelled)
    }

    // MARK: What a server may not do

    func testAServerCannotHaveItAskAgainAtOnce() async {
        let script = Script([Self.events("retry: 0\ndata: a\n\n"), Self.events("data: b\n\n")])
        _ = await run(script, script.transport)
        XCTAssertEqual(script.delays.current, [0.5, 0.5])
    }

    func testAnIDThatNoHeaderCanCarryIsIgnored() async {
        let script = Script([
            Self.events("id: 1\ndata: a\n\nid: 2\u{1}3\ndata: b\n\nid: 4\u{7F}\n\n"),
            Self.events("data: c\n\n"),
        ])
        let transport = script.transport
        let (events, error) = await run(script, transport)
        XCTAssertNil(error)
        XCTAssertEqual(events.map(\.id), ["1", "1", "1"])
        XCTAssertEqual(transport.requests.map { $0.headers["Last-Event-ID"] }, [nil, "1", "1"])
    }

    func testATimeThatIsNotANumberIsTheShortest() async throws {
        let script = Script([Self.events("data: a\n\n")])
        let stack = Stack(script.transport)
        let source = stack.manager(StreamManager()).events(reconnectingAfter: .nan)
        let loop = Task { for try await _ in source {} }
        await stack.clock.waitForSleepers()
        XCTAssertEqual(stack.clock.pauses, [0.5])
        stack.clock.advance(by: 0.5)
        try await loop.value
    }

    func testOverTheWireAndLeavingEndsTheTraffic() async throws {
        let gate = LoopbackGate()
        let server = try serve { request in
            let id = request.header("Last-Event-ID") ?? "none"
            let event = Data("id: 茶\ndata: after \(id)\n\n".utf8)
            return LoopbackResponse(
                headers: [("Content-Type", "text/event-stream")],
                body: .stream(id == "none" ? [.chunk(event)] : [.chunk(event), .wait(gate)]))
        }
        var events: [String] = []
        let source = Stack(server).manager(StreamManager()).events(with: nil, reconnectingAfter: 3) { _ in }
        for try await event in source {
            events.append(event.data)
            if events.count == 2 { break }
        }
        XCTAssertEqual(events, ["after none", "after 茶"])
        // The first connection may be kept for later; what the loop read from is closed.
        await server.waitForOpenConnections(atMost: 1)
        XCTAssertFalse(gate.isOpen)
    }
}
