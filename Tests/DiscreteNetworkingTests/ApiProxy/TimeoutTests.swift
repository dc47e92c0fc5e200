import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Timeouts. The transports here never answer, so nothing depends on how fast the machine is.
@MainActor
final class TimeoutTests: XCTestCase {
    func testATransportThatHeedsNothingDoesNotHoldACallBeyondItsTime() async {
        let gate = Gate()
        let stack = Stack(
            ClosureTransport { request in
                await gate.pass()
                return TransportResponse(request, json: teapot)
            }
        ) { $0.timeout = 0.01 }
        let manager = stack.manager(ProductManager())
        let error = await failure(manager)
        XCTAssertEqual(error?.kind, .timedOut)
        gate.open()
        for _ in 0..<20 { await Task.yield() }
        XCTAssertEqual(manager.error?.kind, .timedOut, "the late answer says nothing")
        XCTAssertNil(manager.output)
    }

    func testTheManagersTimeoutBeatsTheServices() async {
        let gate = Gate()
        let stack = Stack(
            ClosureTransport { request in
                await gate.pass()
                return TransportResponse(request, json: teapot)
            }
        ) { $0.timeout = .infinity }
        let manager = stack.manager(ProductManager())
        manager.ownTimeout = 0.01
        let error = await failure(manager)
        XCTAssertEqual(error?.kind, .timedOut)
        gate.open()
    }

    func testACallCanBeRepeatedAfterItsTimeWasUp() async throws {
        let gate = Gate()
        let isFirst = Locked(true)
        let stack = Stack(
            ClosureTransport { request in
                let waits = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                if waits { await gate.pass() }
                return TransportResponse(request, json: teapot)
            }
        ) { rules in
            rules.timeout = 0.05
            rules.intercept = { $0.error.kind == .timedOut ? .retry : .report }
        }
        let product = try await stack.manager(ProductManager()).load()
        XCTAssertEqual(product.id, 7)
        gate.open()
    }

    func testATimeoutThatIsNoneIsRefused() async {
        for timeout in [0, -1, .nan] as [TimeInterval] {
            let manager = Stack(ClosureTransport(json: teapot)) { $0.timeout = timeout }.manager(
                ProductManager())
            guard case .invalidRequest(let reason)? = await failure(manager)?.kind else {
                return XCTFail("\(timeout)")
            }
            XCTAssertTrue(reason.contains("timeout"))
        }
    }

    func testNoLimitAndAnImmenseOneWork() async throws {
        for timeout in [.infinity, .greatestFiniteMagnitude, 1e12] as [TimeInterval] {
            let manager = Stack(ClosureTransport(json: teapot)) { $0.timeout = timeout }.manager(
                ProductManager())
            let product = try await manager.load()
            XCTAssertEqual(product.id, 7)
        }
    }
}

/// One timer for all.
final class DeadlinesTests: XCTestCase {
    func testDeadlinesFireInOrderUnlessCanceled() async {
        let deadlines = Deadlines()
        let fired = Locked<[Int]>([])
        let last = Promise<Void>()
        // Scheduled from the latest to the earliest, so that the timer is set anew each time.
        let tokens = (0..<10).reversed().map { number in
            deadlines.schedule(after: 0.02 + Double(number) * 0.002) {
                fired.withLock { $0.append(number) }
                if number == 8 { last.fulfil(()) }
            }
        }
        for (index, token) in tokens.enumerated() where index % 2 == 0 { deadlines.cancel(token) }
        await last.value
        XCTAssertEqual(fired.current, [0, 2, 4, 6, 8])
    }

    func testADeadlineAfterTheTimerWentOffStillFires() async {
        let deadlines = Deadlines()
        for _ in 0..<3 {
            let hasFired = Locked(false)
            _ = deadlines.schedule(after: 0.001) { hasFired.current = true }
            await until(within: 10) { hasFired.current }
        }
    }
}
