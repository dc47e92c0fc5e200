#if os(Linux)
    import DiscreteNetworkingTesting
    import Foundation
    import LoopbackServer
    import XCTest

    @testable import DiscreteNetworkingCore
    @testable import DiscreteNetworkingCurl

    /// The silence of a server after an upload whose body came in pieces.
    @MainActor
    final class CurlUploadSilenceTests: XCTestCase {
        func testSilenceAfterAPauseOfTheBodyIsTimed() async throws {
            let never = LoopbackGate()
            let server = try serve { _ in .text("").delayed(until: never) }
            var configuration = CurlConfiguration()
            configuration.idleTimeout = 0.2
            let transport = try CurlTransport(configuration: configuration)
            let (stream, pieces) = AsyncThrowingStream.makeStream(of: Data.self)
            let outcome = Locked<TransportError.Kind?>(nil)
            var request = server.request("/", .post, body: .stream(length: 4) { stream })
            request.timeout = .infinity
            let upload = Task { [request] in
                outcome.current = await transport.outcome(of: request).error?.kind
            }
            pieces.yield(Data("ab".utf8))
            await until { server.acceptedConnections == 1 }
            // For longer than the timeout, which is no silence of the server.
            try await SystemClock().sleep(for: 0.5)
            XCTAssertNil(outcome.current)
            pieces.yield(Data("cd".utf8))
            pieces.finish()
            await until { outcome.current != nil }
            XCTAssertEqual(outcome.current, .timedOut)
            upload.cancel()
            never.open()
        }

        /// libcurl would take such a header for one to remove.
        func testAHeaderOfBlanksIsSent() async throws {
            let server = try serve { _ in .text("x") }
            let transport = try CurlTransport()
            _ = try await transport.send(server.request("/", headers: ["X-Blank": "  ", "X-Tab": "\t"]))
            let names = server.requests[0].headers.map(\.name)
            XCTAssertTrue(names.contains("X-Blank") && names.contains("X-Tab"), "\(names)")
        }

        func testAConnectionThatIsLostWithinTheHeadIsLost() async throws {
            let whole = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok"
            let transport = try CurlTransport()
            let interim = "HTTP/1.1 103 Hints\r\n\r\n"
            let beginnings = (1..<whole.utf8.count).map { Data(whole.utf8.prefix($0)) }
            for beginning in beginnings + [Data(interim.utf8)] {
                let server = try serve { _ in .fault(.raw(beginning)) }
                let kind = await transport.failure(server.request())
                XCTAssertEqual(kind, .connectionLost, String(decoding: beginning, as: UTF8.self))
            }
        }

        /// The length of a 304 is that of what was not sent (RFC 9110 section 8.6).
        func testALengthWithoutABodyIsNotTooLarge() async throws {
            for status in [204, 304] {
                let server = try serve { _ in
                    .fault(.raw(Data("HTTP/1.1 \(status) X\r\nContent-Length: 5000000\r\n\r\n".utf8)))
                }
                var request = server.request()
                request.destination = .memory(limit: 1_000_000)
                let response = try await CurlTransport().send(request)
                XCTAssertEqual(response.status, status)
                XCTAssertEqual(response.data, Data())
            }
        }
    }
#endif
