#if os(Linux)
    import DiscreteNetworking
    import DiscreteNetworkingTesting
    import EverythingAPI
    import Foundation
    import XCTest

    /// What a server in Python makes of a merge patch (RFC 7396): a property is kept, cleared or changed.
    @MainActor
    final class ClearingTests: XCTestCase {
        /// Prints its port, and then of each request the type, the body, and a document after this patch, by the RFC's algorithm.
        private static let script = """
            import http.server, json, sys
            document = {"state": "old", "name": "Basho", "count": 1, "tags": ["a"], "inner": {"name": "Issa", "count": 2}}
            def merge(target, patch):
                if not isinstance(patch, dict): return patch
                target = dict(target) if isinstance(target, dict) else {}
                for name, value in patch.items():
                    if value is None: target.pop(name, None)
                    else: target[name] = merge(target.get(name), value)
                return target
            class Handler(http.server.BaseHTTPRequestHandler):
                def do_PATCH(self):
                    body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                    self.send_response(204)
                    self.end_headers()
                    print(json.dumps({"type": self.headers["Content-Type"], "body": body,
                        "merged": merge(document, json.loads(body))}), flush=True)
                def log_message(self, *arguments): pass
            server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
            print(server.server_address[1], flush=True)
            for _ in range(int(sys.argv[1])): server.handle_request()
            """

        /// What the server prints of the bodies that the manager sends to it.
        private func received(_ bodies: [Change]) async throws -> [JSONValue] {
            let (process, output) = (Process(), Pipe())
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["python3", "-c", Self.script, "\(bodies.count)"]
            process.standardOutput = output
            try process.run()
            defer { process.terminate() }
            let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
                throw XCTSkip("There is no python3.")
            }
            let service = EverythingService(server: try XCTUnwrap(URL(string: "http://127.0.0.1:\(port)")))
            let factory = ServiceFactory()
            factory.register([.everything: { service }])
            factory.keepInMemory()
            for body in bodies {
                let manager = PatchJSONManager()
                manager.proxy = ApiProxy(services: factory)
                _ = try await manager.load(with: .init(body: body))
            }
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            return try text.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
        }

        func testAServerKeepsClearsAndChangesProperties() async throws {
            let all = try await received([
                Change(count: 2),
                Change(state: "new", name: .null, tags: .null),
                Change(name: .value("Buson"), tags: .value([])),
                Change(inner: .value(Change(state: "inner", name: .null))),
                Change(inner: .null),
            ])
            XCTAssertEqual(
                all.map { $0["body"]?.string },
                [
                    #"{"count":2,"state":null}"#, #"{"name":null,"state":"new","tags":null}"#,
                    #"{"name":"Buson","state":null,"tags":[]}"#,
                    #"{"inner":{"name":null,"state":"inner"},"state":null}"#, #"{"inner":null,"state":null}"#,
                ])
            let inner: JSONValue = ["name": "Issa", "count": 2]
            XCTAssertEqual(
                all.map { $0["merged"] },
                [
                    ["name": "Basho", "count": 2, "tags": ["a"], "inner": inner],
                    ["state": "new", "count": 1, "inner": inner],
                    ["name": "Buson", "count": 1, "tags": [], "inner": inner],
                    [
                        "name": "Basho", "count": 1, "tags": ["a"],
                        "inner": ["state": "inner", "count": 2],
                    ],
                    ["name": "Basho", "count": 1, "tags": ["a"]],
                ])
            XCTAssertEqual(Set(all.map { $0["type"]?.string }), ["application/merge-patch+json"])
        }
    }
#endif
