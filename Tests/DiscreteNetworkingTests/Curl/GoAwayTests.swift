#if os(Linux)
    import Foundation
    import XCTest

    @testable import DiscreteNetworkingCore
    @testable import DiscreteNetworkingCurl

    /// Connections that a server ends politely (RFC 9113 section 6.8), and requests that it had not yet processed.
    final class GoAwayTests: XCTestCase {
        private func transport(_ authority: TestAuthority) throws -> CurlTransport {
            var configuration = CurlConfiguration()
            configuration.proxy = .direct
            configuration.tls.certificateAuthorities = authority.root.certificate
            return try CurlTransport(configuration: configuration)
        }

        // MARK: libcurl

        func testReportsOfSeveralVersionsAreRead() {
            let reports: [String: CurlReport?] = [
                "Using Stream ID: 7 (easy handle 0x7f16)\n": .stream(7),
                "[HTTP/2] [7] OPENED stream for https://a.example/\n": .stream(7),
                "[HTTP/2] [7] [:method: POST]\n": nil,
                "recveived GOAWAY, error=0, last_stream=5\n": .goAway(last: 5),
                "received GOAWAY, error=11, last_stream=2147483647\n": .goAway(last: 2_147_483_647),
                "received GOAWAY, error=11\n": nil,
                "REFUSED_STREAM, retrying a fresh connect\n": .refused,
                "HTTP/2 stream 7 refused by server, try again on a new connection\n": .refused,
                "HTTP/2 stream 7 reset by server (error 0x7 refused by server)\n": nil,
                " subject: CN=REFUSED_STREAM, retrying\n": nil,
                "": nil,
            ]
            for (text, report) in reports {
                Array(text.utf8).withUnsafeBytes { XCTAssertEqual(CurlReport($0), report, text) }
            }
        }

        // MARK: nginx

        private enum Kind: String, CaseIterable {
            case get, post, file, stream, events
        }

        private func request(_ kind: Kind, _ url: URL, file: URL) -> APIRequest {
            var request = APIRequest(url: url, timeout: .infinity)
            switch kind {
            case .get: break
            case .post: request.body = .data(Data(count: 1000))
            case .file: request.body = .file(file)
            case .stream:
                request.body = .stream(length: nil) {
                    AsyncThrowingStream { stream in
                        for _ in 0..<20 { stream.yield(Data(count: 5000)) }
                        stream.finish()
                    }
                }
            case .events:
                request.destination = .stream
                request.headers["Accept"] = "text/event-stream"
            }
            if kind != .get, kind != .events { request.method = .post }
            return request
        }

        /// Sends requests of all kinds by many callers at once, and lets the server's log say how often each has come.
        private func send(_ count: Int, during act: (NginxServer) async throws -> Void) async throws -> Log {
            let authority = try SharedServers.authority()
            let server = try NginxServer(authority, requestsPerConnection: 50)
            defer { server.stop() }
            let transport = try transport(authority)
            let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try Data(count: 100_000).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let requests = (0..<count).flatMap { number in
                Kind.allCases.map { kind in
                    let path = "taken/\(kind.rawValue)/\(number)"
                    return (kind, request(kind, server.secureURL.appendingPathComponent(path), file: file))
                }
            }
            let next = Locked(0)
            let failures = Locked<[String]>([])
            let callers = (0..<300).map { _ in
                Task {
                    while true {
                        let number = next.withLock { number in
                            defer { number += 1 }
                            return number
                        }
                        guard number < requests.count else { return }
                        let (kind, request) = requests[number]
                        switch await transport.fetch(request, as: kind == .events ? .stream : .memory) {
                        case .success(let response): XCTAssertEqual(response.text, "data: 1\n\n")
                        case .failure(let error): failures.withLock { $0.append("\(kind): \(error)") }
                        }
                    }
                }
            }
            try await act(server)
            for caller in callers { await caller.value }
            let expected = Kind.allCases.flatMap { kind in
                let method = kind == .get || kind == .events ? "GET" : "POST"
                return (0..<count).map { "\(method) /taken/\(kind.rawValue)/\($0) 200" }
            }
            // The log is written after the response.
            await until { Set(server.requests).count >= expected.count }
            return Log(failures: failures.current, requests: server.requests)
        }

        private struct Log {
            var failures: [String]
            var requests: [String]

            /// Requests with these methods that have come more than once.
            func repeats(_ methods: String...) -> [String] {
                let counts = Dictionary(requests.map { ($0, 1) }, uniquingKeysWith: +)
                return counts.filter { request in
                    request.value > 1 && methods.contains { request.key.hasPrefix($0) }
                }.keys.sorted()
            }
        }

        func testEveryRequestIsProcessedOnceByAServerThatEndsItsConnections() async throws {
            let log = try await send(FullLength.rounds(100, of: 1000)) { _ in }
            XCTAssertEqual(log.failures, [])
            XCTAssertEqual(log.repeats("GET", "POST"), [])
        }

        /// A worker of nginx that ends closes connections whose last responses are still on their way. If the client sends just
        /// then, the network discards them: such a POST has been processed, and fails.
        func testEveryPostIsProcessedOnceByAServerThatIsReloaded() async throws {
            let count = FullLength.rounds(100, of: 1000)
            let log = try await send(count) { server in
                await until { server.requests.count >= count }
                try server.reload()
            }
            XCTAssertEqual(log.repeats("POST"), [])
            XCTAssertLessThan(log.failures.count, count / 10, "\(log.failures)")
            XCTAssertEqual(log.failures.filter { $0.hasPrefix("get") || $0.hasPrefix("events") }, [])
        }

        // MARK: A server that says what it has processed

        private func leavingServer() throws -> (server: LeavingServer, transport: CurlTransport) {
            let authority = try SharedServers.authority()
            let server = try LeavingServer(authority.server)
            addTeardownBlock { server.stop() }
            return (server, try transport(authority))
        }

        private func outcomes(
            _ methods: [HTTPMethod], _ server: LeavingServer, _ transport: CurlTransport, processed: Int
        ) async -> [Result<String, TransportError>] {
            let tasks = methods.enumerated().map { number, method in
                var request = APIRequest(
                    url: server.baseURL.appendingPathComponent(
                        "leave/\(methods.count)/\(processed)/\(number)"),
                    method: method, timeout: .infinity)
                if method == .post { request.body = .data(Data("x".utf8)) }
                return Task { [request] in await transport.fetch(request).map(\.text) }
            }
            var outcomes: [Result<String, TransportError>] = []
            for task in tasks { outcomes.append(await task.value) }
            return outcomes
        }

        func testRequestsThatWereNotProcessedGoOutAgain() async throws {
            for isReused in [false, true] {
                let (server, transport) = try leavingServer()
                if isReused { _ = try await transport.send(APIRequest(url: server.baseURL)) }
                let all = await outcomes([.post, .post, .post, .get], server, transport, processed: 1)
                for outcome in all { XCTAssertEqual(try outcome.get(), "answer", "is reused: \(isReused)") }
                XCTAssertEqual(
                    server.processed.sorted(), (0..<4).map { "leave/4/1/\($0)" }, "is reused: \(isReused)")
            }
        }

        /// The server has processed all, and answers none.
        func testAPostThatMayHaveBeenProcessedDoesNotGoOutAgain() async throws {
            let (server, transport) = try leavingServer()
            _ = try await transport.send(APIRequest(url: server.baseURL))
            let all = await outcomes([.post, .post], server, transport, processed: -2)
            for outcome in all {
                guard case .failure(let error) = outcome else { return XCTFail("\(outcome)") }
                XCTAssertEqual(error.kind, .connectionLost)
            }
            XCTAssertEqual(server.processed.sorted(), ["leave/2/-2/0", "leave/2/-2/1"])
        }

        func testAServerThatProcessesNothingIsGivenUp() async throws {
            let (server, transport) = try leavingServer()
            let request = APIRequest(
                url: server.baseURL.appendingPathComponent("never"), method: .post,
                body: .data(Data("x".utf8)),
                timeout: .infinity)
            let outcome = await transport.fetch(request)
            guard case .failure(let error) = outcome else { return XCTFail("\(outcome)") }
            XCTAssertEqual(error.kind, .connectionLost)
            XCTAssertTrue(error.message.contains("100 times"), error.message)
            XCTAssertEqual(server.processed, [])
        }
    }

    /// An HTTP/2 server that ends a connection once it holds a number of requests, and says how many of them it has processed.
    private final class LeavingServer: Sendable {
        private let server: ScriptServer
        var baseURL: URL { server.baseURL }

        init(_ identity: TestAuthority.Identity) throws {
            server = try ScriptServer(
                Self.program, [identity.certificate.path, identity.key.path], at: "https://localhost")
        }

        func stop() { server.stop() }

        /// The paths of the requests that it has processed, answered or not.
        var processed: [String] {
            server.lines.filter { $0.hasPrefix("leave/") }
        }

        /// `/leave/4/1/…` is held until there are four of them on a connection. Then the one of the first stream is answered, and
        /// the others are not processed. With `-2`, two are processed and not answered. On later connections all are answered.
        private static let program = """
            import socket, ssl, sys, threading
            from h2.connection import H2Connection
            from h2.config import H2Configuration
            from h2.events import StreamEnded, RequestReceived

            hasLeft = False

            # One write a line: several threads write.
            def note(path):
                sys.stdout.write(path + "\\n")
                sys.stdout.flush()

            def answer(connection, stream, path):
                if path.startswith("leave"): note(path)
                connection.send_headers(stream, [(":status", "200")])
                connection.send_data(stream, b"answer", end_stream=True)

            def serve(client):
                global hasLeft
                connection = H2Connection(H2Configuration(client_side=False))
                connection.initiate_connection()
                client.sendall(connection.data_to_send())
                paths, held = {}, []
                while data := client.recv(65536):
                    leaves = None
                    for event in connection.receive_data(data):
                        if isinstance(event, RequestReceived):
                            paths[event.stream_id] = dict(event.headers)[b":path"].decode()[1:]
                        if not isinstance(event, StreamEnded):
                            continue
                        path = paths[event.stream_id]
                        if path == "never":
                            leaves = 0
                        elif path.startswith("leave") and not hasLeft:
                            held.append(event.stream_id)
                            _, count, processed, _ = path.split("/")
                            if len(held) < int(count):
                                continue
                            held.sort()
                            leaves = held[abs(int(processed)) - 1]
                            for stream in held[:abs(int(processed))]:
                                if int(processed) > 0: answer(connection, stream, paths[stream])
                                else: note(paths[stream])
                        else:
                            answer(connection, event.stream_id, path)
                    if leaves is not None:
                        hasLeft = True
                        connection.close_connection(0, last_stream_id=leaves)
                    client.sendall(connection.data_to_send())
                    if leaves is not None:
                        # Otherwise what the client has sent since resets the connection.
                        while path == "never" or int(processed) > 0:
                            if not client.recv(65536): break
                        return

            def accept(client):
                try:
                    client.settimeout(60)
                    client = context.wrap_socket(client, server_side=True)
                    serve(client)
                except (OSError, ssl.SSLError):
                    pass
                client.close()

            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(sys.argv[2], sys.argv[3])
            context.set_alpn_protocols(["h2"])
            listener = socket.create_server(("127.0.0.1", int(sys.argv[1])), backlog=64)
            while True:
                threading.Thread(target=accept, args=(listener.accept()[0],), daemon=True).start()
            """
    }
#endif
