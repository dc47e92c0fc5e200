import DiscreteNetworkingTesting
import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingResilience

/// At most so many calls in a period, by the clock of the proxy, and what servers say of their limits.
@MainActor
final class RateLimitTests: XCTestCase {
    private func manager(_ stack: Stack, _ name: String, _ priority: CallPriority? = nil) -> ProductManager {
        let manager = stack.manager(ProductManager())
        manager.methodName = name
        manager.ownPriority = priority
        return manager
    }

    /// Starts calls, one after the other, of which all but `sent` wait.
    private func start(_ stack: Stack, _ managers: [ProductManager], sent: Int) async {
        let recorder = EventTests.Recorder()
        stack.proxy.addObserver(recorder)
        for (index, manager) in managers.enumerated() {
            manager.loadData(with: [:])
            if index < sent {
                await until { !manager.isLoading }
            } else {
                await until {
                    recorder.names.filter { $0.hasPrefix("waiting delay") }.count == index - sent + 1
                }
            }
        }
    }

    // MARK: The app's limit

    func testThePrintOfAPolicyHasItsValuesOnly() {
        XCTAssertEqual("\(RateLimit(3, per: 2))", "RateLimit(calls: 3, period: 2.0, machinery: …)")
        XCTAssertEqual(Mirror(reflecting: RateLimit(3).machinery).children.count, 0)
    }

    func testCallsBeyondTheLimitWaitForThePeriodToPass() async {
        let transport = ClosureTransport(json: teapot)
        let stack = Stack(transport) { $0.rate = RateLimit(2, per: 10) }
        let managers = (0..<5).map { manager(stack, "a\($0)") }
        await start(stack, managers, sent: 2)
        XCTAssertEqual(transport.requests.count, 2)
        for count in [4, 5] {
            await stack.clock.waitForSleepers()
            stack.clock.advance(by: 9)
            for _ in 0..<20 { await Task.yield() }
            XCTAssertEqual(transport.requests.count, count == 4 ? 2 : 4, "not before the period is over")
            stack.clock.advance(by: 1)
            await until { transport.requests.count == count }
        }
        await until { managers.allSatisfy { $0.output != nil } }
        let paths = transport.requests.map(\.url.path)
        // Calls that may be sent at the same time build their requests at the same time.
        XCTAssertEqual(paths[2..<4].sorted(), ["/a2", "/a3"])
        XCTAssertEqual(paths.last, "/a4")
        await until { stack.clock.sleepers == 0 }
    }

    /// Any period of that length: not only those that begin with the first call.
    func testTheWindowSlides() async {
        let transport = ClosureTransport(json: teapot)
        let stack = Stack(transport) { $0.rate = RateLimit(2, per: 10) }
        let managers = ["a", "b", "c", "d"].map { manager(stack, $0) }
        await start(stack, [managers[0]], sent: 1)
        stack.clock.advance(by: 9)
        await start(stack, Array(managers[1...]), sent: 1)
        await stack.clock.waitForSleepers()
        stack.clock.advance(by: 1)
        await until { transport.requests.count == 3 }
        await stack.clock.waitForSleepers()
        XCTAssertEqual(stack.clock.pauses.last, 9)
        stack.clock.advance(by: 9)
        await until { transport.requests.count == 4 }
        await until { managers.allSatisfy { $0.output != nil } }
    }

    func testTheEndpointsLimitIsBesidesTheServices() async {
        let transport = ClosureTransport(json: teapot)
        let stack = Stack(transport) { $0.rate = RateLimit(3, per: 10) }
        let managers = ["slow", "slow", "fast", "fast", "fast"].map { manager(stack, $0) }
        for manager in managers.prefix(2) { manager.ownRate = RateLimit(1, per: 100) }
        await start(stack, [managers[0]], sent: 1)
        await start(stack, [managers[1]], sent: 0)
        await start(stack, Array(managers[2...]), sent: 2)
        XCTAssertEqual(transport.requests.map(\.url.path), ["/slow", "/fast", "/fast"])
        await stack.clock.waitForSleepers(2)
        stack.clock.advance(by: 10)
        await until { transport.requests.count == 4 }
        XCTAssertEqual(transport.requests.last?.url.path, "/fast")
        await stack.clock.waitForSleepers(1)
        stack.clock.advance(by: 90)
        await until { transport.requests.count == 5 }
        await until { managers.allSatisfy { $0.output != nil } }
    }

