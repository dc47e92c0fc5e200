import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Many calls at once, with everything that can go wrong, over an in-memory transport.
@MainActor
final class StressTests: XCTestCase {
    func testAThousandConcurrentCallsWithCancelsResetsAndReleases() async {
        for seed in 1...3 as ClosedRange<UInt64> {
            var random = JSONRandom(seed: seed)
            let lost = TransportError(.connectionLost, message: "reset")
            let transport = ClosureTransport { request in
                for _ in 0..<(request.url.path.utf8.last ?? 0) % 7 { await Task.yield() }
                if request.url.path.hasSuffix("3") { throw lost }
                return TransportResponse(request, json: teapot)
            }
            let stack = Stack(transport) { rules in
                rules.sharing = seed == 2
                rules.intercept = { $0.attempt == 1 && $0.call.methodName.hasSuffix("13") ? .retry : .report }
            }
            var managers: [ProductManager?] = []
            let outcomes = Locked<[Int: [APIError.Kind?]]>([:])
            for number in 0..<1000 {
                let manager = stack.manager(ProductManager())
                manager.methodName = "item\(number % 50)"
                manager.tag = number % 10 == 0 ? "tenth" : nil
                let id = manager.loadData { result in
                    outcomes.withLock { $0[number, default: []].append(result.kind) }
                }
                managers.append(manager)
                switch random.next() % 8 {
                case 0: manager.cancelRequest(id)
                case 1: Task.detached { stack.proxy.cancelRequest(id) }
                case 2: managers[number] = nil
                case 3:
                    let victim = Int(random.next() % UInt64(number + 1))
                    let other = managers[victim]
                    Task.detached { await other?.cancelAllRequests() }
                default: break
                }
                if number % 50 == 0 { await Task.yield() }
            }
            stack.proxy.cancelRequests(tagged: "tenth")
            await until { outcomes.withLock { $0.count } == 1000 }
            for _ in 0..<100 { await Task.yield() }
            XCTAssertEqual(outcomes.current.values.filter { $0.count != 1 }.count, 0, "seed \(seed)")
            for (number, kinds) in outcomes.current {
                let allowed: [APIError.Kind?] =
                    number % 10 == 3 ? [.transport(lost), .cancelled] : [nil, .cancelled]
                XCTAssertTrue(allowed.contains(kinds[0]), "\(number): \(kinds)")
            }
            XCTAssertEqual(stack.proxy.requestIDs, [])
            XCTAssertFalse(managers.contains { $0?.isLoading == true })
            let released = managers.map { WeakBox($0) }
            managers = []
            await until { released.allSatisfy { $0.value == nil } }
        }
    }

    func testMemoryIsFlatOverManyCalls() async throws {
        try XCTSkipIf(Memory.resident == nil, "reads Linux's /proc, and a sanitizer keeps what was freed")
        let stack = Stack(ClosureTransport.silent)
        func call(_ count: Int) async throws {
            let tasks = (0..<8).map { _ in
                Task { for _ in 0..<count / 8 { _ = try await stack.manager(ProductManager()).load() } }
            }
            for task in tasks { try await task.value }
        }
        // The allocator takes a while to settle; after that no call may cost anything. At full length a leak of 11 bytes
        // a call would show in every round.
        let count = FullLength.rounds(5000, of: 100_000)
        var growth = Int.max
        for _ in 0..<10 where growth >= 1 << 20 {
            let before = try XCTUnwrap(Memory.resident)
            try await call(count)
            growth = try XCTUnwrap(Memory.resident) - before
        }
        XCTAssertLessThan(growth, 1 << 20, "bytes in the last \(count) calls")
        XCTAssertEqual(stack.proxy.requestIDs, [])
    }
}

extension ClosureTransport {
    /// Remembers nothing.
    struct Silent: Transport {
        func send(_ request: APIRequest) async throws -> TransportResponse {
            TransportResponse(request, json: teapot)
        }
    }
    static var silent: Silent { Silent() }
}

@MainActor
private struct WeakBox {
    weak var value: ProductManager?
    init(_ value: ProductManager?) { self.value = value }
}
