#if os(Linux)
    import Foundation
    import LoopbackServer
    import XCTest

    @testable import DiscreteNetworkingCore
    @testable import DiscreteNetworkingTransfers

    /// Streams of a manager that are left before their end, over real connections: the connection is closed, the slot
    /// is free, and no memory stays.
    @MainActor
    final class AbandonedStreamTests: XCTestCase {
        /// A way to leave a stream.
        private enum Way: CaseIterable {
            case unread, bytes, chunks, lines, events, twice, canceled

            func leave(_ stream: ByteStream) async throws {
                switch self {
                case .unread: break
                case .bytes: for try await _ in stream { break }
                case .chunks: for try await _ in stream.chunks { break }
                case .lines: for try await _ in stream.lines { break }
                case .events: for try await _ in stream.events { break }
                case .twice:
                    for try await _ in stream.lines { break }
                    for try await _ in stream.chunks { break }
                case .canceled:
                    let reader = Task.detached { for try await _ in stream.chunks {} }
                    reader.cancel()
                    guard case .failure(let error as APIError) = await reader.result else {
                        return XCTFail("a canceled reader throws")
                    }
                    XCTAssertEqual(error.kind, .cancelled)
                }
            }
        }

        /// A server whose responses have no end, and a proxy with one connection to it.
        private func stack() throws -> (LoopbackServer, Stack) {
            let server = try LoopbackServer(keepsBodies: false) { _ in
                let part = Data((String(repeating: "data: \(teapot)\n", count: 300) + "\n").utf8)
                return LoopbackResponse(
                    headers: [("Content-Type", "text/event-stream")],
                    body: .produced { writer in while true { try writer.send(part) } })
            }
            addTeardownBlock { server.stop() }
            var configuration = CurlConfiguration()
            configuration.proxy = .direct
            configuration.maximumConnectionsPerHost = 1
            let transport = try CurlTransport(configuration: configuration)
            return (
                server,
                Stack(transport) {
                    $0.baseURL = server.baseURL
                    $0.timeout = .infinity
                }
            )
        }

        func testALeftStreamFreesItsConnection() async throws {
            let (server, stack) = try stack()
            var rounds = 0
            for _ in 0..<3 {
                for way in Way.allCases {
                    // With one connection, the next call waits until this one has given it back.
                    try await way.leave(stack.manager(TestManager<ByteStream>()).load())
                    rounds += 1
                    await server.waitForOpenConnections(atMost: 0)
                    XCTAssertEqual(server.openConnections, 0, "\(way)")
                    XCTAssertEqual(server.acceptedConnections, rounds, "\(way)")
                }
            }
        }

        func testLeftStreamsKeepNoMemory() async throws {
            let (server, stack) = try stack()
            for way in Way.allCases { try await way.leave(stack.manager(TestManager<ByteStream>()).load()) }
            let memory = MemoryWatch()
            for _ in 0..<20 {
                for way in Way.allCases {
                    try await way.leave(stack.manager(TestManager<ByteStream>()).load())
                }
            }
            await server.waitForOpenConnections(atMost: 0)
            XCTAssertLessThan(memory.growth, 16 << 20, "140 streams buffer up to 70 MB")
        }

        func testReadersOfOneStreamInTwoTasksNeverHang() async throws {
            let (server, stack) = try stack()
            for _ in 0..<20 {
                let stream = try await stack.manager(TestManager<ByteStream>()).load()
                let readers = (0..<2).map { _ in
                    Task.detached { () -> APIError.Kind? in
                        do {
                            var count = 0
                            for try await _ in stream.lines where count < 2000 { count += 1 }
                            return nil
                        } catch let error as APIError {
                            return error.kind
                        }
                    }
                }
                var kinds: [APIError.Kind?] = []
                // The stream has no end: one reader is refused, or both are canceled.
                readers[0].cancel()
                for reader in readers {
                    reader.cancel()
                    kinds.append(try await reader.value)
                }
                for kind in kinds {
                    XCTAssertTrue(
                        kind == .transfer(.streamInUse) || kind == .cancelled, "\(String(describing: kind))")
                }
            }
            await server.waitForOpenConnections(atMost: 0)
            XCTAssertEqual(server.openConnections, 0)
        }
    }
#endif
