import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// Response bodies piece by piece, and that a slow reader holds the server back.
extension BodiesConformance {
    private func streamed(_ server: LoopbackServer, _ path: String = "/") async throws -> TransportResponse {
        try await transport.send(Delivery.stream.apply(to: server.request(path)))
    }

    func testTheHeadComesBeforeTheBody() async throws {
        let gate = LoopbackGate()
        let server = try serve { _ in
            LoopbackResponse(status: 201, headers: [("X-One", "1")], body: .gated(gate, Data("late".utf8)))
        }
        let response = try await streamed(server)
        XCTAssertEqual(response.status, 201)
        XCTAssertEqual(response.headers["X-One"], "1")
        XCTAssertFalse(gate.isOpen)
        gate.open()
        let body = try await response.collected()
        XCTAssertEqual(body, Data("late".utf8))
    }

    func testPiecesComeAsTheyAreSent() async throws {
        let gates = (0..<5).map { _ in LoopbackGate() }
        let server = try serve { _ in
            LoopbackResponse(
                body: .stream(gates.enumerated().flatMap { [.chunk(Data("piece \($0);".utf8)), .wait($1)] }))
        }
        var text = ""
        var next = 0
        for try await piece in try await streamed(server).stream() {
            text += String(decoding: piece, as: UTF8.self)
            // The server goes on only when the piece before has arrived here.
            guard text.hasSuffix("piece \(next);") else { continue }
            gates[next].open()
            next += 1
        }
        XCTAssertEqual(text, "piece 0;piece 1;piece 2;piece 3;piece 4;")
    }

    func testAStreamThatIsCutThrows() async throws {
        for body in [
            LoopbackResponse.Body.generated(count: 100_000),
            .chunks([Data(count: 50_000), Data(count: 50_000)]),
        ] {
            for fault in [LoopbackFault.cut(atByte: 60_000), .abort(atByte: 60_000)] {
                let server = try serve { _ in LoopbackResponse(body: body).failing(with: fault) }
                var count = 0
                do {
                    for try await piece in try await streamed(server).stream() { count += piece.count }
                    XCTFail("\(fault): \(count) bytes without an error")
                } catch {
                    let kind = (error as? TransportError)?.kind
                    XCTAssertTrue(kind == .connectionLost || kind == .badResponse, "\(error)")
                }
                XCTAssertLessThan(count, 100_000)
            }
        }
    }

    func testASlowReaderHoldsTheServerBack() async throws {
        let total = 128 << 20
        let server = try serve { _ in LoopbackResponse(body: .generated(count: total)) }
        let memory = MemoryWatch()
        let response = try await streamed(server)
        var pieces = try response.stream().makeAsyncIterator()
        var taken = 0
        while taken < 2 << 20, let piece = try await pieces.next() { taken += piece.count }
        await server.waitForSentBytes(total)
        XCTAssertLessThan(server.sentBytes, 64 << 20, "the server goes on sending")
        XCTAssertLessThan(memory.growth, 64 << 20)
        // And on, when the reader goes on.
        let before = server.sentBytes
        while taken < before + (4 << 20), let piece = try await pieces.next() { taken += piece.count }
        XCTAssertGreaterThan(server.sentBytes, before)
    }

    func testASlowReaderHoldsNobodyElseUp() async throws {
        let server = try serve { request in
            request.path == "/big" ? LoopbackResponse(body: .generated(count: 64 << 20)) : .text("ok")
        }
        let response = try await streamed(server, "/big")
        var pieces = try response.stream().makeAsyncIterator()
        _ = try await pieces.next()
        for _ in 0..<20 {
            let quick = try await transport.send(server.request("/quick"))
            XCTAssertEqual(quick.text, "ok")
        }
        var rest = 0
        while let piece = try await pieces.next() { rest += piece.count }
        XCTAssertGreaterThan(rest, 60 << 20)
    }

    /// A function of its own, at whose end the response is gone for sure.
    private func firstPiece(_ server: LoopbackServer) async throws -> Data? {
        var pieces = try await streamed(server).stream().makeAsyncIterator()
        return try await pieces.next()
    }

    private func status(_ server: LoopbackServer) async throws -> Int { try await streamed(server).status }

    func testLettingGoOfAStreamGivesTheExchangeUp() async throws {
        let server = try serve { _ in
            LoopbackResponse(body: .stream([.chunk(Data("first".utf8)), .wait(LoopbackGate())]))
        }
        let status = try await status(server)
        XCTAssertEqual(status, 200)
        await server.waitForOpenConnections(atMost: 0)
        let first = try await firstPiece(server)
        XCTAssertEqual(first, Data("first".utf8))
        await server.waitForOpenConnections(atMost: 0)
        XCTAssertEqual(server.requests.count, 2)
    }

    func testLettingGoOfAStreamInFullFlight() async throws {
        let server = try serve { _ in LoopbackResponse(body: .generated(count: 1 << 30)) }
        for _ in 0..<10 {
            let first = try await firstPiece(server)
            XCTAssertNotNil(first)
        }
        await server.waitForOpenConnections(atMost: 0)
        XCTAssertEqual(server.openConnections, 0)
    }

    func testAStreamThatIsReadToItsEndFreesItsConnection() async throws {
        let server = try serve { _ in LoopbackResponse(body: .generated(count: 100_000)) }
        for _ in 0..<10 {
            let count = try await streamed(server).collected().count
            XCTAssertEqual(count, 100_000)
        }
        XCTAssertEqual(server.acceptedConnections, 1)
    }

    func testAFinishedStreamOutlivesItsTransport() async throws {
        let server = try serve { _ in LoopbackResponse(body: .generated(count: 1 << 20)) }
        var transport: (any Transport)? = try Self.subject.make(.init())
        let response = try await transport?.send(Delivery.stream.apply(to: server.request()))
        transport = nil
        let body = try await XCTUnwrap(response).collected()
        XCTAssertEqual(body.count, 1 << 20)
    }
}
