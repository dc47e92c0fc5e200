#if os(Linux)
    import Foundation
    import XCTest

    @testable import DiscreteNetworkingCore

    /// HTTP/2 connections that carry nothing any more, and HTTP/2 without TLS.
    final class CurlHTTP2Tests: XCTestCase {
        private func server() throws -> (server: HostileHTTP2Server, transport: CurlTransport) {
            let authority = try SharedServers.authority()
            var configuration = CurlConfiguration()
            configuration.proxy = .direct
            configuration.tls.certificateAuthorities = authority.root.certificate
            let server = try HostileHTTP2Server(authority.server)
            addTeardownBlock { server.stop() }
            return (server, try CurlTransport(configuration: configuration))
        }

        private func request(
            _ server: HostileHTTP2Server, _ path: String, timeout: TimeInterval = 10
        ) -> APIRequest {
            APIRequest(url: server.baseURL.appendingPathComponent(path), timeout: timeout)
        }

        /// On a slow machine libcurl's own defence against a flood of frames comes before the timeout.
        private static func ends(_ fault: String, with kind: TransportError.Kind?) -> Bool {
            kind == .timedOut || fault == "flood" && kind == .connectionLost
        }

        func testADeadConnectionGetsNoNewExchanges() async throws {
            for fault in ["deaf", "flood"] {
                let (server, transport) = try server()
                let first = try await transport.send(request(server, "ok"))
                XCTAssertEqual(first.text, "1")
                // Keeps the connection in use, so that libcurl does not close it.
                let open = try await transport.send(Delivery.stream.apply(to: request(server, "open")))
                let late = await transport.failure(request(server, fault, timeout: 0.2))
                XCTAssertTrue(Self.ends(fault, with: late), "\(fault): \(String(describing: late))")
                for _ in 0..<3 {
                    let response = try await transport.send(request(server, "ok"))
                    XCTAssertNotEqual(response.text, "1", fault)
                }
                _ = try open.stream()
            }
        }

        func testADeadConnectionIsClosedWithItsLastExchange() async throws {
            for fault in ["deaf", "flood"] {
                let (server, transport) = try server()
                _ = try await transport.send(request(server, "ok"))
                let late = await transport.failure(request(server, fault, timeout: 0.2))
                XCTAssertTrue(Self.ends(fault, with: late), "\(fault): \(String(describing: late))")
                for _ in 0..<3 {
                    let response = try await transport.send(request(server, "ok"))
                    XCTAssertEqual(response.text, "2", fault)
                }
            }
        }

        func testAConnectionThatTakesNoMoreStreamsIsReplaced() async throws {
            let (server, transport) = try server()
            let full = try await transport.send(request(server, "full"))
            XCTAssertEqual(full.text, "1")
            // libcurl gives the connection one exchange more; that is its last.
            let late = await transport.failure(request(server, "ok", timeout: 0.2))
            XCTAssertTrue(late == nil || late == .timedOut)
            for _ in 0..<3 {
                let response = try await transport.send(request(server, "ok"))
                XCTAssertEqual(response.text, "2")
            }
        }

        func testPriorKnowledgeWorksForEveryExchange() async throws {
            let server = try HostileHTTP2Server()
            defer { server.stop() }
            var configuration = CurlConfiguration()
            configuration.proxy = .direct
            configuration.httpVersion = .http2PriorKnowledge
            let transport = try CurlTransport(configuration: configuration)
            for _ in 0..<3 {
                let response = try await transport.send(request(server, "ok"))
                XCTAssertEqual(response.metrics?.protocolVersion, "HTTP/2")
            }
            let together = (0..<20).map { _ in
                Task { [request = request(server, "ok")] in try await transport.send(request).status }
            }
            for task in together {
                let status = try await task.value
                XCTAssertEqual(status, 200)
            }
        }

        func testPriorKnowledgeOverTLSWorksForEveryExchange() async throws {
            let authority = try SharedServers.authority()
            let server = try HostileHTTP2Server(authority.server)
            defer { server.stop() }
            var configuration = CurlConfiguration()
            configuration.proxy = .direct
            configuration.httpVersion = .http2PriorKnowledge
            configuration.tls.certificateAuthorities = authority.root.certificate
            let transport = try CurlTransport(configuration: configuration)
            for _ in 0..<3 {
                let response = try await transport.send(request(server, "ok"))
                XCTAssertEqual(response.text, "1")
            }
        }
    }
#endif
