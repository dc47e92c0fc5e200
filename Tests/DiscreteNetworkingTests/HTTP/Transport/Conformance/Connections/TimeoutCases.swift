import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// Timeouts: the transport's own for silence, and the proxy's for the whole.
extension ConnectionsConformance {
    private func impatient() throws -> any Transport { try Self.subject.make(.init(idleTimeout: 0.5)) }

    func testSilenceBeforeTheHead() async throws {
        let server = try serve { _ in .fault(.stall(atByte: 0)) }
        await assertTimesOut(try impatient(), server.request())
        await server.waitForOpenConnections(atMost: 0)
    }

    func testSilenceInTheMiddleOfTheBody() async throws {
        let server = try serve { _ in
            LoopbackResponse(body: .data(Data(count: 1000))).failing(with: .stall(atByte: 500))
        }
        await assertTimesOut(try impatient(), server.request())
        await server.waitForOpenConnections(atMost: 0)
    }

    /// In both ways at once.
    private func assertTimesOut(_ transport: any Transport, _ request: APIRequest, line: UInt = #line) async {
        async let memory = transport.fetch(request, as: .memory)
        async let stream = transport.fetch(request, as: .stream)
        for outcome in await [memory, stream] {
            XCTAssertEqual(outcome.error?.kind, .timedOut, line: line)
        }
    }

    func testAByteNowAndThenIsNoSilence() async throws {
        let server = try serve { _ in
            .slow(Data("0123456789".utf8), bytesPerPiece: 1, interval: 0.17)
        }
        let transport = try Self.subject.make(.init(idleTimeout: 1.5))
        let response = try await transport.send(server.request())
        XCTAssertEqual(response.text, "0123456789")
    }

    func testAnExchangeEndsAtItsTimeoutAlthoughBytesArrive() async throws {
        let server = try serve { _ in
            .slow(Data(count: 4000), bytesPerPiece: 1, interval: 0.05)
        }
        let transport = transport
        XCTAssertTrue(transport is any TimeKeepingTransport)
        var request = server.request()
        request.timeout = 0.5
        do {
            let response = try await transport.send(request)
            XCTFail("\(response.text)")
        } catch {
            XCTAssertEqual((error as? TransportError)?.kind, .timedOut)
        }
        await server.waitForOpenConnections(atMost: 0)
    }

    @MainActor
    func testTheProxysLimitEndsWhatTakesTooLong() async throws {
        for fault in [LoopbackFault.stall(atByte: 0), .stall(atByte: 60)] {
            let server = try serve { _ in LoopbackResponse.json(teapot).failing(with: fault) }
            let stack = Stack(transport) { rules in
                rules.baseURL = server.baseURL
                rules.timeout = 0.3
            }
            let error = await failure(stack.manager(ProductManager()))
            XCTAssertEqual(error?.kind, .timedOut, "\(fault)")
            await server.waitForOpenConnections(atMost: 0)
        }
    }

    #if os(Linux)
        @MainActor
        func testTheProxysLimitEndsAConnectionThatIsNeverMade() async throws {
            let silent = try SilentPort()
            defer { silent.stop() }
            let url = try XCTUnwrap(URL(string: "http://127.0.0.1:\(silent.port)"))
            let stack = Stack(transport) { rules in
                rules.baseURL = url
                rules.timeout = 0.3
            }
            let error = await failure(stack.manager(ProductManager()))
            XCTAssertEqual(error?.kind, .timedOut)
            await until { silent.connecting == 0 }
        }
    #endif
}
