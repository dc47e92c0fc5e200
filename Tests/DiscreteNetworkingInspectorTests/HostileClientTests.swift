import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingInspector

#if os(Linux) || os(macOS)
    /// Clients without the token take no place of those that have it.
    @MainActor
    final class HostileClientTests: XCTestCase {
        private func inspector() throws -> Inspector {
            let inspector = try Inspector(observing: ApiProxy(transport: StubTransport()), print: { _ in })
            addTeardownBlock { inspector.stop() }
            return inspector
        }

        /// 200 connections that never end what they began, each in one of the ways.
        private static let attack = """
            import socket, sys, threading, time
            port, head = int(sys.argv[1]), bytes(sys.argv[2], "ascii").decode("unicode_escape").encode()
            clients = []
            def connect():
                client = socket.create_connection(("127.0.0.1", port))
                client.sendall(head)
                clients.append(client)
            for _ in range(200): connect()
            time.sleep(0.2)
            print("ready", flush=True)
            def drip():
                while True:
                    for index, client in enumerate(clients):
                        try: client.sendall(b"x")
                        except OSError: pass
                    time.sleep(0.1)
            threading.Thread(target=drip, daemon=True).start()
            sys.stdin.read()
            """

        private func attack(_ inspector: Inspector, _ head: String) throws -> Attack {
            try Attack(Self.attack, port: XCTUnwrap(inspector.url.port), head)
        }

        func testClientsWithoutTheTokenDoNotHoldItsPlaces() async throws {
            let inspector = try inspector()
            for head in [
                // Refused, and goes on sending.
                #"X\r\n\r\n"#,
                // A head and a body without an end.
                #"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "#,
                #"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\n\r\n"#,
                // Has no token, and stays.
                #"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"#,
                // Sends nothing, then something without an end.
                "",
            ] {
                let attack = try attack(inspector, head)
                defer { attack.end() }
                for _ in 0..<3 {
                    let page = try await Answer(of: inspector.url)
                    XCTAssertEqual(page.status, 200, head)
                }
            }
        }

        func testAPageThatListensIsNotPushedOut() async throws {
            let inspector = try inspector()
            let page = try await EventReader(inspector.url)
            let attack = try attack(inspector, #"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "#)
            defer { attack.end() }
            let manager = ListenedManager()
            let stubs = StubTransport()
            stubs.on(ListenedManager.self, answer: .json([:]))
            manager.proxy = ApiProxy(stubbing: stubs, [.listened: ListenedService.self])
            inspector.observe(manager.proxy)
            _ = try await manager.load(with: ["id": 7])
            let text = try await page.read(until: #""state":"succeeded""#)
            XCTAssertTrue(text.contains("ListenedManager"))
        }

        func testAHugeHeadIsRefused() async throws {
            let inspector = try inspector()
            let answer = try await Answer(
                of: inspector.url, ["X-Long": String(repeating: "x", count: 100_000)])
            XCTAssertEqual(answer.status, 431)
        }
    }

    /// A Python program that attacks until it is ended.
    private final class Attack {
        private let process = Process()
        private let input = Pipe()

        init(_ program: String, port: Int, _ head: String) throws {
            let output = Pipe()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["python3", "-c", program, "\(port)", head]
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            let line = output.fileHandleForReading.availableData
            let isRequired = ProcessInfo.processInfo.environment["CI_REQUIRE_TOOLS"] != nil
            try XCTSkipIf(line.isEmpty && !isRequired, "needs python3")
        }

        func end() {
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
        }
    }

    extension ServiceIdentifier { fileprivate static let listened: Self = "listened" }

    private final class ListenedService: Service {
        var baseURL: URL { URL(string: "https://shop.example")! }
    }

    private final class ListenedManager: APIManager<JSONValue> {
        let serviceIdentifier = ServiceIdentifier.listened
        let methodName = "teapots"
        let requestType = HTTPMethod.get
    }
#endif
