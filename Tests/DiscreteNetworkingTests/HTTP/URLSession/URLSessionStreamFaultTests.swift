import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// Streams that break off, and readers who leave.
final class URLSessionStreamFaultTests: URLSessionStreamCase {
    // MARK: Faults

    func testAFaultInTheBodyIsThrownByTheStream() async throws {
        let body = Data(repeating: 0x41, count: 1000)
        for fault in [LoopbackFault.cut(atByte: 600), .abort(atByte: 600)] {
            for shape in [LoopbackResponse.Body.data(body), .chunks([body.prefix(300), body.prefix(700)])] {
                let server = try serve { _ in LoopbackResponse(body: shape).failing(with: fault) }
                switch await transport.outcome(of: request(server)) {
                case .success(let response):
                    let (data, error) = await Self.all(response)
                    XCTAssertEqual(
                        (error as? TransportError)?.kind, .connectionLost, "\(fault), \(shape)")
                    XCTAssertLessThan(data.count, 1000)
                case .failure: XCTFail("\(fault), \(shape): the head was there")
                }
            }
        }
    }

    func testAFaultInTheHeadIsThrownBySending() async throws {
        for fault in [LoopbackFault.close, .reset, .malformedHead] {
            let server = try serve { _ in .fault(fault) }
            let error = await transport.outcome(of: request(server)).error
            XCTAssertNotNil(error, "\(fault)")
        }
    }

    // MARK: Leaving

    private static func endless() -> LoopbackResponse {
        LoopbackResponse(body: .stream([.chunk(Data("begin".utf8)), .wait(LoopbackGate())]))
    }

    func testLettingGoOfTheStreamGivesTheExchangeUp() async throws {
        let server = try serve { _ in Self.endless() }
        do {
            let stream = try stream(try await transport.send(request(server)))
            let data = try await Self.read(5, from: stream)
            XCTAssertEqual(data, Data("begin".utf8))
            XCTAssertEqual(server.openConnections, 1)
        }
        await server.waitForOpenConnections(atMost: 0)
    }

    func testLettingGoOfAResponseThatNobodyReadGivesTheExchangeUp() async throws {
        let server = try serve { _ in Self.endless() }
        _ = try await transport.send(request(server))
        await server.waitForOpenConnections(atMost: 0)
    }

    func testCancellingTheReaderGivesTheExchangeUp() async throws {
        let server = try serve { _ in Self.endless() }
        let response = try await transport.send(request(server))
        let began = Promise<Void>()
        let task = Task { () -> TransportError.Kind? in
            guard case .stream(let stream) = response.body else { return nil }
            do {
                for try await _ in stream { began.fulfil(()) }
                return nil
            } catch {
                return (error as? TransportError)?.kind
            }
        }
        await began.value
        task.cancel()
        let kind = await task.value
        // An AsyncThrowingStream ends without an error where its reader is cancelled between two pieces.
        XCTAssertTrue(kind == nil || kind == .cancelled, "\(String(describing: kind))")
        await server.waitForOpenConnections(atMost: 0)
    }

    func testCancellingBeforeTheHead() async throws {
        let server = try serve { _ in .fault(.stall(atByte: 0)) }
        let request = request(server)
        let task = Task { [transport] in await transport.outcome(of: request) }
        await server.waitForRequests(1)
        task.cancel()
        let outcome = await task.value
        XCTAssertEqual(outcome.error?.kind, .cancelled)
        await server.waitForOpenConnections(atMost: 0)
    }

    func testAStreamOutlivesItsTransport() async throws {
        let gate = LoopbackGate()
        let server = try serve { _ in LoopbackResponse(body: .gated(gate, Data("late".utf8))) }
        var transport: URLSessionTransport? = URLSessionTransport()
        let response = try await transport?.send(request(server))
        transport = nil
        gate.open()
        let (data, error) = await Self.all(try XCTUnwrap(response))
        XCTAssertEqual(data, Data("late".utf8))
        XCTAssertNil(error)
        await server.waitForOpenConnections(atMost: 0)
    }

    /// Reads a stream to its end: how many bytes come, and the error.
    private static func start(
        _ request: APIRequest, over transport: URLSessionTransport
    ) -> Task<(Int, TransportError?), Never> {
        Task {
            let outcome = await transport.outcome(of: request)
            guard let response = try? outcome.get() else { return (0, outcome.error) }
            let (data, error) = await all(response)
            return (data.count, error as? TransportError)
        }
    }

    func testLeavingAtAnyMoment() async throws {
        let server = try serve { request in
            switch request.path {
            case "/0": .redirect(to: "/1")
            case "/401": .text("log in", status: 401).adding("WWW-Authenticate", "Basic realm=x")
            case "/cut": LoopbackResponse.text("never whole").failing(with: .cut(atByte: 90))
            default: LoopbackResponse(body: .generated(count: 300_000))
            }
        }
        var random = FixedRandom(seed: 5)
        for round in 0..<600 {
            let request = request(server, ["/0", "/1", "/401", "/cut"][round % 4])
            let task = Self.start(request, over: transport)
            for _ in 0..<Int.random(in: 0..<80, using: &random) { await Task.yield() }
            task.cancel()
            let (count, error) = await task.value
            if error == nil {
                // A stream that is cancelled may also just end, as AsyncThrowingStream has it.
                XCTAssertLessThanOrEqual(count, 300_000)
            } else if request.url.path != "/cut" {
                XCTAssertEqual(error?.kind, .cancelled)
            }
        }
        let (data, error) = await Self.all(try await transport.send(request(server, "/1")))
        XCTAssertEqual(data.count, 300_000, "the transport goes on working")
        XCTAssertNil(error)
    }
}