    func testPrioritiesGoFirstAndNobodyStarves() async {
        let transport = ClosureTransport(json: teapot)
        let stack = Stack(transport) { $0.rate = RateLimit(1, per: 1) }
        let patient = manager(stack, "low", .low)
        let others = (0..<10).map { manager(stack, "high\($0)", .high) }
        await start(stack, [manager(stack, "first"), patient] + others, sent: 1)
        for count in 2...12 {
            await stack.clock.waitForSleepers()
            stack.clock.advance(by: 1)
            await until { transport.requests.count == count }
        }
        let names = transport.requests.map { String($0.url.path.dropFirst()) }
        XCTAssertEqual(
            names, ["first"] + (0..<8).map { "high\($0)" } + ["low", "high8", "high9"])
    }

    func testACanceledCallLeavesAtOnceAndADeadlineGoesOn() async {
        let transport = ClosureTransport(json: teapot)
        let stack = Stack(transport) { $0.rate = RateLimit(1, per: 60) }
        let (first, late, next) = (manager(stack, "a"), manager(stack, "b"), manager(stack, "c"))
        late.ownDeadline = 5
        await start(stack, [first, late, next], sent: 1)
        await stack.clock.waitForSleepers(2)
        stack.clock.advance(by: 5)
        await until { late.error != nil }
        XCTAssertEqual(late.error?.kind, .deadlineExceeded(waitingFor: .delay(60)))
        next.cancelAllRequests()
        await until { next.error != nil }
        XCTAssertEqual(next.error?.kind, .cancelled)
        await until { stack.clock.sleepers == 0 }
        XCTAssertEqual(transport.requests.count, 1)
    }

    func testJoinedCallsDoNotCount() async {
        let gate = Gate()
        let transport = ClosureTransport { request in
            await gate.pass()
            return TransportResponse(request, json: teapot)
        }
        let stack = Stack(transport) {
            $0.rate = RateLimit(1, per: 10)
            $0.sharing = true
            $0.timeout = .infinity
        }
        let managers = (0..<3).map { _ in manager(stack, "same") }
        managers[0].loadData(with: [:])
        await gate.arrival()
        let recorder = EventTests.Recorder()
        stack.proxy.addObserver(recorder)
        for manager in managers[1...] { manager.loadData(with: [:]) }
        await until { recorder.names.filter { $0 == "joined" }.count == 2 }
        gate.open()
        await until { managers.allSatisfy { $0.output != nil } }
        XCTAssertEqual(transport.requests.count, 1)
    }

    func testEachAttemptCounts() async {
        let failing = ClosureTransport(json: "", status: 503)
        let retrying = Stack(failing) {
            $0.rate = RateLimit(1, per: 10)
            $0.retry = RetryPolicy(attempts: 2, base: 1)
        }
        let called = manager(retrying, "a")
        called.loadData(with: [:])
        await retrying.clock.waitForSleepers()
        retrying.clock.advance(by: 1)
        await until { retrying.clock.pauses.count == 2 }
        await retrying.clock.waitForSleepers()
        XCTAssertEqual(retrying.clock.pauses, [1, 9])
        XCTAssertEqual(failing.requests.count, 1)
        retrying.clock.advance(by: 9)
        await until { called.error != nil }
        XCTAssertEqual(failing.requests.count, 2)
    }

    /// A call keeps its turn while it waits for a slot, and counts from when it is sent.
    func testACallThatWaitsForASlotCountsWhenItIsSent() async {
        let gate = Gate()
        let transport = ClosureTransport { request in
            if request.url.path == "/busy" { await gate.pass() }
            return TransportResponse(request, json: teapot)
        }
        let stack = Stack(transport) {
            $0.rate = RateLimit(2, per: 10)
            $0.limit = 1
            $0.timeout = .infinity
        }
        let (busy, second, third) = (manager(stack, "busy"), manager(stack, "b"), manager(stack, "c"))
        busy.loadData(with: [:])
        await gate.arrival()
        second.loadData(with: [:])
        await until { stack.proxy.queue.count == 2 }
        stack.clock.advance(by: 10)
        third.loadData(with: [:])
        await until { stack.proxy.queue.count == 3 }
        gate.open()
        await until { second.output != nil && third.output != nil }
        let last = manager(stack, "d")
        await start(stack, [last], sent: 0)
        XCTAssertEqual(transport.requests.count, 3, "both were sent at 10 s")
    }

    // MARK: The server's limit

