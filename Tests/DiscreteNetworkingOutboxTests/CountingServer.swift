#if os(Linux)
    import Foundation
    import XCTest

    /// A backend in Python that applies each idempotency key once, and writes down what it applied.
    ///
    /// It fails, closes connections after it has applied a call, is slow, and lets tokens expire, at random. Below `/silent` it never
    /// responds.
    final class CountingServer {
        struct Applied: Decodable, Sendable {
            let key: String
            let room: Int
            let number: Int
            let user: String
            let authorization: String

            init(from decoder: any Decoder) throws {
                var fields = try decoder.unkeyedContainer()
                key = try fields.decode(String.self)
                room = try fields.decode(Int.self)
                number = try fields.decode(Int.self)
                user = try fields.decode(String.self)
                authorization = try fields.decode(String.self)
            }
        }

        let url: String
        private let process = Process()
        private let input = Pipe()

        /// Stops at the end of a test.
        convenience init(_ test: XCTestCase) throws {
            try self.init()
            test.addTeardownBlock { [input] in try? input.fileHandleForWriting.close() }
        }

        init() throws {
            process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
            process.arguments = ["-c", Self.program]
            let output = Pipe()
            process.standardOutput = output
            process.standardInput = input
            try process.run()
            let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            let port = try XCTUnwrap(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)))
            url = "http://127.0.0.1:\(port)"
        }

        func stop() { try? input.fileHandleForWriting.close() }

        /// What it has applied, in that order.
        func log() throws -> [Applied] { try JSONDecoder().decode([Applied].self, from: get("/")) }

        /// How often it has failed, by the kind of failure.
        func faults() throws -> [String: Int] {
            try JSONDecoder().decode([String: Int].self, from: get("/faults"))
        }

        private func get(_ path: String) throws -> Data {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
            process.arguments = ["-s", url + path]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let data = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return data
        }

        private static let program = """
            import collections, http.server, json, random, sys, threading, time
            random.seed(41)
            lock = threading.Lock()
            applied, log, expired, faults = {}, [], set(), collections.Counter()
            class Handler(http.server.BaseHTTPRequestHandler):
                protocol_version = 'HTTP/1.1'
                disable_nagle_algorithm = True
                def log_message(self, *_): pass
                def answer(self, status, value):
                    body = json.dumps(value).encode()
                    self.send_response(status)
                    self.send_header('Content-Type', 'application/json')
                    self.send_header('Content-Length', str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)
                def do_GET(self): self.answer(200, faults if self.path == '/faults' else log)
                def do_POST(self):
                    body = json.loads(self.rfile.read(int(self.headers['Content-Length'])))
                    if self.path.startswith('/silent'): time.sleep(1000)
                    key, chance = self.headers['Idempotency-Key'], random.random()
                    token = self.headers['Authorization']
                    with lock:
                        if chance < 0.02: expired.add(token)
                        if token in expired:
                            faults['expired tokens'] += 1
                            return self.answer(401, {})
                        if chance < 0.1:
                            faults['status 503'] += 1
                            return self.answer(503, {})
                        if key not in applied:
                            applied[key] = len(log)
                            log.append([key, body['room'], body['number'], body['user'], token])
                        else: faults['requests applied before'] += 1
                        number = applied[key]
                    if chance < 0.2:
                        faults['connections closed after applying'] += 1
                        self.close_connection = True
                        return self.connection.close()
                    if chance < 0.25:
                        faults['slow responses'] += 1
                        time.sleep(0.05)
                    self.answer(200, {'number': number})
            class Server(http.server.ThreadingHTTPServer):
                daemon_threads = True
                request_queue_size = 100
                def handle_error(self, *_): pass
            server = Server(('127.0.0.1', 0), Handler)
            print(server.server_port, flush=True)
            threading.Thread(target=server.serve_forever, daemon=True).start()
            sys.stdin.read()
            """
    }
#endif
