#if os(Linux)
    import Foundation
    import XCTest

    @testable import DiscreteNetworkingCore

    /// The nonce of a challenge is used again (RFC 7616), as a server of Python judges it.
    final class DigestNonceTests: XCTestCase {
        /// Accepts the user `casa` with a nonce whose `nc` grows, for a number of requests. Prints the `nc` of each request, and the
        /// length of its body.
        private static let program = """
            import hashlib, re, secrets, sys
            from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
            uses, says = int(sys.argv[2]), sys.argv[3] == "says"
            nonces = {}
            def md5(text): return hashlib.md5(text.encode()).hexdigest()
            class Handler(BaseHTTPRequestHandler):
                protocol_version = 'HTTP/1.1'
                disable_nagle_algorithm = True
                def log_message(self, *_): pass
                def do_GET(self):
                    body = self.rfile.read(int(self.headers.get('Content-Length', 0)))
                    text = self.headers.get('Authorization', '')
                    fields = dict(re.findall(r'(\\w+)="?([^",]+)"?', text))
                    print(fields.get('nc', '-'), fields.get('username', '-'), len(body), flush=True)
                    stale = False
                    if fields:
                        first = md5(fields['username'] + ':home:' + {'casa': 'pw', 'other': 'word'}.get(fields['username'], '?'))
                        second = md5(self.command + ':' + self.path)
                        expected = md5(':'.join([first, fields['nonce'], fields['nc'], fields['cnonce'], 'auth', second]))
                        used, count = nonces.get(fields['nonce'], 0), int(fields['nc'], 16)
                        right = expected == fields['response']
                        if right and fields['nonce'] in nonces and count == used + 1 and count <= uses:
                            nonces[fields['nonce']] = count
                            return self.answer(200, fields['username'].encode(), [])
                        stale = right and says
                    nonce = secrets.token_hex(8)
                    nonces[nonce] = 0
                    self.answer(401, b'no', [('WWW-Authenticate', 'Digest realm="home", qop="auth", nonce="%s"%s'
                        % (nonce, ', stale=true' if stale else ''))])
                def answer(self, status, body, fields):
                    self.send_response(status)
                    for name, value in fields: self.send_header(name, value)
                    self.send_header('Content-Length', str(len(body)))
                    self.end_headers()
                    if self.command != 'HEAD': self.wfile.write(body)
                do_POST = do_PUT = do_HEAD = do_GET
            ThreadingHTTPServer(('127.0.0.1', int(sys.argv[1])), Handler).serve_forever()
            """

        /// - Parameters:
        ///   - uses: How often a nonce may be used.
        ///   - says: Whether the server says `stale=true` then.
        private func server(uses: Int, says: Bool = true) throws -> ScriptServer {
            let server = try ScriptServer(Self.program, ["\(uses)", says ? "says" : "is silent"])
            addTeardownBlock { server.stop() }
            return server
        }

        private func transport() throws -> CurlTransport {
            var configuration = CurlConfiguration()
            configuration.proxy = .direct
            return try CurlTransport(configuration: configuration)
        }

        private func request(
            _ server: ScriptServer, _ method: HTTPMethod = .get, _ body: RequestBody = .none,
            user: String = "casa", password: String = "pw"
        ) -> APIRequest {
            var request = APIRequest(
                url: server.baseURL.appendingPathComponent("items"), method: method, body: body)
            request.credential = .digest(user: user, password: password)
            return request
        }

        func testFurtherRequestsNeedNoChallenge() async throws {
            let (server, transport) = (try server(uses: 100), try transport())
            let bodies: [(HTTPMethod, RequestBody)] = [
                (.get, .none), (.post, .data(Data(count: 70_000))), (.head, .none), (.get, .none),
                (
                    .put,
                    .stream(length: 9) {
                        AsyncThrowingStream {
                            $0.yield(Data(count: 9))
                            $0.finish()
                        }
                    }
                ),
                (.post, .data(Data(count: 5))), (.get, .none),
            ]
            for (method, body) in bodies {
                let response = try await transport.send(request(server, method, body))
                XCTAssertEqual(response.status, 200, "\(method)")
                XCTAssertEqual(response.text, method == .head ? "" : "casa", "\(method)")
            }
            let seen = server.lines.map { $0.replacingOccurrences(of: "0000000", with: "") }
            XCTAssertEqual(
                seen.filter { $0.first != "-" },
                ["1 casa 0", "2 casa 70000", "3 casa 0", "4 casa 0", "5 casa 9", "6 casa 5", "7 casa 0"])
            XCTAssertEqual(seen.count, bodies.count + 1)
        }

        func testANonceThatIsUsedUpIsReplaced() async throws {
            for says in [true, false] {
                for body in [RequestBody.none, .data(Data(count: 70_000))] {
                    let (server, transport) = (try server(uses: 1, says: says), try transport())
                    for delivery in [Delivery.memory, .memory, .stream, .memory] {
                        let response = try await transport.fetch(request(server, .post, body), as: delivery)
                            .get()
                        XCTAssertEqual(response.status, 200, "says: \(says)")
                        XCTAssertEqual(response.text, "casa")
                    }
                }
            }
        }

        func testAnotherUserOrPasswordHasAChallengeOfItsOwn() async throws {
            let (server, transport) = (try server(uses: 100), try transport())
            for (user, password, status) in [
                ("casa", "pw", 200), ("other", "word", 200), ("casa", "wrong", 401), ("casa", "pw", 200),
                ("other", "word", 200), ("casa", "wrong", 401),
            ] {
                let response = try await transport.send(request(server, user: user, password: password))
                XCTAssertEqual(response.status, status, user)
                if status == 200 { XCTAssertEqual(response.text, user) }
            }
            // What no credential belongs to has none.
            var open = request(server)
            open.credential = nil
            let response = try await transport.send(open)
            XCTAssertEqual(response.status, 401)
            XCTAssertEqual(server.lines.last, "- - 0")
        }
    }
#endif
