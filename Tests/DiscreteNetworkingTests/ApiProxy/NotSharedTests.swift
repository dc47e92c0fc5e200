import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Why a request in flight was not shared.
@MainActor
final class NotSharedTests: XCTestCase {
    private func reasons(_ events: EventTests.Recorder) -> [MissReason] {
        events.events.current.compactMap { if case .notShared(let reason) = $0.kind { reason } else { nil } }
    }

    /// Starts two calls, so that both are in flight, and returns why the second one is not shared.
    private func reasons(
        _ change: @escaping @MainActor (Stack, ProductManager) -> Void
    ) async throws -> [MissReason] {
        let gate = Gate()
        let stack = Stack(
            ClosureTransport { request in
                await gate.pass()
                return TransportResponse(request, json: teapot)
            }
        ) { $0.sharing = true }
        let events = EventTests.Recorder()
        stack.proxy.addObserver(events)
        let managers = (0..<2).map { _ in stack.manager(ProductManager()) }
        let first = Task { try await managers[0].load(with: ["id": 7]) }
        await gate.arrival(1)
        change(stack, managers[1])
        let second = Task { try await managers[1].load(with: ["id": 7]) }
        await gate.arrival(2)
        gate.open()
        for load in [first, second] { _ = try await load.value }
        await until { stack.proxy.exchanges.neighborCount == 0 }
        return reasons(events)
    }

    func testThePartsThatDifferHaveNames() async throws {
        let header = try await reasons { $1.ownHeaders = ["X-Kind": "tea"] }
        XCTAssertEqual(header, [.differs([.header("X-Kind")])])
        let param = try await reasons { stack, _ in stack.change { $0.extraParams = ["ts": 1] } }
        XCTAssertEqual(param, [.differs([.param("ts")])])
        let setting = try await reasons { $1.ownNetwork.allowsConstrainedNetworkAccess = false }
        XCTAssertEqual(setting, [.differs([.setting("network")])])
        let limit = try await reasons { stack, _ in stack.change { $0.sizeLimit = 1000 } }
        XCTAssertEqual(limit, [.differs([.setting("responseSizeLimit")])])
        let path = try await reasons { $1.methodName = "other" }
        XCTAssertEqual(path, [], "nobody expects it to be shared")
        let method = try await reasons { $1.requestType = .post }
        XCTAssertEqual(method, [])
        let unshared = try await reasons { $1.sharing = false }
        XCTAssertEqual(unshared, [])
    }

    func testARequestThatCannotBeComparedSaysWhy() async throws {
        let redirects = try await reasons { stack, _ in stack.change { $0.redirects = .decide { _ in true } }
        }
        XCTAssertEqual(redirects, [.incomparable("its redirect policy is a closure")])
    }

    func testTheNearestIsNamed() async throws {
        let gate = Gate()
        let stack = Stack(
            ClosureTransport { request in
                await gate.pass()
                return TransportResponse(request, json: teapot)
            }
        ) { $0.sharing = true }
        let events = EventTests.Recorder()
        stack.proxy.addObserver(events)
        var loads: [Task<Product, any Error>] = []
        for id in 1...20 {
            let manager = stack.manager(ProductManager())
            loads.append(Task { try await manager.load(with: ["id": id, "size": id]) })
            await gate.arrival(id)
        }
        let last = stack.manager(ProductManager())
        loads.append(Task { try await last.load(with: ["id": 20, "size": 1]) })
        await gate.arrival(21)
        XCTAssertEqual(stack.proxy.exchanges.neighborCount, 8, "no more are compared")
        gate.open()
        for load in loads { _ = try await load.value }
        XCTAssertEqual(reasons(events).count, 20)
        XCTAssertEqual(reasons(events).last, .differs([.param("size")]))
    }
}
