import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// Limits of concurrent calls, and the order of those that wait.
@MainActor
final class CallQueueTests: XCTestCase {
    func manager(_ stack: Stack, _ name: String, _ priority: CallPriority? = nil) -> ProductManager {
        let manager = stack.manager(ProductManager())
        manager.methodName = name
        manager.ownPriority = priority
        return manager
    }

    /// A transport that holds back what its gate does not let pass; the paths that it was asked for.
    func held(_ gate: Gate) -> ClosureTransport {
        ClosureTransport { request in
            await gate.pass()
            return TransportResponse(request, json: teapot)
        }
    }

    /// A stack whose only slot a call has until the gate opens.
    func occupied(
        _ gate: Gate, limit: Int = 1
    ) async -> (Stack, ClosureTransport, EventTests.Recorder, ProductManager) {
        let transport = held(gate)
        let stack = Stack(transport) { $0.limit = limit }
        let recorder = EventTests.Recorder()
        stack.proxy.addObserver(recorder)
        let busy = manager(stack, "busy")
        busy.loadData(with: [:])
        await gate.arrival()
        return (stack, transport, recorder, busy)
    }

    func names(_ transport: ClosureTransport) -> [String] {
        transport.requests.map { String($0.url.path.dropFirst()) }
    }

    func start(_ manager: ProductManager, after recorder: EventTests.Recorder) async {
        let count = recorder.names.filter { $0.hasPrefix("queued") }.count
        manager.loadData(with: [:])
        await until { recorder.names.filter { $0.hasPrefix("queued") }.count > count }
    }

    // MARK: Order

    /// A slow server, and a button that is tapped while it is busy.
    func testATappedButtonGoesBeforePrefetching() async throws {
        let gate = LoopbackGate()
        let server = try serve { request in
            let answer = LoopbackResponse.json(teapot)
            return request.path == "/busy" ? answer.delayed(until: gate) : answer
        }
        let stack = Stack(server) {
            $0.limit = 1
            $0.timeout = .infinity
        }
        let recorder = EventTests.Recorder()
        stack.proxy.addObserver(recorder)
        let busy = manager(stack, "busy")
        busy.loadData(with: [:])
        await server.waitForRequests(1)
        let waiting = [
            manager(stack, "prefetch1", .low), manager(stack, "page1"), manager(stack, "prefetch2", .low),
            manager(stack, "button", .high), manager(stack, "page2", .normal),
        ]
        for manager in waiting { await start(manager, after: recorder) }
        XCTAssertEqual(
            recorder.names.filter { $0.hasPrefix("queued") },
            ["queued 0", "queued 0", "queued 2", "queued 0", "queued 2"])
        XCTAssertEqual(server.requests.count, 1)
        gate.open()
        await until { !waiting.contains { $0.isLoading } }
        XCTAssertEqual(
            server.requests.map(\.path), ["/busy", "/button", "/page1", "/page2", "/prefetch1", "/prefetch2"])
        XCTAssertEqual(waiting.compactMap(\.output?.id), [7, 7, 7, 7, 7])
    }

    func testTheServiceMayGiveThePriorities() async throws {
        let gate = Gate()
        let (stack, transport, recorder, busy) = await occupied(gate)
        let waiting = [
            manager(stack, "a"), manager(stack, "b"), manager(stack, "c", CallPriority(rawValue: 5)),
        ]
        for manager in waiting {
            await start(manager, after: recorder)
            stack.change { $0.priority = .high }
        }
        gate.open()
        await until { transport.requests.count == 4 }
        XCTAssertEqual(names(transport), ["busy", "c", "b", "a"])
        await until { !(waiting + [busy]).contains { $0.isLoading } }
    }

    // MARK: Limits

    func testNoMoreThanTheLimitAreSentAtOnce() async throws {
        let running = Locked((now: 0, most: 0))
        let transport = ClosureTransport { request in
            running.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
            for _ in 1...20 { await Task.yield() }
            running.withLock { $0.now -= 1 }
            return TransportResponse(request, json: teapot)
        }
        let stack = Stack(transport) { $0.limit = 3 }
        let managers = (1...100).map { manager(stack, "a\($0)", [.low, .normal, .high][$0 % 3]) }
        for manager in managers { manager.loadData(with: [:]) }
        await until { !managers.contains { $0.isLoading } }
        XCTAssertEqual(running.current.most, 3)
        XCTAssertEqual(managers.compactMap(\.output).count, 100)
        // Canceled calls leave nothing behind, whether they wait or not.
        for (number, manager) in managers.enumerated() {
            manager.loadData(with: [:])
            if number % 3 == 0 { managers[number / 2].cancelAllRequests() }
        }
        await until { !managers.contains { $0.isLoading } && stack.proxy.queue.count == 0 }
    }

