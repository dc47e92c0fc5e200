import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Limits with shared exchanges: an exchange has a slot, whichever calls wait for it.
extension CallQueueTests {
    /// A transport that holds the requests of some paths, and counts the most that were in flight at once.
    final class Meter: Sendable {
        let gates: [String: Gate]
        private let running = Locked((now: 0, most: 0))
        private let arrivals = Locked<[String: DispatchSemaphore]>([:])

        init(holding paths: String...) {
            gates = Dictionary(uniqueKeysWithValues: paths.map { ($0, Gate()) })
        }

        var most: Int { running.current.most }

        /// Signaled when a request of the path arrives.
        func arrival(_ path: String) -> DispatchSemaphore {
            arrivals.withLock { arrivals in
                let semaphore = arrivals[path] ?? DispatchSemaphore(value: 0)
                arrivals[path] = semaphore
                return semaphore
            }
        }

        var transport: ClosureTransport {
            ClosureTransport { [self] request in
                running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                arrival(request.url.path).signal()
                await gates[request.url.path]?.pass()
                running.withLock { $0.now -= 1 }
                return TransportResponse(request, json: teapot)
            }
        }
    }

    /// An observer that is called for the built requests of a call.
    struct BuiltRequests: APICallObserver {
        let onRequest: @Sendable (RequestID) -> Void

        func observe(_ event: APICallEvent) {
            if case .requestBuilt = event.kind { onRequest(event.call.requestID) }
        }
    }

    func sharing(_ stack: Stack, _ name: String) -> ProductManager {
        let manager = manager(stack, name)
        manager.sharing = true
        return manager
    }

    func testACallWhoseExchangeEndsBeforeItJoinsDoesNotExceedTheLimit() async throws {
        let meter = Meter(holding: "/a", "/c")
        let transport = meter.transport
        let stack = Stack(transport) { $0.limit = 1 }
        let recorder = EventTests.Recorder()
        stack.proxy.addObserver(recorder)
        let (first, second, other) = (sharing(stack, "a"), sharing(stack, "a"), manager(stack, "c"))
        first.loadData(with: [:])
        await meter.gates["/a"]?.arrival()
        await start(other, after: recorder)
        // Between the decision to join and the request, the exchange ends, and another call takes its slot.
        let known = Set(stack.proxy.requestIDs)
        let observer = stack.proxy.addObserver(
            BuiltRequests { requestID in
                guard !known.contains(requestID) else { return }
                meter.gates["/a"]?.open()
                XCTAssertEqual(meter.arrival("/c").wait(timeout: .now() + 60), .success)
            })
        second.loadData(with: [:])
        await until { !second.isLoading }
        stack.proxy.removeObserver(observer)
        meter.gates["/c"]?.open()
        await until { !first.isLoading && !other.isLoading }
        XCTAssertEqual(meter.most, 1)
        XCTAssertEqual(names(transport), ["a", "c"])
        XCTAssertEqual([first, second, other].compactMap(\.output).count, 3)
        XCTAssertEqual(stack.proxy.queue.count, 0)
    }

    func testASharedExchangeKeepsItsSlotWhenTheCallThatSentItIsCanceled() async throws {
        let meter = Meter(holding: "/a")
        let transport = meter.transport
        let stack = Stack(transport) { $0.limit = 1 }
        let recorder = EventTests.Recorder()
        stack.proxy.addObserver(recorder)
        let (first, second, other) = (sharing(stack, "a"), sharing(stack, "a"), manager(stack, "c"))
        first.loadData(with: [:])
        await meter.gates["/a"]?.arrival()
        second.loadData(with: [:])
        await until { recorder.names.contains("joined") }
        await start(other, after: recorder)
        first.cancelAllRequests()
        XCTAssertEqual(stack.proxy.queue.count, 2, "the exchange, and the call that waits")
        await until { !first.isLoading }
        meter.gates["/a"]?.open()
        await until { !second.isLoading && !other.isLoading }
        XCTAssertEqual(meter.most, 1)
        XCTAssertEqual(names(transport), ["a", "c"])
        XCTAssertEqual(first.error?.kind, .cancelled)
        XCTAssertEqual(stack.proxy.queue.count, 0)
    }

    /// The last one that leaves ends the exchange, although the transport does not.
    func testASharedExchangeThatNobodyWaitsForLeavesItsSlot() async throws {
        let meter = Meter(holding: "/a")
        let stack = Stack(meter.transport) { $0.limit = 1 }
        let recorder = EventTests.Recorder()
        stack.proxy.addObserver(recorder)
        let (first, second, other) = (sharing(stack, "a"), sharing(stack, "a"), manager(stack, "c"))
        first.loadData(with: [:])
        await meter.gates["/a"]?.arrival()
        second.loadData(with: [:])
        await until { recorder.names.contains("joined") }
        await start(other, after: recorder)
        first.cancelAllRequests()
        second.cancelAllRequests()
        await until { !other.isLoading }
        XCTAssertNotNil(other.output)
        await until { stack.proxy.queue.count == 0 }
        meter.gates["/a"]?.open()
    }

    /// A request whose progress is observed is not shared.
    func testACallThatCannotJoinTakesASlot() async throws {
        let meter = Meter(holding: "/a")
        let stack = Stack(meter.transport) { $0.limit = 1 }
        let recorder = EventTests.Recorder()
        stack.proxy.addObserver(recorder)
        let (first, second) = (sharing(stack, "a"), sharing(stack, "a"))
        second.onProgress = { _ in }
        first.loadData(with: [:])
        await meter.gates["/a"]?.arrival()
        second.loadData(with: [:])
        await until { recorder.names.contains("queued 0") || meter.most > 1 }
        meter.gates["/a"]?.open()
        await until { !first.isLoading && !second.isLoading }
        XCTAssertEqual(meter.most, 1)
        XCTAssertEqual(stack.proxy.queue.count, 0)
    }

    func testManySharedAndCanceledCallsStayWithinTheLimit() async throws {
        let running = Locked((now: Set<UUID>(), most: 0))
        let transport = ClosureTransport { request in
            let id = UUID()
            // A canceled exchange is over at once, and may be before it begins.
            let isOver = Locked(false)
            let end: @Sendable () -> Void = {
                isOver.withLock { isOver in
                    isOver = true
                    running.withLock { _ = $0.now.remove(id) }
                }
            }
            await withTaskCancellationHandler {
                isOver.withLock { isOver in
                    guard !isOver else { return }
                    running.withLock {
                        $0.now.insert(id)
                        $0.most = max($0.most, $0.now.count)
                    }
                }
                for _ in 1...5 { await Task.yield() }
                end()
            } onCancel: {
                end()
            }
            return TransportResponse(request, json: teapot)
        }
        let stack = Stack(transport) { $0.limit = 2 }
        let managers = (0..<300).map { sharing(stack, "a\($0 % 5)") }
        for (number, manager) in managers.enumerated() {
            manager.loadData(with: [:])
            if number % 7 == 0 { managers[number / 2].cancelAllRequests() }
            if number % 11 == 0 { await Task.yield() }
        }
        await until { !managers.contains { $0.isLoading } && stack.proxy.queue.count == 0 }
        XCTAssertLessThanOrEqual(running.current.most, 2)
    }
}
