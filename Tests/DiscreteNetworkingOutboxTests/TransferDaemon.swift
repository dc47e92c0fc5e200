#if os(Linux)
    import Foundation
    import XCTest

    @testable import DiscreteNetworkingCore
    @testable import DiscreteNetworkingOutbox

    /// A backend and a system's transfer daemon in Python, which outlive the processes of an app.
    ///
    /// The daemon has the tasks: it sends their files with a client of its own while no app runs, and reports an outcome until it is
    /// taken. The backend applies each idempotency key once, and counts the requests.
    final class TransferDaemon {
        struct Applied: Decodable {
            let key: String
            let number: Int
            let authorization: String
            let requests: Int
        }

        let url: URL
        private let process = Process()
        private let input = Pipe()

        init(_ test: XCTestCase) throws {
            process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
            process.arguments = ["-c", Self.program]
            let output = Pipe()
            process.standardOutput = output
            process.standardInput = input
            try process.run()
            let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            let port = try XCTUnwrap(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)))
            url = try XCTUnwrap(URL(string: "http://127.0.0.1:\(port)"))
            test.addTeardownBlock { [input] in try? input.fileHandleForWriting.close() }
        }

        /// What the backend has applied.
        func log() async throws -> [Applied] {
            let response = try await ProcessSession.ask(url, "GET", "log")
            return try JSONDecoder().decode([Applied].self, from: response)
        }

        private static let program = """
            import collections, http.server, json, queue, random, sys, threading, time, urllib.error, urllib.request
            random.seed(5)
            lock = threading.Condition()
            tasks, events, log, dropped = {}, [], {}, set()
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
                def body(self): return self.rfile.read(int(self.headers['Content-Length'] or 0))
                def do_GET(self):
                    with lock:
                        if self.path == '/log': return self.answer(200, list(log.values()))
                        if self.path == '/tasks':
                            return self.answer(200, [[n, t['suspended']] for n, t in tasks.items()])
                        lock.wait_for(lambda: events, 0.5)
                        self.answer(200, events[:1])
                def do_POST(self):
                    body = self.body()
                    if self.path == '/messages': return self.apply(json.loads(body))
                    value = json.loads(body)
                    name = value['name']
                    with lock:
                        if self.path == '/make':
                            tasks[name] = dict(value, suspended=True, data=open(value['file'], 'rb').read())
                        elif self.path == '/resume' and name in tasks:
                            if tasks[name]['suspended']:
                                tasks[name]['suspended'] = False
                                threading.Thread(target=perform, args=(name,), daemon=True).start()
                        elif self.path == '/cancel': tasks.pop(name, None)
                        elif self.path == '/take': events[:] = [e for e in events if e['name'] != name]
                        self.answer(200, {})
                def apply(self, body):
                    key, token = self.headers['Idempotency-Key'], self.headers['Authorization']
                    with lock:
                        # A token expires once a call: a call that is rejected twice has failed.
                        if key not in dropped and random.random() < 0.2:
                            dropped.add(key)
                            return self.answer(401, {})
                        entry = log.setdefault(key, {
                            'key': key, 'number': body['number'], 'authorization': token, 'requests': 0})
                        entry['requests'] += 1
                    self.answer(200, {'number': body['number']})
            def perform(name):
                with lock: task = tasks.get(name)
                if task is None: return
                request = urllib.request.Request(
                    task['url'], data=task['data'], method=task['method'], headers=dict(task['headers']))
                try:
                    response = urllib.request.urlopen(request)
                    status, body = response.status, response.read()
                except urllib.error.HTTPError as error:
                    status, body = error.code, error.read()
                with lock:
                    if tasks.pop(name, None) is None: return
                    events.append({'name': name, 'status': status, 'body': body.decode()})
                    lock.notify_all()
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

    /// The tasks of a ``TransferDaemon``, as an app's process has them.
    final class ProcessSession: BackgroundSession {
        private let url: URL
        private let reader = Locked<Task<Void, Never>?>(nil)

        init(_ url: URL) { self.url = url }

        private struct Event: Decodable {
            let name: String
            let status: Int
            let body: String
        }

        static func ask(_ url: URL, _ method: HTTPMethod, _ path: String, _ body: JSONValue? = nil)
            async throws
            -> Data
        {
            let request = APIRequest(
                url: url.appendingPathComponent(path), method: method,
                body: body.map { .data(Data($0.canonicalText.utf8)) } ?? .none)
            let response = try await CurlTransport().send(request)
            return try await response.body.collect(limit: 1 << 24) ?? Data()
        }

        private func ask(_ path: String, _ body: JSONValue) async {
            _ = try? await Self.ask(url, .post, path, body)
        }

        func connect(to delegate: any BackgroundSessionDelegate) {
            reader.current = Task { [url] in
                while !Task.isCancelled {
                    guard let data = try? await Self.ask(url, .get, "events"),
                        let events = try? JSONDecoder().decode([Event].self, from: data)
                    else { return }
                    for event in events {
                        let head = TransportResponse(
                            url: url, status: event.status, headers: ["Content-Type": "application/json"])
                        delegate.ended(
                            event.name, BackgroundEnding(head: head, body: Data(event.body.utf8)))
                        // The daemon reports it until this process has taken it.
                        await self.ask("take", ["name": .string(event.name)])
                    }
                }
            }
        }

        func make(_ order: BackgroundOrder) async throws(TransportError) {
            guard case .upload(let file) = order.content else { return }
            let headers = order.request.headers.map {
                JSONValue.array([.string($0.name.rawName), .string($0.value)])
            }
            await ask(
                "make",
                [
                    "name": .string(order.description), "file": .string(file.path),
                    "url": .string(order.request.url.absoluteString),
                    "method": .string(order.request.method.rawValue), "headers": .array(headers),
                ])
        }

        func resume(_ description: String) async { await ask("resume", ["name": .string(description)]) }

        func cancel(_ description: String) async -> Data? {
            await ask("cancel", ["name": .string(description)])
            return nil
        }

        func tasks() async -> [BackgroundTask] {
            guard let data = try? await Self.ask(url, .get, "tasks"),
                let list = try? JSONValue(parsing: data).array
            else { return [] }
            return list.compactMap { task in
                guard let name = task[0]?.string, let isSuspended = task[1]?.bool else { return nil }
                return BackgroundTask(description: name, isSuspended: isSuspended)
            }
        }

        func close() { reader.current?.cancel() }
    }
#endif