    /// A limit of an endpoint holds up no other endpoint, also where the service has a limit.
    func testAManagersLimitIsForItsEndpoint() async throws {
        let gate = Gate()
        let transport = held(gate)
        let stack = Stack(transport) { $0.limit = 3 }
        let recorder = EventTests.Recorder()
        stack.proxy.addObserver(recorder)
        let pictures = (1...3).map { _ in manager(stack, "pictures", .high) }
        for manager in pictures { manager.ownLimit = 1 }
        pictures[0].loadData(with: [:])
        await gate.arrival()
        await start(pictures[1], after: recorder)
        await start(pictures[2], after: recorder)
        let others = [manager(stack, "text", .low), manager(stack, "text", .low)]
        for manager in others { manager.loadData(with: [:]) }
        await gate.arrival(3)
        XCTAssertEqual(names(transport), ["pictures", "text", "text"])
        gate.open()
        await until { !(pictures + others).contains { $0.isLoading } }
        XCTAssertEqual(transport.requests.count, 5)
    }

    func testALimitOfNothingCountsAsOne() async throws {
        let gate = Gate()
        let (stack, transport, recorder, busy) = await occupied(gate, limit: 0)
        let next = manager(stack, "next")
        await start(next, after: recorder)
        XCTAssertEqual(names(transport), ["busy"], "it is not without a limit")
        gate.open()
        await until { !busy.isLoading && !next.isLoading }
        XCTAssertEqual(names(transport), ["busy", "next"])
    }

    // MARK: Leaving the queue

    func testACallThatWaitsIsCanceledAtOnce() async throws {
        let gate = Gate()
        let (stack, transport, recorder, busy) = await occupied(gate)
        let (cancelled, last) = (manager(stack, "b"), manager(stack, "c"))
        await start(cancelled, after: recorder)
        await start(last, after: recorder)
        cancelled.cancelAllRequests()
        await until { cancelled.error != nil }
        XCTAssertEqual(cancelled.error?.kind, .cancelled)
        gate.open()
        await until { !busy.isLoading && !last.isLoading }
        XCTAssertEqual(names(transport), ["busy", "c"])
        XCTAssertEqual(stack.proxy.queue.count, 0)
    }

    func testACanceledCallLetsTheNextOneGoAlthoughItsTransportHeedsNothing() async throws {
        let gate = Gate()
        let (stack, transport, recorder, busy) = await occupied(gate)
        let (late, next) = (manager(stack, "late"), manager(stack, "next"))
        late.ownTimeout = 0.01
        await start(late, after: recorder)
        await start(next, after: recorder)
        busy.cancelAllRequests()
        // Canceled, then out of time: both leave, and the last one is sent.
        await gate.arrival(3)
        XCTAssertEqual(names(transport), ["busy", "late", "next"])
        await until { late.error != nil }
        XCTAssertEqual(late.error?.kind, .timedOut)
        gate.open()
        await until { !next.isLoading }
    }

    func testALogoutEndsTheWait() async throws {
        let gate = Gate()
        let stack = Stack(held(gate)) {
            $0.limit = 1
            $0.session = TokenSession()
        }
        stack.service.configuration.session?.adopt(SessionTokens(accessToken: "a"))
        let recorder = EventTests.Recorder()
        stack.proxy.addObserver(recorder)
        let busy = manager(stack, "busy")
        busy.ownSessionUse = false
        busy.loadData(with: [:])
        await gate.arrival()
        let waiting = manager(stack, "b")
        await start(waiting, after: recorder)
        try await stack.service.configuration.session?.logOut()
        await until { !waiting.isLoading }
        XCTAssertEqual(waiting.error?.kind, .loginRequired)
        gate.open()
        await until { !busy.isLoading }
    }

    func testARetryWaitsAnew() async throws {
        let count = Locked(0)
        let transport = ClosureTransport { request in
            if request.url.path == "/a",
                count.withLock({ count in
                    count += 1
                    return count == 1
                })
            {
                throw TransportError.lost
            }
            return TransportResponse(request, json: teapot)
        }
        let stack = Stack(transport) {
            $0.limit = 1
            $0.retry = .standard
        }
        let repeated = manager(stack, "a")
        repeated.loadData(with: [:])
        await stack.clock.waitForSleepers()
        _ = try await manager(stack, "b").load(with: [:])
        stack.clock.advance(by: 10)
        await until { !repeated.isLoading }
        XCTAssertEqual(names(transport), ["a", "b", "a"])
    }
}
