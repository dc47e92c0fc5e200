import Foundation
import XCTest

@testable import DiscreteNetworkingCore

final class DiskQueueTests: XCTestCase {
    private struct Full: Error, Equatable {}

    func testQueueReturnsTheResultOrTheErrorOfItsWork() async throws {
        let queue = DiskQueue("test")
        let value = await queue.run { 7 }
        XCTAssertEqual(value, 7)
        do throws(Full) {
            _ = try await queue.run { () throws(Full) -> Int in throw Full() }
            XCTFail("nothing was thrown")
        } catch { XCTAssertEqual(error, Full()) }
    }

    func testQueueRunsJobsInOrder() async {
        let queue = DiskQueue("test")
        let seen = Locked<[Int]>([])
        for number in 0..<100 { queue.enqueue { seen.withLock { $0.append(number) } } }
        await queue.run {}
        XCTAssertEqual(seen.current, Array(0..<100))
    }

    /// More stalled jobs than Swift has threads, each on a queue of its own: tasks go on.
    func testStalledWorkHoldsUpNoTask() async {
        let gate = DispatchSemaphore(value: 0)
        let count = ProcessInfo.processInfo.activeProcessorCount + 2
        let stalled = (0..<count).map { number in
            Task { await DiskQueue("test \(number)").run { gate.wait() } }
        }
        let sum = await withTaskGroup(of: Int.self) { group in
            for number in 0..<100 { group.addTask { number } }
            return await group.reduce(0, +)
        }
        XCTAssertEqual(sum, 4950)
        for _ in stalled { gate.signal() }
        for task in stalled { await task.value }
    }
}
