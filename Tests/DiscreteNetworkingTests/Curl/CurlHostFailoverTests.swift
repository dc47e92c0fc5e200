#if os(Linux)
    import Foundation
    import LoopbackServer
    import XCTest

    @testable import DiscreteNetworkingCore
    @testable import DiscreteNetworkingCurl
    @testable import DiscreteNetworkingHTTP

    /// Addresses of the app's resolver that do not work, over real sockets, and resolvers that do not answer.
    @MainActor
    final class CurlHostFailoverTests: XCTestCase {
        private func transport(
            _ resolver: TestResolver, timeout: TimeInterval = 60,
            _ change: (inout CurlConfiguration) -> Void = { _ in }
        ) throws -> CurlTransport {
            var configuration = CurlConfiguration()
            configuration.proxy = .direct
            configuration.resolution = resolver.resolution(timeout: timeout)
            change(&configuration)
            return try CurlTransport(configuration: configuration)
        }

        private func request(_ text: String, timeout: TimeInterval = 30) throws -> APIRequest {
            APIRequest(url: try XCTUnwrap(URL(string: text)), timeout: timeout)
        }

        // MARK: Fail-over

        func testTheNextAddressIsTriedAndTheFirstIsAvoided() async throws {
            let server = try serve { _ in .text("ok").adding("Connection", "close") }
            // Nobody listens on the second loopback address.
            let resolver = TestResolver(["127.0.0.2", "127.0.0.1"])
            let transport = try transport(resolver)
            let response = try await transport.send(try request("http://shop.invalid:\(server.port)/"))
            XCTAssertEqual(response.text, "ok")
            XCTAssertEqual(resolver.asked.current.count, 1)
            _ = try await transport.send(try request("http://shop.invalid:\(server.port)/"))
            // The answer was marked, and asked for again.
            await until { resolver.asked.current.count == 2 }
        }

        /// The first address takes no connection and refuses none.
        func testAnAddressThatIsSilentIsPassedOver() async throws {
            let server = try serve { _ in .text("ok").adding("Connection", "close") }
            let silent = try SilentPort(host: 2, port: server.port)
            defer { silent.stop() }
            let resolver = TestResolver(["127.0.0.2", "127.0.0.1"])
            let transport = try transport(resolver) { $0.connectTimeout = 1 }
            for _ in 0..<2 {
                let response = try await transport.send(try request("http://shop.invalid:\(server.port)/"))
                XCTAssertEqual(response.text, "ok")
            }
            await until { resolver.asked.current.count == 2 }
            // A call that ends while it waits for the first address says enough, too.
            let other = TestResolver(["127.0.0.2", "127.0.0.1"])
            let patient = try self.transport(other)
            let late = await patient.failure(try request("http://shop.invalid:\(server.port)/", timeout: 0.1))
            XCTAssertEqual(late, .timedOut)
            let next = try await patient.send(try request("http://shop.invalid:\(server.port)/"))
            XCTAssertEqual(next.text, "ok")
            XCTAssertLessThan(
                try XCTUnwrap(next.metrics?.connect), 15, "libcurl's share of the first address")
        }

        func testAnAnswerThatLeadsNowhereIsReplacedWithinTheCall() async throws {
            let server = try serve { request in .text("\(request.method)") }
            let answers = Locked([["127.0.0.2"], ["127.0.0.1"]])
            let box = Locked<TestResolver?>(nil)
            let resolver = TestResolver([]) { _ in
                box.current?.set(answers.withLock { $0.isEmpty ? [] : $0.removeFirst() })
            }
            box.current = resolver
            defer { box.current = nil }
            var post = try request("http://shop.invalid:\(server.port)/")
            post.method = .post
            post.body = .stream(length: 2) {
                AsyncThrowingStream {
                    $0.yield(Data("ok".utf8))
                    $0.finish()
                }
            }
            let response = try await transport(resolver).send(post)
            XCTAssertEqual(response.text, "POST")
            XCTAssertEqual(resolver.asked.current.count, 2)
            XCTAssertEqual(server.requests.count, 1)
        }

        func testTheSystemIsAskedIfNoAddressWorks() async throws {
            let port = try LoopbackServer.refusedPort()
            let resolver = TestResolver(["127.0.0.1"])
            let transport = try transport(resolver)
            let kind = await transport.failure(try request("http://shop.invalid:\(port)/"))
            XCTAssertEqual(kind, .cannotFindHost, "the system does not know the name")
            XCTAssertEqual(resolver.asked.current.count, 2)
        }

        /// libcurl keeps the addresses that it was given, until it is told otherwise.
        func testAddressesAreNotUsedAfterTheResolverHasFailed() async throws {
            let server = try serve { _ in .text("ok").adding("Connection", "close") }
            let resolver = TestResolver(["127.0.0.1"])
            let transport = try transport(resolver)
            let request = try request("http://shop.invalid:\(server.port)/")
            _ = try await transport.send(request)
            resolver.set(nil)
            resolver.time.current += 1000
            let kind = await transport.failure(request)
            XCTAssertEqual(kind, .cannotFindHost)
            resolver.set(["127.0.0.1"])
            resolver.time.current += 1000
            let response = try await transport.send(request)
            XCTAssertEqual(response.text, "ok")
        }

        func testNumberOfHostsInLibcurlIsBounded() {
            var table = CurlHostTable()
            for number in 0..<CurlHostTable.capacity {
                XCTAssertEqual(table.lines(["127.0.0.1"], of: "\(number):443"), ["\(number):443:127.0.0.1"])
            }
            XCTAssertEqual(
                table.lines(["2001:db8::7", "127.0.0.1"], of: "new:443"),
                ["-0:443", "new:443:[2001:db8::7],127.0.0.1"])
            XCTAssertEqual(table.count, CurlHostTable.capacity)
            XCTAssertEqual(table.lines([], of: "new:443"), ["-new:443"])
            XCTAssertEqual(table.lines([], of: "new:443"), [])
        }

        // MARK: Time

        func testTheTimeoutOfARequestIncludesTheResolver() async throws {
            let gate = Gate()
            defer { gate.open() }
            let resolver = TestResolver(["127.0.0.1"]) { _ in await gate.pass() }
            let transport = try transport(resolver)
            let error = await transport.outcome(of: try request("http://shop.invalid/", timeout: 0.05)).error
            XCTAssertEqual(error?.kind, .timedOut)
            XCTAssertTrue(error?.message.contains("resolved") == true, error?.message ?? "")
        }

        func testACanceledCallDoesNotWaitForTheResolver() async throws {
            let gate = Gate()
            defer { gate.open() }
            let resolver = TestResolver(["127.0.0.1"]) { _ in await gate.pass() }
            let (transport, request) = (try transport(resolver), try request("http://shop.invalid/"))
            let call = Task { await transport.failure(request) }
            await gate.arrival()
            call.cancel()
            let kind = await call.value
            XCTAssertEqual(kind, .cancelled)
        }

        func testTheMetricsIncludeTheResolver() async throws {
            let server = try serve { _ in .text("ok") }
            let resolver = TestResolver(["127.0.0.1"]) { _ in try await SystemClock().sleep(for: 0.2) }
            let transport = try transport(resolver)
            let request = try request("http://shop.invalid:\(server.port)/")
            let first = try await transport.send(request).metrics
            XCTAssertGreaterThanOrEqual(try XCTUnwrap(first?.nameLookup), 0.2)
            XCTAssertGreaterThanOrEqual(try XCTUnwrap(first?.connect), try XCTUnwrap(first?.nameLookup))
            XCTAssertGreaterThanOrEqual(try XCTUnwrap(first?.end), try XCTUnwrap(first?.firstByte))
            let second = try await transport.send(request).metrics
            XCTAssertNil(second?.nameLookup)
        }
    }
#endif
