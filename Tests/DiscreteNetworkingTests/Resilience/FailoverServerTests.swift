import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingResilience

/// Fail-over between three servers on this machine, which die and come back.
@MainActor
final class FailoverServerTests: XCTestCase {
    /// A host that may be started again at its port.
    private final class Host {
        let port: UInt16
        private(set) var servers: [LoopbackServer] = []
        private let handler: LoopbackRoute.Handler

        init(_ handler: @escaping LoopbackRoute.Handler) throws {
            self.handler = handler
            // Below the ports that the system gives to clients, which could take that of a stopped server.
            var server: LoopbackServer?
            for _ in 1...100 where server == nil {
                server = try? LoopbackServer(port: .random(in: 20_000..<32_000), handler: handler)
            }
            port = try XCTUnwrap(server).port
            servers = [server!]
        }

        var baseURL: URL { servers[0].baseURL }
        /// What it has received in all its lives.
        var requests: [LoopbackRequest] { servers.flatMap(\.requests) }

        func start() throws { servers.append(try LoopbackServer(port: port, handler: handler)) }
        func stop() { servers.last?.stop() }
    }

    private func hosts(_ handler: @escaping LoopbackRoute.Handler) throws -> [Host] {
        let hosts = try (1...3).map { _ in try Host(handler) }
        addTeardownBlock { @MainActor () async in for host in hosts { host.stop() } }
        return hosts
    }

    private func stack(_ hosts: [Host]) -> Stack {
        Stack(StandardTransport.make()) {
            $0.baseURL = hosts[0].baseURL
            $0.failover = FailoverPolicy(to: hosts.dropFirst().map(\.baseURL))
            $0.timeout = .infinity
        }
    }

    /// Eight workers call without a break, while one server after the other takes over. At each moment one lives.
    func testNoIdempotentCallFailsWhileOneHostLives() async throws {
        let hosts = try hosts { _ in .json(teapot) }
        let stack = stack(hosts)
        for host in hosts.dropFirst() { host.stop() }
        var isOver = false
        var done = Array(repeating: 0, count: 8)
        var failures: [APIError] = []
        var lost = 0
        let workers = done.indices.map { worker in
            Task { @MainActor in
                while !isOver {
                    // One of four posts, each with a number of its own.
                    let posts = worker.isMultiple(of: 4)
                    let manager = stack.manager(ProductManager())
                    manager.requestType = posts ? .post : [.get, .put, .delete][worker % 3]
                    if let error = await failure(manager, with: ["number": "\(worker)-\(done[worker])"]) {
                        if posts { lost += 1 } else { failures.append(error) }
                    }
                    done[worker] += 1
                }
            }
        }
        var random = FixedRandom(seed: 17)
        var living = 0
        for _ in 1...12 {
            let next = (living + Int.random(in: 1...2, using: &random)) % 3
            try hosts[next].start()
            // Sometimes the hosts that failed are tried again, sometimes not.
            if Bool.random(using: &random) { stack.clock.advance(by: 60) }
            hosts[living].stop()
            living = next
            // Until each worker has made a call that began after that: no call sees two changes.
            let before = done
            await until { zip(done, before).allSatisfy { $0 >= $1 + 2 } }
        }
        isOver = true
        for worker in workers { await worker.value }
        XCTAssertEqual(failures.map(\.description), [])
        let posted = hosts.flatMap(\.requests).filter { $0.method == "POST" }.map {
            String(decoding: $0.body, as: UTF8.self)
        }
        XCTAssertEqual(posted.count, Set(posted).count, "a request that may have arrived is not sent again")
        XCTAssertLessThan(lost, posted.count)
        for host in hosts { XCTAssertGreaterThan(host.requests.count, 8) }
    }

    /// The first host dies in the middle of a file; the rest comes from the second one.
    func testADownloadIsResumedAtAnotherHost() async throws {
        let file = Data((0..<200_000).map { UInt8($0 % 251) })
        let whole: LoopbackRoute.Handler = { request in
            .file(file, etag: #""v1""#, for: request)
        }
        let first = try serve { whole($0).failing(with: .cut(atByte: 100_000)) }
        let second = try serve(whole)
        let stack = Stack(first) { $0.failover = FailoverPolicy(to: [second.baseURL]) }
        let folder = try temporaryFolder()
        let downloaded = try await stack.manager(DownloadManager(to: folder.file("a"))).load()
        XCTAssertEqual(try Data(contentsOf: downloaded.url), file)
        XCTAssertGreaterThan(downloaded.resumedByteCount, 0)
        XCTAssertEqual(second.requests.first?.header("Range"), "bytes=\(downloaded.resumedByteCount)-")
        XCTAssertEqual(second.requests.first?.header("If-Range"), #""v1""#)
    }

    func testADeadHostIsLeftAtOnce() async throws {
        let living = try serve { _ in .json(teapot) }
        let port = try LoopbackServer.refusedPort()
        let stack = Stack(StandardTransport.make()) {
            $0.baseURL = URL(string: "http://127.0.0.1:\(port)")!
            $0.failover = FailoverPolicy(to: [living.baseURL])
        }
        let manager = stack.manager(ProductManager())
        manager.requestType = .post
        _ = try await manager.load(with: ["id": 7])
        XCTAssertEqual(living.requests.map(\.method), ["POST"])
    }
}
