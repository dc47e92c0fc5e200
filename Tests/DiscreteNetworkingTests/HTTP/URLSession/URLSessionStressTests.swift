import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// Many calls at once, of which some are cancelled and some reset by the server.
@MainActor
final class URLSessionStressTests: XCTestCase {
    private static let calls = 200
    private static let rounds = FullLength.rounds(2, of: 5)

    func testManyCallsWithCancelsAndResetsEndOnceAndLeaveNothingBehind() async throws {
        var random = FixedRandom(seed: 2026)
        // The first round fills the pools of threads that the process keeps.
        try await round(&random)
        #if os(Linux)
            let before = try Usage()
        #endif
        for _ in 0..<Self.rounds { try await round(&random) }
        #if os(Linux)
            // A leak of one for each session, let alone for each call, is more than that.
            var after = try Usage()
            for _ in 0..<2000 where after.files > before.files + Self.rounds - 1 {
                // Sessions give up their files a moment after their release.
                await Task.yield()
                after = try Usage()
            }
            XCTAssertLessThan(after.files, before.files + Self.rounds)
            // libdispatch keeps its threads for some seconds, 255 at most; a thread for each call is more.
            XCTAssertLessThanOrEqual(after.threads, before.threads + 255)
        #endif
    }

    private enum Fate: CaseIterable { case answer, cancelTask, cancelManager, cancelLate, reset, cut, status }

    private func round(_ random: inout FixedRandom) async throws {
        let server = try LoopbackServer { request in
            switch request.path {
            case "/reset": .fault(.reset)
            case "/cut": LoopbackResponse.json(teapot).failing(with: .cut(atByte: 120))
            case "/status": .json("{}", status: 503)
            case "/stall": .fault(.stall(atByte: 0))
            default: .json(teapot)
            }
        }
        defer { server.stop() }
        try await calls(to: server, &random)
        // The transport is released.
        await server.waitForOpenConnections(atMost: 0)
        XCTAssertEqual(server.openConnections, 0)
    }

    private func calls(to server: LoopbackServer, _ random: inout FixedRandom) async throws {
        let stack = Stack(URLSessionTransport()) { rules in
            rules.baseURL = server.baseURL
            rules.timeout = .infinity
        }
        var running: [(Fate, Screen, Task<APIError.Kind?, Never>)] = []
        for _ in 0..<Self.calls {
            guard let fate = Fate.allCases.randomElement(using: &random) else { continue }
            let manager = stack.manager(ProductManager())
            let screen = Screen()
            manager.delegate = screen
            manager.methodName =
                switch fate {
                case .answer, .cancelTask: "answer"
                case .cancelManager, .cancelLate: "stall"
                case .reset: "reset"
                case .cut: "cut"
                case .status: "status"
                }
            let task = Task { await failure(manager)?.kind }
            running.append((fate, screen, task))
            for _ in 0..<Int.random(in: 0..<8, using: &random) { await Task.yield() }
            switch fate {
            case .cancelTask: task.cancel()
            case .cancelManager:
                await until { manager.isLoading }
                manager.cancelAllRequests()
            default: break
            }
        }
        for (fate, _, task) in running.reversed() where fate == .cancelLate { task.cancel() }
        for (fate, screen, task) in running {
            let kind = await task.value
            XCTAssertTrue(Self.fits(kind, fate), "\(fate): \(String(describing: kind))")
            XCTAssertEqual(screen.events, [kind == nil ? "success" : "failure"], "\(fate)")
        }
        XCTAssertEqual(stack.proxy.requestIDs, [])
    }

    private static func fits(_ kind: APIError.Kind?, _ fate: Fate) -> Bool {
        switch (fate, kind) {
        case (.answer, nil), (.cancelTask, nil), (.cancelTask, .cancelled): true
        case (.cancelManager, .cancelled), (.cancelLate, .cancelled), (.status, .http(503)): true
        case (.reset, .transport), (.cut, .transport): true
        default: false
        }
    }

    #if os(Linux)
        /// How many files and threads the process has.
        struct Usage {
            let files: Int
            let threads: Int

            init() throws {
                files = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
                threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
            }
        }
    #endif
}
