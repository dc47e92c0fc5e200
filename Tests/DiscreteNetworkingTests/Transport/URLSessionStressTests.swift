import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworking

/// Two hundred calls at once over real sockets, with cancels and resets.
@MainActor
final class URLSessionStressTests: XCTestCase {
    func testOneOutcomeEachAndNothingLeftBehind() async throws {
        let server = try LoopbackServer { request in
            switch (Int(request.path.split(separator: "/").last ?? "0") ?? 0) % 10 {
            case 3: .fault(.reset)
            case 5: .text(String(repeating: "x", count: 100_000)).failing(with: .abort(atByte: 50_000))
            case 7: .redirect(to: "/0")
            default: .json(teapot)
            }
        }
        defer { server.stop() }
        try await round(server, seed: 1)
        await server.waitForOpenConnections(atMost: 0)
        let descriptors = Self.count("/proc/self/fd") + 40
        for seed in 2...20 as ClosedRange<UInt64> {
            try await round(server, seed: seed)
            await server.waitForOpenConnections(atMost: 0)
            await until { Self.count("/proc/self/fd") < descriptors }
        }
        // The pool of libdispatch keeps threads for a while, as many as there were calls at once; a thread
        // left behind by each call would be 4000 of them.
        XCTAssertLessThan(Self.count("/proc/self/task"), 800)
    }

    private func round(_ server: LoopbackServer, seed: UInt64) async throws {
        var random = JSONRandom(seed: seed)
        var stack: Stack? = Stack(URLSessionTransport()) { rules in
            rules.baseURL = server.baseURL
            rules.timeout = 60
        }
        let outcomes = Locked<[Int: [APIError.Kind?]]>([:])
        let proxy = try XCTUnwrap(stack?.proxy)
        var managers: [ProductManager?] = []
        for number in 0..<200 {
            let manager = try XCTUnwrap(stack).manager(ProductManager())
            manager.methodName = "item/\(number)"
            let id = manager.loadData { result in
                outcomes.withLock { $0[number, default: []].append(result.kind) }
            }
            managers.append(manager)
            switch random.below(6) {
            case 0: manager.cancelRequest(id)
            case 1: Task.detached { proxy.cancelRequest(id) }
            case 2: managers[number] = nil
            default: break
            }
            if random.chance(20) { await Task.yield() }
            if random.chance(10), let victim = managers[random.below(number + 1)] {
                victim.cancelAllRequests()
            }
        }
        await until { outcomes.withLock { $0.count } == 200 }
        XCTAssertEqual(outcomes.current.values.filter { $0.count != 1 }.count, 0, "seed \(seed)")
        for (number, kinds) in outcomes.current where kinds[0] != .cancelled {
            if [3, 5].contains(number % 10) {
                guard case .transport? = kinds[0] else { return XCTFail("\(number): \(kinds)") }
            } else {
                XCTAssertNil(kinds[0], "\(number)")
            }
        }
        XCTAssertEqual(proxy.requestIDs, [])
        managers = []
        stack = nil
    }

    private static func count(_ folder: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
    }
}
