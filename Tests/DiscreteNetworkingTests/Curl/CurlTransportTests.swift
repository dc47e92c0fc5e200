#if os(Linux)
    import Foundation
    import LoopbackServer
    import XCTest

    @testable import DiscreteNetworkingCore
    @testable import DiscreteNetworkingCurl

    /// A port that takes connections and never says a word.
    private final class SilentListener {
        private let descriptor: Int32
        let port: UInt16

        init() throws {
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let descriptor = descriptor
            let isThere = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, size) == 0 && listen(descriptor, 8) == 0
                        && getsockname(descriptor, $0, &size) == 0
                }
            }
            guard isThere else { throw CocoaError(.fileReadUnknown) }
            port = UInt16(bigEndian: address.sin_port)
        }

        deinit { close(descriptor) }
    }

    /// What is particular to this transport; what all transports have in common is in the conformance suite.
    @MainActor
    final class CurlTransportTests: XCTestCase {
        private func transport(
            _ change: (inout CurlConfiguration) -> Void = { _ in }
        ) throws -> CurlTransport {
            var configuration = CurlConfiguration()
            change(&configuration)
            return try CurlTransport(configuration: configuration)
        }

        // MARK: Connections

        func testConnectionsAreKept() async throws {
            let server = try serve { _ in .text("x") }
            let transport = try transport()
            var reused: [Bool?] = []
            for _ in 0..<5 {
                reused.append(try await transport.send(server.request()).metrics?.reusedConnection)
            }
            XCTAssertEqual(reused, [false, true, true, true, true])
            XCTAssertEqual(server.acceptedConnections, 1)
        }

        func testARefusedURLIsNeverReplacedByThatOfTheExchangeBefore() async throws {
            let paths = Locked<[String]>([])
            let server = try serve { request in
                paths.withLock { $0.append(request.path) }
                return .text("x")
            }
            let transport = try transport()
            _ = try await transport.send(server.request("/first"))
            // libcurl refuses strings of more than 8,000,000 bytes.
            let long = server.request("/" + String(repeating: "a", count: 8_000_001))
            for _ in 0..<2 {
                do {
                    _ = try await transport.send(long)
                    XCTFail("sent")
                } catch {
                    XCTAssertTrue(error is TransportError)
                }
            }
            _ = try await transport.send(server.request("/last"))
            XCTAssertEqual(paths.current, ["/first", "/last"])
        }

        func testOptionsOfAnExchangeEndWithIt() async throws {
            let heads = Locked<[String]>([])
            let server = try serve { request in
                heads.withLock {
                    $0.append("\(request.method) \(request.path) \(request.header("X-A") ?? "")")
                }
                return LoopbackResponse(body: .data(Data("x".utf8)))
            }
            let transport = try transport()
            var expected: [String] = []
            for (method, path, value) in [
                ("GET", "a", "1"), ("GET", "a", "1"), ("HEAD", "a", "1"), ("GET", "b", "1"),
                ("GET", "a", "2"),
                ("POST", "a", "2"), ("GET", "a", "2"), ("GET", "a", nil), ("GET", "b", nil),
                ("GET", "b", nil),
            ] {
                var request = server.request("/" + path)
                request.method = HTTPMethod(rawValue: method)
                if let value { request.headers["X-A"] = value }
                let response = try await transport.send(request)
                XCTAssertEqual(response.text, method == "HEAD" ? "" : "x")
                expected.append("\(method) /\(path) \(value ?? "")")
            }
            XCTAssertEqual(heads.current, expected)
            XCTAssertEqual(server.acceptedConnections, 1)
        }

        func testNoMoreConnectionsToAHostThanAllowed() async throws {
            let gate = LoopbackGate()
            let server = try serve { _ in .text("x").delayed(until: gate) }
            let transport = try transport { $0.maximumConnectionsPerHost = 3 }
            let tasks = (0..<20).map { index in
                let request = server.request("/\(index)")
                return Task { try await transport.send(request).status }
            }
            await until { server.requests.count == 3 }
            XCTAssertEqual(server.acceptedConnections, 3)
            gate.open()
            for task in tasks {
                let status = try await task.value
                XCTAssertEqual(status, 200)
            }
            XCTAssertEqual(server.acceptedConnections, 3)
            XCTAssertEqual(server.requests.count, 20)
        }

        func testOpenStreamsDoNotDelayOtherCalls() async throws {
            let gate = LoopbackGate()
            defer { gate.open() }
            let server = try serve { request in
                request.path == "/quick"
                    ? .text("quick") : LoopbackResponse(body: .gated(gate, Data("late".utf8)))
            }
            let transport = try transport { $0.maximumConnectionsPerHost = 3 }
            let streams = (0..<20).map { _ in
                var request = server.request("/stream")
                request.destination = .stream
                return Task { [request] in try await transport.send(request).body.collect(limit: 100) }
            }
            await until { server.requests.count == 20 }
            let quick = try await transport.send(server.request("/quick"))
            XCTAssertEqual(quick.text, "quick")
            gate.open()
            for stream in streams {
                let data = try await stream.value
                XCTAssertEqual(data, Data("late".utf8))
            }
        }

        func testDownloadsAreLimitedLikeOtherCalls() async throws {
            let gate = LoopbackGate()
            defer { gate.open() }
            let server = try serve { _ in LoopbackResponse(body: .gated(gate, Data("late".utf8))) }
            let transport = try transport { $0.maximumConnectionsPerHost = 3 }
            let downloads = (0..<10).map { _ in
                var request = server.request("/map")
                request.destination = .stream
                request.notes.isDownload = true
                return Task { [request] in try await transport.send(request).body.collect(limit: 100) }
            }
            await until { server.requests.count == 3 }
            gate.open()
            for download in downloads { _ = try await download.value }
            XCTAssertEqual(server.requests.count, 10)
            XCTAssertEqual(server.acceptedConnections, 3)
        }

        func testTheOneThatWaitedLongestGoesNext() async throws {
            let gate = LoopbackGate()
            let server = try serve { request in
                request.path == "/first" ? .text("x").delayed(until: gate) : .text("x")
            }
            let transport = try transport { $0.maximumConnectionsPerHost = 1 }
            let first = Task { [request = server.request("/first")] in
                try await transport.send(request).status
            }
            await until { server.requests.count == 1 }
            var waiting: [Task<Int, any Error>] = []
            for index in 0..<10 {
                // One after the other: a task of a higher number must not be there first.
                let started = Gate()
                waiting.append(
                    Task { [request = server.request("/\(index)")] in
                        async let status = transport.send(request).status
                        await started.pass()
                        return try await status
                    })
                started.open()
                await started.arrival()
            }
            _ = waiting.popLast().map { $0.cancel() }
            gate.open()
            _ = try await first.value
            for task in waiting { _ = try await task.value }
            XCTAssertEqual(Set(server.requests.map(\.path)).count, 10)
            XCTAssertEqual(server.acceptedConnections, 1)
        }

        func testOneWhoseTurnNeverCameIsCancelledAtOnce() async throws {
            let gate = LoopbackGate()
            let server = try serve { _ in .text("x").delayed(until: gate) }
            let transport = try transport { $0.maximumConnectionsPerHost = 1 }
            let first = Task { [request = server.request("/first")] in
                try await transport.send(request).status
            }
            await until { server.requests.count == 1 }
            let second = Task { [request = server.request("/second")] in await transport.failure(request) }
            second.cancel()
            let kind = await second.value
            XCTAssertEqual(kind, .cancelled)
            gate.open()
            _ = try await first.value
            let status = try await transport.send(server.request("/third")).status
            XCTAssertEqual(status, 200)
            XCTAssertEqual(server.requests.map(\.path), ["/first", "/third"])
        }

        // MARK: Time

        func testAConnectionThatNeverStandsTimesOut() async throws {
            // The kernel takes the connection, and nobody answers the client's part of the TLS handshake.
            let listener = try SilentListener()
            let transport = try transport { $0.connectTimeout = 0.05 }
            let url = try XCTUnwrap(URL(string: "https://127.0.0.1:\(listener.port)/"))
            let error = await transport.outcome(of: APIRequest(url: url, timeout: .infinity)).error
            XCTAssertEqual(error?.kind, .timedOut)
        }

        func testSilenceTimesOut() async throws {
            let server = try serve { _ in
                .text(String(repeating: "x", count: 1000)).failing(with: .stall(atByte: 200))
            }
            let transport = try transport { $0.idleTimeout = 0.05 }
            let error = await transport.outcome(of: server.request()).error
            XCTAssertEqual(error?.kind, .timedOut)
            XCTAssertEqual(error?.message, "No data was received within the idle timeout.")
            await until { server.openConnections == 0 }
        }

        /// The first line of a chunk, with its extensions (RFC 9112 section 7.1.1), has at most 16 KiB.
        func testAnEndlessChunkExtensionIsRefused() async throws {
            let server = try serve { _ in .fault(.flood(.chunkExtension, bytes: .max)) }
            let transport = try transport()
            for delivery in Delivery.allCases {
                let outcome = await transport.fetch(server.request(), as: delivery)
                XCTAssertEqual(outcome.error?.kind, .badResponse, "\(delivery)")
                await server.waitForOpenConnections(atMost: 0)
            }
        }

        func testTheWholeTimesOut() async throws {
            let server = try serve { _ in .fault(.stall(atByte: 0)) }
            let transport = try transport()
            var request = server.request()
            request.timeout = 0.05
            let error = await transport.outcome(of: request).error
            XCTAssertEqual(error?.kind, .timedOut)
            XCTAssertEqual(error?.message, "The request timed out.")
            await until { server.openConnections == 0 }
        }

        func testAWaitingRequestTimesOutToo() async throws {
            let gate = LoopbackGate()
            let server = try serve { _ in .text("x").delayed(until: gate) }
            let transport = try transport { $0.maximumConnectionsPerHost = 1 }
            let first = Task { [request = server.request("/first")] in
                try await transport.send(request).status
            }
            await until { server.requests.count == 1 }
            var request = server.request("/second")
            request.timeout = 0.02
            let kind = await transport.failure(request)
            XCTAssertEqual(kind, .timedOut)
            gate.open()
            _ = try await first.value
            XCTAssertEqual(server.requests.count, 1)
        }

        func testTheTimeOfASlowReaderIsNotSilence() async throws {
            let server = try serve { _ in LoopbackResponse(body: .generated(count: 30_000_000)) }
            let transport = try transport { $0.idleTimeout = 0.1 }
            var request = server.request()
            request.destination = .stream
            let response = try await transport.send(request)
            guard case .stream(let stream) = response.body else { return XCTFail("no stream") }
            var reader = stream.makeAsyncIterator()
            var count = try await reader.next()?.count ?? 0
            // Longer than the idle timeout, in which the pipe is full and nothing moves.
            try await Task.sleep(nanoseconds: 300_000_000)
            while let data = try await reader.next() { count += data.count }
            XCTAssertEqual(count, 30_000_000)
        }

        func testTheTimeUntilThereIsMoreToSendIsNotSilence() async throws {
            let never = LoopbackGate()
            let server = try serve { request in
                request.path == "/silent" ? .text("").delayed(until: never) : .data(request.body)
            }
            let transport = try transport { $0.idleTimeout = 0.1 }
            let (stream, pieces) = AsyncThrowingStream.makeStream(of: Data.self)
            let body = RequestBody.stream(length: 4) { stream }
            let upload = Task { [request = server.request("/upload", .post, body: body)] in
                try await transport.send(request).text
            }
            pieces.yield(Data("ab".utf8))
            await until { server.acceptedConnections == 1 }
            // Begun later, so that its silence lasts longer than the timeout only after the other one's.
            for _ in 0..<2 {
                let silent = await transport.outcome(of: server.request("/silent")).error
                XCTAssertEqual(silent?.kind, .timedOut)
            }
            pieces.yield(Data("cd".utf8))
            pieces.finish()
            let echo = try await upload.value
            XCTAssertEqual(echo, "abcd")
        }

        // MARK: Requests

        func testOnlyWhatTheCallerSaysGoesOut() async throws {
            let server = try serve { _ in .text("x") }
            let transport = try transport()
            _ = try await transport.send(
                server.request("/", .post, headers: ["X-Empty": ""], body: .data(Data("b".utf8))))
            let names = server.requests[0].headers.map(\.name)
            XCTAssertEqual(names, ["Host", "X-Empty", "Accept-Encoding", "Content-Length"])
        }

        func testLengthAndFramingAreTheTransports() async throws {
            let server = try serve { request in .data(request.body) }
            let transport = try transport()
            let response = try await transport.send(
                server.request(
                    "/", .post, headers: ["Content-Length": "3", "Transfer-Encoding": "chunked"],
                    body: .data(Data("longer".utf8))))
            XCTAssertEqual(response.text, "longer")
            XCTAssertEqual(
                server.requests[0].headers.filter { $0.name == "Content-Length" }.map(\.value), ["6"])
        }

        func testABodyWithHeadIsRefused() async throws {
            let server = try serve { _ in .text("x") }
            let kind = await (try transport()).failure(
                server.request("/", .head, body: .data(Data("b".utf8))))
            XCTAssertEqual(kind, .unsupported)
            XCTAssertEqual(server.requests.count, 0)
        }

        func testAHandleForgetsTheExchangeBefore() async throws {
            let server = try serve { request in
                .text("\(request.method) \(request.body.count) \(request.headers.count)")
            }
            let transport = try transport { $0.maximumConnectionsPerHost = 1 }
            let plain = try await transport.send(server.request()).text
            _ = try await transport.send(
                server.request("/", .post, headers: ["X": "1"], body: .data(Data(count: 100_000))))
            _ = try await transport.send(server.request("/", .head))
            _ = try await transport.send(server.request("/", "ODD", body: .data(Data(count: 10))))
            let again = try await transport.send(server.request()).text
            XCTAssertEqual(plain, again)
        }

        func testTheHeadersOfEachRequestAreItsOwn() async throws {
            let server = try serve { request in
                .text(
                    request.headers.filter { $0.name.lowercased() == "x-a" }.map { "\($0.name): \($0.value)" }
                        .joined())
            }
            let transport = try transport { $0.maximumConnectionsPerHost = 1 }
            let sets: [HTTPFields] = [
                ["X-A": "1"], ["X-A": "1"], ["x-a": "1"], ["X-A": "2"], [:], ["X-A": "1", "X-B": "1"],
                ["X-A": "1"],
            ]
            for headers in sets {
                let expected = headers.first.map { "\($0.name): \($0.value)" } ?? ""
                let text = try await transport.send(server.request("/", headers: headers)).text
                XCTAssertEqual(text, expected)
            }
        }

        // MARK: Stale connections

        /// A server that closes a kept connection as soon as it has the second request on it.
        private func forgetfulServer() throws -> LoopbackServer {
            let count = Locked(0)
            return try serve { _ in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return number == 2 ? .fault(.close) : .text("\(number)")
            }
        }

        func testAnIdempotentRequestOnAStaleConnectionIsSentOnceMore() async throws {
            for method in [HTTPMethod.get, .put, .delete] {
                let server = try forgetfulServer()
                let transport = try transport()
                _ = try await transport.send(server.request())
                let body: RequestBody = method == .put ? .data(Data("body".utf8)) : .none
                let response = try await transport.send(server.request("/", method, body: body))
                XCTAssertEqual(response.text, "3", "\(method)")
                XCTAssertEqual(server.requests.count, 3)
                if method == .put { XCTAssertEqual(server.requests[2].body, Data("body".utf8)) }
            }
        }

        func testOneThatIsNotIdempotentIsNeverSentTwice() async throws {
            for size in [4, 100_000] {
                let server = try forgetfulServer()
                let transport = try transport()
                _ = try await transport.send(server.request())
                let kind = await transport.failure(server.request("/", .post, body: .data(Data(count: size))))
                XCTAssertEqual(kind, .connectionLost)
                XCTAssertEqual(server.requests.count, 2)
            }
        }

        func testAServerThatClosesEveryConnectionIsAskedTwiceAtMost() async throws {
            let count = Locked(0)
            let server = try serve { _ in
                count.withLock { count in
                    count += 1
                    return count == 1
                } ? .text("x") : .fault(.close)
            }
            let transport = try transport()
            _ = try await transport.send(server.request())
            let kind = await transport.failure(server.request())
            XCTAssertEqual(kind, .connectionLost)
            XCTAssertLessThanOrEqual(server.requests.count, 3)
        }

        // MARK: Errors

        func testErrorsOfTheWay() async throws {
            let transport = try transport()
            let closed = try LoopbackServer { _ in .text("x") }
            closed.stop()
            let refused = await transport.outcome(of: closed.request()).error
            XCTAssertEqual(refused?.kind, .cannotConnect)
            let nowhere = try XCTUnwrap(URL(string: "http://nowhere.invalid/?token=secret"))
            let unknown = await transport.outcome(of: APIRequest(url: nowhere)).error
            XCTAssertEqual(unknown?.kind, .cannotFindHost)
            XCTAssertFalse("\(unknown as Any)".contains("secret"))
        }

        // MARK: Configuration

        func testInvalidConfigurationThrows() {
            for change: (inout CurlConfiguration) -> Void in [
                { $0.maximumConnectionsPerHost = 0 }, { $0.connectTimeout = 0 }, { $0.idleTimeout = -1 },
                { $0.idleTimeout = .nan },
            ] {
                XCTAssertThrowsError(try transport(change)) {
                    XCTAssertEqual(($0 as? TransportError)?.kind, .unsupported)
                }
            }
        }

        // MARK: Names

        /// The number of threads without those of Dispatch, which come and go as it likes.
        private func threads() -> Int {
            let folder = "/proc/self/task/"
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder).map {
                try? String(contentsOfFile: folder + $0 + "/comm", encoding: .utf8)
            }
            return names?.count { $0?.contains("qos") == false } ?? 0
        }

        func testManyHostsAtOnceAreLookedUpByFewThreads() async throws {
            let server = try serve { _ in .text("ok") }
            let transport = try transport { $0.proxy = .direct }
            _ = try await transport.send(server.request())
            let before = threads()
            let tasks = (0..<200).compactMap { URL(string: "http://host\($0).invalid/") }.map { url in
                Task { await transport.failure(APIRequest(url: url, timeout: .infinity)) }
            }
            // Those with an address need no look-up and wait for none; meanwhile the others are begun.
            for _ in 0..<50 {
                _ = try await transport.send(server.request())
                XCTAssertLessThanOrEqual(threads() - before, CurlLookups.limit + 8)
            }
            for task in tasks { task.cancel() }
            for task in tasks { _ = await task.value }
        }

        // MARK: Life

        func testNothingIsLeftOfATransport() async throws {
            let server = try serve { _ in .text("x") }
            func left() -> (threads: Int, files: Int) {
                (
                    threads(),
                    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
                )
            }
            _ = try await transport().send(server.request())
            await until { server.openConnections == 0 }
            let before = left()
            for _ in 0..<100 { _ = try await transport().send(server.request()) }
            await until { server.openConnections == 0 }
            await until { left().files <= before.files + 2 && left().threads <= before.threads + 2 }
        }
    }
#endif
