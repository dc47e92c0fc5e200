import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// Many exchanges with random cancels and faults, and that they leave nothing behind.
extension ConnectionsConformance {
    func testCancelsAtAnyMomentOfAQuickExchange() async throws {
        let server = try serve { request in
            request.path == "/0" ? .redirect(to: "/1") : .text("ok")
        }
        let request = server.request("/0")
        var random = FixedRandom(seed: 7)
        var kinds: [TransportError.Kind?: Int] = [:]
        for _ in 0..<1000 {
            let turns = Int.random(in: 0..<60, using: &random)
            let task = Task { [transport] in await transport.outcome(of: request) }
            for _ in 0..<turns { await Task.yield() }
            task.cancel()
            kinds[await task.value.error?.kind, default: 0] += 1
        }
        XCTAssertTrue(kinds.keys.allSatisfy { $0 == nil || $0 == .cancelled }, "\(kinds)")
        XCTAssertGreaterThan(kinds[.cancelled] ?? 0, 0)
        let response = try await transport.send(server.request("/1"))
        XCTAssertEqual(response.text, "ok", "the transport goes on working")
    }

    func testCancelsAroundAChallenge() async throws {
        let server = try serve { _ in .text("log in", status: 401).adding("WWW-Authenticate", "Basic realm=x")
        }
        let request = server.request()
        var random = FixedRandom(seed: 401)
        for _ in 0..<300 {
            let task = Task { [transport] in await transport.outcome(of: request) }
            for _ in 0..<Int.random(in: 0..<40, using: &random) { await Task.yield() }
            task.cancel()
            switch await task.value {
            case .success(let response): XCTAssertEqual(response.status, 401)
            case .failure(let error): XCTAssertEqual(error.kind, .cancelled)
            }
        }
        let response = try await transport.send(request)
        XCTAssertEqual(response.text, "log in", "the transport goes on working")
    }

    func testAStormOfCancelsAndFaults() async throws {
        let server = try serve { request in
            switch request.path {
            case "/reset": .fault(.reset)
            case "/cut": LoopbackResponse.text("cut off").failing(with: .cut(atByte: 80))
            case "/stall": .fault(.stall(atByte: 0))
            case "/moved": .redirect(to: "/")
            case "/large": LoopbackResponse(body: .generated(count: 300_000))
            default: .text("ok")
            }
        }
        let paths = ["/", "/", "/reset", "/cut", "/stall", "/moved", "/large"]
        let transport = transport
        let rounds = FullLength.rounds(20, of: 60)
        let running = Locked<[Int: String]>([:])
        let ended = expectation(description: "Every exchange ended.")
        Task {
            await withTaskGroup(of: Void.self) { group in
                for caller in 0..<32 {
                    group.addTask {
                        var random = FixedRandom(seed: UInt64(caller))
                        for _ in 0..<rounds {
                            let path = paths[Int.random(in: 0..<paths.count, using: &random)]
                            let delivery: Delivery = Bool.random(using: &random) ? .memory : .stream
                            let isCancelled = path == "/stall" || Bool.random(using: &random)
                            let request = server.request(path)
                            running.withLock {
                                $0[caller] = "\(path) \(delivery), \(isCancelled ? "" : "not ")cancelled"
                            }
                            let task = Task { await transport.fetch(request, as: delivery) }
                            if isCancelled {
                                for _ in 0..<Int.random(in: 0..<50, using: &random) { await Task.yield() }
                                task.cancel()
                            }
                            let outcome = await task.value
                            running.withLock { $0[caller] = nil }
                            let fails = path == "/reset" || path == "/cut" || path == "/stall"
                            XCTAssertFalse(fails && outcome.error == nil, path)
                            XCTAssertFalse(
                                !fails && !isCancelled && outcome.error != nil, "\(path): \(outcome)")
                        }
                    }
                }
            }
            ended.fulfill()
        }
        await fulfillment(of: [ended], timeout: 50)
        XCTAssertEqual(running.current, [:], "the exchanges that did not end")
        let response = try await transport.send(server.request("/"))
        XCTAssertEqual(response.text, "ok", "the transport goes on working")
    }

    #if os(Linux)
        /// How many files and threads the process has.
        private static func usage() throws -> (files: Int, threads: Int) {
            (
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count,
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
            )
        }

        func testTransportsLeaveNoFilesAndNoThreads() async throws {
            let server = try serve { _ in .text("ok") }
            // The first ones fill the pools that the process keeps.
            for _ in 0..<3 { _ = try await Self.subject.make(.init()).send(server.request()) }
            await server.waitForOpenConnections(atMost: 0)
            let before = try Self.usage()
            for _ in 0..<40 { _ = try await Self.subject.make(.init()).send(server.request()) }
            await server.waitForOpenConnections(atMost: 0)
            var after = try Self.usage()
            for _ in 0..<20_000 where after.files > before.files + 10 || after.threads > before.threads + 10 {
                // What a transport holds is given up a moment after its release.
                await Task.yield()
                after = try Self.usage()
            }
            XCTAssertLessThanOrEqual(after.files, before.files + 10)
            XCTAssertLessThanOrEqual(after.threads, before.threads + 10)
        }

        /// Against nginx, because our own server remembers every request.
        func testManyRequestsWithFlatMemory() async throws {
            let url = try SharedServers.nginx().baseURL.appendingPathComponent("protocol")
            let count = FullLength.rounds(1500, of: 4000)
            for _ in 0..<count / 4 { _ = try await transport.send(APIRequest(url: url)) }
            let memory = MemoryWatch()
            for _ in 0..<count { _ = try await transport.send(APIRequest(url: url)) }
            XCTAssertLessThan(memory.growth, 4 << 20, "more than 1 KB a request at full length")
        }
    #endif
}