    /// A server that accepts two calls in 30 s, says so, and refuses more.
    func testCallsWaitInsteadOfBeingRefused() async throws {
        let fields: [(HTTPFields.Name, @Sendable (Int) -> String)] = [
            ("RateLimit", { #""default";r=\#($0);t=30"# }),
            ("RateLimit", { "limit=2, remaining=\($0), reset=30" }),
        ]
        for (name, value) in fields {
            let served = Locked(0)
            let server = try serve { _ in
                let count = served.withLock {
                    $0 += 1
                    return $0
                }
                return .json(teapot).adding(name.rawName, value(max(0, 2 - count)))
            }
            let stack = Stack(server) { $0.rate = RateLimit() }
            let managers = (0..<3).map { manager(stack, "a\($0)") }
            await start(stack, managers, sent: 2)
            XCTAssertEqual(server.requests.count, 2)
            await stack.clock.waitForSleepers()
            stack.clock.advance(by: 30)
            await until { managers[2].output != nil }
            XCTAssertEqual(server.requests.count, 3)
        }
    }

    func testOneRefusalHoldsBackTheOthers() async {
        let status = Locked(429)
        let transport = ClosureTransport { request in
            var response = TransportResponse(request, json: teapot, status: status.current)
            if status.current == 429 { response.headers["Retry-After"] = "20" }
            return response
        }
        let stack = Stack(transport) { $0.rate = RateLimit() }
        let refused = await failure(manager(stack, "a"))
        XCTAssertEqual(refused?.kind, .http(status: 429))
        status.current = 200
        let next = manager(stack, "b")
        await start(stack, [next], sent: 0)
        await stack.clock.waitForSleepers()
        XCTAssertEqual(stack.clock.pauses, [20])
        stack.clock.advance(by: 20)
        await until { next.output != nil }
    }

    /// Refuses with a long time once, then accepts and says nothing of limits.
    private func refusedOnce() async -> (stack: Stack, transport: ClosureTransport) {
        let isRefused = Locked(true)
        let transport = ClosureTransport { request in
            guard
                isRefused.withLock({ refused in
                    defer { refused = false }
                    return refused
                })
            else { return TransportResponse(request, json: teapot) }
            var response = TransportResponse(request, json: teapot, status: 503)
            response.headers["Retry-After"] = "120"
            return response
        }
        let stack = Stack(transport) { $0.rate = RateLimit() }
        let refused = await failure(manager(stack, "a"))
        XCTAssertEqual(refused?.kind, .http(status: 503))
        return (stack, transport)
    }

    func testARefusalIsOverWhenItsTrialIsAccepted() async throws {
        let (stack, transport) = await refusedOnce()
        let managers = (0..<4).map { manager(stack, "b\($0)") }
        await start(stack, managers, sent: 0)
        await stack.clock.waitForSleepers()
        XCTAssertEqual(stack.clock.pauses, [60])
        stack.clock.advance(by: 60)
        await until { managers.allSatisfy { $0.output != nil } }
        _ = try await manager(stack, "c").load(with: [:])
        XCTAssertEqual(transport.requests.count, 6)
    }

    func testARefusalIsOverWhenItsTimeIs() async throws {
        let (stack, transport) = await refusedOnce()
        stack.clock.advance(by: 120)
        for count in 2...5 {
            _ = try await manager(stack, "b").load(with: [:])
            XCTAssertEqual(transport.requests.count, count)
        }
        XCTAssertEqual(stack.clock.pauses, [])
    }

    /// Without a limit nothing is heeded.
    func testWithoutALimitNothingWaits() async throws {
        let transport = ClosureTransport(
            json: teapot, headers: ["RateLimit": #""default";r=0;t=30"#, "Content-Type": "application/json"])
        let stack = Stack(transport)
        for _ in 0..<3 { _ = try await manager(stack, "a").load(with: [:]) }
        XCTAssertEqual(stack.clock.pauses, [])
    }

    /// A reset in the year 9999: a call goes out each minute, and tells whether it still holds.
    func testAHostileServerHoldsCallsBackForAMinute() async {
        for hostile in ["253402300799", "1e30", "99999999999999999999999999999999"] {
            let transport = ClosureTransport(
                json: teapot,
                headers: [
                    "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": hostile,
                    "Content-Type": "application/json",
                ])
            let stack = Stack(transport) { $0.rate = RateLimit() }
            let managers = (0..<3).map { manager(stack, "a\($0)") }
            await start(stack, managers, sent: 1)
            for count in 2...3 {
                // What a response says holds from when it is read.
                await until { managers.count { $0.output != nil } == count - 1 }
                await stack.clock.waitForSleepers()
                XCTAssertEqual(stack.clock.pauses.last, 60, hostile)
                stack.clock.advance(by: 60)
                await until { transport.requests.count == count }
                for _ in 0..<20 { await Task.yield() }
                XCTAssertEqual(transport.requests.count, count, "one call is the trial")
            }
            await until { managers.allSatisfy { $0.output != nil } }
        }
    }
}
