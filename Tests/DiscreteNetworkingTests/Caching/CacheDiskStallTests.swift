import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

/// A disk that stalls holds up only those who need it.
@MainActor
final class CacheDiskStallTests: XCTestCase {
    /// A cache whose disk does not answer until it is told to.
    private final class Stalled: ResponseCache {
        private let gate = DispatchSemaphore(value: 0)
        let isStalled = Locked(true)
        let arrivals = Gate()

        private func wait() {
            Task { await arrivals.pass() }
            guard isStalled.current else { return }
            gate.wait()
            gate.signal()
        }

        func resume() {
            isStalled.current = false
            gate.signal()
            arrivals.open()
        }

        func response(for key: CacheKey) -> CachedResponse? {
            wait()
            return nil
        }
        func store(_ response: CachedResponse, for key: CacheKey) { wait() }
        func remove(_ scope: CacheScope) { wait() }
    }

    func testCallsThatNeedNoDiskGoOn() async throws {
        let disk = Stalled()
        let stack = Stack(ClosureTransport(json: teapot), disk: disk)
        let count = ProcessInfo.processInfo.activeProcessorCount + 2
        let stalled = (0..<count).map { number in
            let manager = stack.manager(keeping: .disk)
            manager.methodName = "item\(number)"
            return Task { try await manager.load() }
        }
        await disk.arrivals.arrival()
        let others = Task {
            for number in 0..<50 {
                let manager = stack.manager(keeping: number.isMultiple(of: 2) ? .memory : .none)
                _ = try await manager.load()
            }
        }
        let areDone = Locked(false)
        Task {
            _ = await others.result
            areDone.current = true
        }
        await until(within: 20) { areDone.current }
        disk.resume()
        try await others.value
        for task in stalled { _ = try await task.value }
    }
}
