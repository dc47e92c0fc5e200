import Foundation
import XCTest

@testable import DiscreteNetworkingCore

final class ClockTests: XCTestCase {
    func testTheSystemsClockGoesForwardAndSleepsNotAtAllForNothing() async throws {
        let clock = SystemClock()
        let before = clock.uptime
        for seconds in [0, -1, -.infinity, .nan] as [TimeInterval] { try await clock.sleep(for: seconds) }
        try await clock.sleep(for: 0.001)
        XCTAssertGreaterThanOrEqual(clock.uptime, before + 0.001)
    }

    func testACancelledTaskDoesNotSleep() async throws {
        for seconds in [0, 3600, .infinity] as [TimeInterval] {
            let sleep = Task { try await SystemClock().sleep(for: seconds) }
            sleep.cancel()
            // One that had slept for 0 seconds before the cancel is right, too.
            if seconds > 0 { await Self.assertIsCancelled(sleep) }
        }
    }

    private static func assertIsCancelled(_ task: Task<Void, any Error>, line: UInt = #line) async {
        do {
            try await task.value
            XCTFail("slept", line: line)
        } catch {
            XCTAssert(error is CancellationError, "\(error)", line: line)
        }
    }
}
