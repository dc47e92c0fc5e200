#if os(Linux)
    import Foundation
    import LoopbackServer
    import XCTest

    @testable import DiscreteNetworkingCore

    /// Ways to a server beside its address: a proxy, and a Unix domain socket.
    @MainActor
    final class CurlWayTests: XCTestCase {
        private static let isChild = "CURL_WAY_CHILD"

        func testAProxyIsAskedForTheWholeURL() async throws {
            let proxy = try serve { request in .text(request.target) }
            var configuration = CurlConfiguration()
            configuration.proxy = .url(proxy.baseURL, except: ["direct.invalid"])
            let transport = try CurlTransport(configuration: configuration)
            let url = try XCTUnwrap(URL(string: "http://example.invalid/a?b=c"))
            let response = try await transport.send(APIRequest(url: url))
            XCTAssertEqual(response.text, "http://example.invalid/a?b=c")
            let excepted = try XCTUnwrap(URL(string: "http://direct.invalid/"))
            let kind = await transport.failure(APIRequest(url: excepted))
            XCTAssertEqual(kind, .cannotFindHost)
        }

        /// The variables of a process are read while others may write them, so this is a process of its own.
        func testTheProxyOfTheProcess() async throws {
            let proxy = try serve { request in .text(request.target) }
            let status = try await Self.child(
                "testInTheChild", ["http_proxy": proxy.baseURL.absoluteString, "no_proxy": "direct.invalid"])
            XCTAssertEqual(status, 0)
            XCTAssertEqual(proxy.requests.map(\.target), ["http://example.invalid/a"])
        }

        /// Runs a test in a process of its own.
        private static func child(_ test: String, _ variables: [String: String]) async throws -> Int32 {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            process.arguments = ["DiscreteNetworkingTests.CurlWayTests/\(test)"]
            process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
                .merging([isChild: "1"]) { $1 }
            process.standardOutput = FileHandle.nullDevice
            let end = Promise<Int32>()
            process.terminationHandler = { end.fulfil($0.terminationStatus) }
            try process.run()
            return await end.value
        }

        func testEachNameOfAProxyCounts() async throws {
            let names = ["http_proxy", "https_proxy", "all_proxy"].flatMap { [$0, $0.uppercased()] }
            let none = Dictionary(uniqueKeysWithValues: names.map { ($0, "") })
            for name in names {
                let status = try await Self.child(
                    "testThereIsAProxyInTheChild", none.merging([name: "http://127.0.0.1:9"]) { $1 })
                XCTAssertEqual(status, 0, name)
            }
            let status = try await Self.child("testThereIsNoProxyInTheChild", none)
            XCTAssertEqual(status, 0)
        }

        /// To libcurl, which is below `URLSession` as well, a star among names is a name.
        func testAStarIsEveryHostOnlyWhereItStandsAlone() async throws {
            let proxy = try serve { _ in .text("proxy") }
            for (list, test) in [
                ("*", "testURLSessionStaysOnThisMachineInTheChild"),
                ("a.example, 127.0.0.1", "testURLSessionStaysOnThisMachineInTheChild"),
                ("*,a.example", "testURLSessionRefusesInTheChild"),
                ("a.example,*", "testURLSessionRefusesInTheChild"),
                (" *", "testURLSessionRefusesInTheChild"), ("* ", "testURLSessionRefusesInTheChild"),
            ] {
                let variables = [
                    "http_proxy": proxy.baseURL.absoluteString, "no_proxy": list, "NO_PROXY": list,
                ]
                let status = try await Self.child(test, variables)
                XCTAssertEqual(status, 0, list)
            }
            XCTAssertEqual(proxy.requests.count, 0)
        }

        func testURLSessionStaysOnThisMachineInTheChild() async throws {
            try skipUnlessChild()
            let server = try serve { _ in .text("here") }
            let response = try await URLSessionTransport().send(server.request())
            XCTAssertEqual(response.text, "here")
        }

        func testURLSessionRefusesInTheChild() async throws {
            try skipUnlessChild()
            let server = try serve { _ in .text("here") }
            let kind = await URLSessionTransport().failure(server.request())
            XCTAssertEqual(kind, .unsupported)
        }

        func testThereIsAProxyInTheChild() async throws {
            try skipUnlessChild()
            XCTAssertTrue(ProxyEnvironment.namesProxy)
        }

        func testThereIsNoProxyInTheChild() async throws {
            try skipUnlessChild()
            XCTAssertFalse(ProxyEnvironment.namesProxy)
        }

        private func skipUnlessChild() throws {
            let isChild = ProcessInfo.processInfo.environment[Self.isChild] != nil
            try XCTSkipUnless(isChild, "This is done only in the child process of the tests above.")
        }

        func testInTheChild() async throws {
            try skipUnlessChild()
            let urls = ["http://example.invalid/a", "http://direct.invalid/b"].compactMap(URL.init(string:))
            let viaProxy = try await CurlTransport().send(APIRequest(url: urls[0]))
            XCTAssertEqual(viaProxy.text, "http://example.invalid/a")
            // It may be on this machine.
            XCTAssertFalse(try CurlTransport().needsNetwork(for: urls[0]))
            XCTAssertFalse(URLSessionTransport().needsNetwork(for: urls[0]))
            let excepted = await (try CurlTransport()).failure(APIRequest(url: urls[1]))
            XCTAssertEqual(excepted, .cannotFindHost)
            // What is for this machine stays on it, with its token.
            let server = try serve { request in .text(request.header("Authorization") ?? "") }
            for host in ["127.0.0.1", "localhost"] {
                let url = try XCTUnwrap(URL(string: "http://\(host):\(server.port)/"))
                let request = APIRequest(url: url, headers: ["Authorization": "Bearer s3cr3t"])
                let response = try await CurlTransport().send(request)
                XCTAssertEqual(response.text, "Bearer s3cr3t")
                let kind = await URLSessionTransport().failure(request)
                XCTAssertEqual(kind, .unsupported)
            }
            XCTAssertEqual(server.requests.count, 2)
            var configuration = CurlConfiguration()
            configuration.proxy = .direct
            let direct = await (try CurlTransport(configuration: configuration)).failure(
                APIRequest(url: urls[0]))
            XCTAssertEqual(direct, .cannotFindHost)
        }

        /// A proxy that an app names itself, on this machine, may be there to watch what goes to this machine.
        func testOnlyAProxyOnThisMachineSeesWhatIsForThisMachine() async throws {
            let (proxy, server) = (try serve { _ in .text("proxy") }, try serve { _ in .text("server") })
            for (way, answer) in [
                (proxy.baseURL, "proxy"), (URL(string: "http://proxy.invalid:1")!, "server"),
            ] {
                var configuration = CurlConfiguration()
                configuration.proxy = .url(way)
                let transport = try CurlTransport(configuration: configuration)
                let response = try await transport.send(APIRequest(url: server.baseURL))
                XCTAssertEqual(response.text, answer)
            }
        }

        func testAUnixSocket() async throws {
            let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sock").path
            defer { try? FileManager.default.removeItem(atPath: path) }
            let server = Process()
            let (input, output) = (Pipe(), Pipe())
            server.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            server.arguments = [
                "python3", "-c",
                """
                import http.server, socketserver, sys, threading
                class Handler(http.server.BaseHTTPRequestHandler):
                    def do_GET(self):
                        body = (self.headers["Host"] + self.path).encode()
                        self.send_response(200)
                        self.send_header("Content-Length", str(len(body)))
                        self.end_headers()
                        self.wfile.write(body)
                    def log_message(self, *arguments): pass
                server = socketserver.ThreadingUnixStreamServer(sys.argv[1], Handler)
                threading.Thread(target=server.serve_forever, daemon=True).start()
                print("ready", flush=True)
                sys.stdin.read()
                """, path,
            ]
            server.standardInput = input
            server.standardOutput = output
            try server.run()
            defer {
                try? input.fileHandleForWriting.close()
                server.waitUntilExit()
            }
            _ = output.fileHandleForReading.availableData
            var configuration = CurlConfiguration()
            configuration.unixSocketPath = path
            let transport = try CurlTransport(configuration: configuration)
            let url = try XCTUnwrap(URL(string: "http://daemon.invalid/containers?all=1"))
            let response = try await transport.send(APIRequest(url: url))
            XCTAssertEqual(response.text, "daemon.invalid/containers?all=1")
            configuration.unixSocketPath = path + ".missing"
            let kind = await (try CurlTransport(configuration: configuration)).failure(APIRequest(url: url))
            XCTAssertEqual(kind, .cannotConnect)
        }
    }
#endif
