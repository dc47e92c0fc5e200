#if os(Linux)
    import Foundation
    import XCTest

    @testable import DiscreteNetworking
    @testable import DiscreteNetworkingOutbox

    /// A start of the app in a process of its own: this test binary again, with an order in its environment.
    @MainActor
    final class OutboxChildTests: XCTestCase {
        /// Queues calls, says which were taken, and sends what it can.
        func testObey() async throws {
            let environment = ProcessInfo.processInfo.environment
            guard let folder = environment["OUTBOX_FOLDER"], let server = environment["OUTBOX_SERVER"],
                let user = environment["OUTBOX_USER"], let start = Int(environment["OUTBOX_START"] ?? ""),
                let count = Int(environment["OUTBOX_COUNT"] ?? ""), let url = URL(string: server)
            else { throw XCTSkip("This is done only in the child processes of other tests.") }
            let session = TokenSession()
            session.adopt(SessionTokens(accessToken: user, user: user))
            let services = ServiceFactory { _ in }
            services.register([.chat: { ChatService(url, session) }])
            let outbox = try Outbox(
                folder: URL(fileURLWithPath: folder), proxy: ApiProxy(services: services),
                managers: [
                    OutboxManager(
                        "message", MessageManager.self, lane: { $0["room"]?.canonicalText ?? "" },
                        make: { MessageManager() })
                ], policy: OutboxPolicy(attempts: 1000, base: 0.01, cap: 0.05))
            for number in start..<(start + count) {
                let params: Params = ["room": number % 3, "number": number, "user": user]
                let entry = try await outbox.send(MessageManager.self, with: params)
                say("took \(number) \(entry.key)")
            }
            try await outbox.load()
            await outbox.wait { outbox.entries.allSatisfy { $0.user != user } }
            say("done")
        }

        private func say(_ line: String) {
            FileHandle.standardOutput.write(Data("child: \(line)\n".utf8))
        }
    }

    /// An app that is killed at any system call, and started again.
    final class KillTests: XCTestCase {
        /// Applies each key once. Fails, closes connections after it has applied a call, and is slow, at random.
        private static let program = """
            import http.server, json, random, sys, threading, time
            random.seed(41)
            lock = threading.Lock()
            applied, log = {}, []
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
                def do_GET(self): self.answer(200, log)
                def do_POST(self):
                    body = json.loads(self.rfile.read(int(self.headers['Content-Length'])))
                    key, chance = self.headers['Idempotency-Key'], random.random()
                    if chance < 0.1: return self.answer(503, {})
                    with lock:
                        if key not in applied:
                            applied[key] = len(log)
                            log.append([key, body['room'], body['number'], body['user'], self.headers['Authorization']])
                        number = applied[key]
                    if chance < 0.2:
                        self.close_connection = True
                        return self.connection.close()
                    if chance < 0.25: time.sleep(0.05)
                    self.answer(200, {'number': number})
            class Server(http.server.ThreadingHTTPServer):
                daemon_threads = True
                def handle_error(self, *_): pass
            server = Server(('127.0.0.1', 0), Handler)
            print(server.server_port, flush=True)
            threading.Thread(target=server.serve_forever, daemon=True).start()
            sys.stdin.read()
            """

        private struct Applied: Decodable {
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

        func testNothingIsLostOrAppliedTwiceWhereverTheAppIsKilled() throws {
            let rounds = ProcessInfo.processInfo.environment["OUTBOX_KILLS"].flatMap { Int($0) } ?? 8
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "outbox-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            let (python, port) = try startServer()
            defer { python.terminate() }
            let server = "http://127.0.0.1:\(port)"
            var random = SeededRandom(seed: 7)
            var taken: [String: (number: Int, user: String)] = [:]
            var kills = 0
            for round in 0..<rounds + 2 {
                let user = round % 2 == 0 ? "ann" : "bob"
                let isLast = round >= rounds
                let (lines, status) = try run(
                    folder, server, user, start: round * 10, count: isLast ? 0 : 10,
                    kill: isLast ? nil : Self.kill(&random))
                if status != 0 { kills += 1 }
                for line in lines {
                    let words = line.split(separator: " ")
                    guard words.count == 3, words[0] == "took", let number = Int(words[1]) else { continue }
                    taken["\"\(words[2])\""] = (number, user)
                }
                if isLast { XCTAssertEqual(lines.last, "done", "round \(round)") }
            }
            let log = try log(of: server)
            XCTAssertEqual(Set(log.map(\.key)).count, log.count)
            XCTAssertEqual(Set(log.map(\.number)).count, log.count, "no call has two entries")
            let keys = Set(log.map(\.key))
            for (key, call) in taken { XCTAssertTrue(keys.contains(key), "\(call) is lost") }
            for call in log { XCTAssertEqual(call.authorization, "Bearer \(call.user)") }
            for lane in Dictionary(grouping: log, by: { "\($0.room) \($0.user)" }).values {
                XCTAssertEqual(lane.map(\.number), lane.map(\.number).sorted(), "the order of a lane")
            }
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            XCTAssertEqual(left.filter { $0.hasSuffix(".entry") }, [])
            print("\(kills) kills, \(taken.count) calls taken, \(log.count) applied")
            if Self.hasStrace { XCTAssertGreaterThan(kills, rounds / 2) }
        }

        // MARK: Processes

        /// Whether processes can be traced here.
        private static let hasStrace: Bool = {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/strace")
            process.arguments = ["-f", "-qq", "-o", "/dev/null", "/bin/true"]
            process.standardError = FileHandle.nullDevice
            guard (try? process.run()) != nil else { return false }
            process.waitUntilExit()
            return process.terminationStatus == 0
        }()

        /// Arguments of `strace` that kill the process at a system call: while an entry is written, or removed.
        private static func kill(_ random: inout SeededRandom) -> [String] {
            let call =
                ["fsync", "renameat", "unlinkat", "fchmod", "fsync"].randomElement(using: &random) ?? "fsync"
            let number = Int.random(in: 1...12, using: &random)
            return ["-e", "trace=\(call)", "-e", "inject=\(call):signal=KILL:when=\(number)"]
        }

        private func run(
            _ folder: URL, _ server: String, _ user: String, start: Int, count: Int, kill: [String]?
        ) throws -> (lines: [String], status: Int32) {
            let process = Process()
            let binary = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
            let test = "DiscreteNetworkingOutboxTests.OutboxChildTests/testObey"
            let tracer = Self.hasStrace ? kill : nil
            process.executableURL = URL(fileURLWithPath: tracer == nil ? binary : "/usr/bin/strace")
            process.arguments =
                tracer.map { ["-f", "-qq", "-o", "/dev/null"] + $0 + [binary, test] } ?? [test]
            process.environment = ProcessInfo.processInfo.environment.merging([
                "OUTBOX_FOLDER": folder.path, "OUTBOX_SERVER": server, "OUTBOX_USER": user,
                "OUTBOX_START": "\(start)", "OUTBOX_COUNT": "\(count)", "SWIFT_BACKTRACE": "enable=no",
            ]) { $1 }
            let output = Pipe()
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            let lines = text.split(separator: "\n").filter { $0.hasPrefix("child: ") }
            return (lines.map { String($0.dropFirst(7)) }, process.terminationStatus)
        }

        private func log(of server: String) throws -> [Applied] {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
            process.arguments = ["-s", server]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let data = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return try JSONDecoder().decode([Applied].self, from: data)
        }

        private func startServer() throws -> (Process, Int) {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
            process.arguments = ["-c", Self.program]
            let (output, input) = (Pipe(), Pipe())
            process.standardOutput = output
            process.standardInput = input
            addTeardownBlock { try? input.fileHandleForWriting.close() }
            try process.run()
            let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            return (process, try XCTUnwrap(Int(line.trimmingCharacters(in: .whitespacesAndNewlines))))
        }
    }
#endif
