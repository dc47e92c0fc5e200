import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingResilience

/// Permits of calls that were not sent, and limiters that nobody needs any more.
@MainActor
final class RateLimitPermitTests: XCTestCase {
    func testAPermitOfACallThatWasCanceledUnsentIsGivenBack() async {
        let gate = Gate()
        let transport = ClosureTransport { request in
            if request.url.path == "/busy" { await gate.pass() }
            return TransportResponse(request, json: teapot)
        }
        let stack = Stack(transport) {
            $0.rate = RateLimit(1, per: 10)
            $0.limit = 1
            $0.timeout = .infinity
        }
        func manager(_ name: String) -> ProductManager {
            let manager = stack.manager(ProductManager())
            manager.methodName = name
            return manager
        }
        let (busy, second, third) = (manager("busy"), manager("b"), manager("c"))
        busy.loadData(with: [:])
        await gate.arrival()
        stack.clock.advance(by: 10)
        second.loadData(with: [:])
        await until { stack.proxy.queue.count == 2 }
        second.cancelAllRequests()
        await until { stack.proxy.queue.count == 1 }
        for _ in 0..<100 { await Task.yield() }
        gate.open()
        await until { busy.output != nil }
        third.loadData(with: [:])
        await until { third.output != nil }
        XCTAssertEqual(transport.requests.map(\.url.path), ["/busy", "/c"], "none was sent in the last 10 s")
    }

    func testAPermitThatIsGivenBackGoesToTheCallThatWaits() async {
        let stack = Stack(ClosureTransport(json: teapot))
        let limiter = RateLimiter(clock: stack.clock)
        let limit = RateLimit(1, per: 10)
        guard case .permit(let permit) = limiter.enter(limit, priority: .normal, renewing: nil),
            case .waiting(let waiter, _) = limiter.enter(limit, priority: .normal, renewing: nil)
        else { return XCTFail() }
        let got = Locked(false)
        let task = Task {
            _ = await waiter.pass
            got.current = true
        }
        await stack.clock.waitForSleepers()
        limiter.giveBack(permit)
        await until { got.current }
        await task.value
    }

    func testARenewedPermitKeepsItsTurn() async {
        let clock = TestClock()
        let limiter = RateLimiter(clock: clock)
        func permit(_ calls: Int, renewing old: RateLimiter.Permit? = nil) -> RateLimiter.Permit? {
            let limit = RateLimit(calls, per: 10)
            guard case .permit(let permit) = limiter.enter(limit, priority: .normal, renewing: old)
            else { return nil }
            return permit
        }
        let (first, second) = (permit(2), permit(2))
        let renewed = permit(2, renewing: first)
        clock.advance(by: 10)
        XCTAssertNotNil(permit(1), "another call is sent, and no permit is left")
        let order = Locked<[String]>([])
        var tasks: [Task<Void, Never>] = []
        for (name, old) in [("second", second), ("first", renewed)] {
            guard
                case .waiting(let waiter, _) = limiter.enter(
                    RateLimit(1, per: 10), priority: .normal, renewing: old)
            else { return XCTFail() }
            tasks.append(
                Task {
                    _ = await waiter.pass
                    order.withLock { $0.append(name) }
                })
        }
        for count in 1...2 {
            await clock.waitForSleepers()
            clock.advance(by: 10)
            await until { order.current.count == count }
        }
        XCTAssertEqual(order.current, ["first", "second"])
    }

    /// Whatever the server says, whenever: no call waits longer than the strictest statement that is still in force.
    func testNoWaitIsLongerThanWhatTheServerHasSaid() throws {
        var random = FixedRandom(seed: 5)
        for _ in 0..<300 {
            let clock = TestClock()
            let limiter = RateLimiter(clock: clock)
            var permits: [RateLimiter.Permit] = []
            var ends: [TimeInterval] = []
            for _ in 0..<40 {
                let time = clock.uptime
                switch Int.random(in: 0..<4, using: &random) {
                case 0: clock.advance(by: .random(in: 0...90, using: &random))
                case 1:
                    guard let permit = permits.randomElement(using: &random) else { continue }
                    let reset = Int.random(in: 1...200, using: &random)
                    let fields = try XCTUnwrap(
                        RateLimitFields(
                            [
                                "RateLimit-Remaining": "\(Int.random(in: 0...3, using: &random))",
                                "RateLimit-Reset": "\(reset)",
                            ], status: 200, now: clock.now))
                    limiter.note(fields, for: permit)
                    ends.append(time + Double(reset))
                case 2: permits.randomElement(using: &random).map(limiter.noteAcceptance)
                default:
                    switch limiter.enter(RateLimit(), priority: .normal, renewing: nil) {
                    case .permit(let permit): permits.append(permit)
                    case .waiting(let waiter, let seconds):
                        let strictest = (ends.max() ?? time) - time
                        XCTAssertGreaterThan(seconds, 0)
                        XCTAssertLessThanOrEqual(seconds, min(60, strictest) + 1e-6)
                        waiter.cancel()
                    }
                }
            }
        }
    }

    func testLimitersOfGeneratedMethodNamesAreForgotten() async throws {
        let stack = Stack(ClosureTransport(json: teapot))
        for number in 0..<600 {
            let manager = stack.manager(ProductManager())
            manager.methodName = "a\(number)"
            manager.ownRate = RateLimit(100, per: 0.1)
            _ = try await manager.load(with: [:])
            stack.clock.advance(by: 1)
        }
        XCTAssertLessThanOrEqual(stack.proxy.rateLimiters.count, 257)
    }
}
