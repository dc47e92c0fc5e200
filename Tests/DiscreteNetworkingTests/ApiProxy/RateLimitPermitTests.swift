import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworking

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
            _ = await waiter.permit
            got.current = true
        }
        await stack.clock.waitForSleepers()
        limiter.giveBack(permit)
        await until { got.current }
        await task.value
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
