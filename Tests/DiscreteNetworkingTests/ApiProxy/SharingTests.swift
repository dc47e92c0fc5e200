import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Identical GETs in flight at once.
@MainActor
final class SharingTests: XCTestCase {
    private func stack(_ gate: Gate, sharing: Bool = true) -> Stack {
        let transport = ClosureTransport { request in
            await gate.pass()
            return TransportResponse(request, json: teapot)
        }
        return Stack(transport) { $0.sharing = sharing }
    }

    func testIdenticalCallsShareOneExchangeIfTheServiceAllowsIt() async throws {
        let gate = Gate()
        let stack = stack(gate)
        let managers = (0..<10).map { _ in stack.manager(ProductManager()) }
        let joined = Observed(stack.proxy, joins: true)
        let loads = managers.map { manager in Task { try await manager.load(with: ["id": 7]) } }
        await joined.count(9)
        gate.open()
        for load in loads {
            let product = try await load.value
            XCTAssertEqual(product.id, 7)
        }
        XCTAssertEqual(gate.arrivals, 1)
    }

    func testDifferentCallsDoNotShareAnExchange() async throws {
        for (sharing, change) in [
            (false, { _, _ in }), (true, { $0.methodName = "item\($1)" }),
            (true, { $0.ownHeaders = ["A": "\($1)"] }),
            (true, { manager, _ in manager.requestType = .post }),
            (true, { manager, _ in manager.sharing = false }),
        ] as [(Bool, (ProductManager, Int) -> Void)] {
            let gate = Gate()
            let stack = stack(gate, sharing: sharing)
            let managers = (0..<3).map { number in
                let manager = stack.manager(ProductManager())
                change(manager, number)
                return manager
            }
            let loads = managers.map { manager in Task { try await manager.load() } }
            await until(within: 10) { gate.arrivals == 3 }
            gate.open()
            for load in loads { _ = try await load.value }
            XCTAssertEqual(gate.arrivals, 3)
        }
    }

    func testAManagerMayAskForIt() async throws {
        let gate = Gate()
        let stack = stack(gate, sharing: false)
        let managers = (0..<2).map { _ in stack.manager(ProductManager()) }
        let joined = Observed(stack.proxy, joins: true)
        for manager in managers { manager.sharing = true }
        let loads = managers.map { manager in Task { try await manager.load() } }
        await joined.count(1)
        gate.open()
        for load in loads { _ = try await load.value }
        XCTAssertEqual(gate.arrivals, 1)
    }

    func testCancellingOneSharerLeavesTheOthersAlone() async throws {
        let gate = Gate()
        let stack = stack(gate)
        let joined = Observed(stack.proxy, joins: true)
        let first = stack.manager(ProductManager())
        let second = stack.manager(ProductManager())
        let cancelled = Task { await failure(first)?.kind }
        await gate.arrival()
        let kept = Task { try await second.load() }
        await joined.count(1)
        cancelled.cancel()
        let kind = await cancelled.value
        XCTAssertEqual(kind, .cancelled)
        gate.open()
        let product = try await kept.value
        XCTAssertEqual(product.id, 7)
        XCTAssertEqual(gate.arrivals, 1)
    }

    func testTheLastOneToLeaveGivesTheExchangeUpAndANewCallStartsAnother() async throws {
        let wasCancelled = Promise<Void>()
        let count = Locked(0)
        let transport = ClosureTransport { request in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            guard isFirst else { return TransportResponse(request, json: teapot) }
            let never = Promise<Void>()
            await withTaskCancellationHandler {
                await never.value
            } onCancel: {
                wasCancelled.fulfil(())
                never.fulfil(())
            }
            throw CancellationError()
        }
        let stack = Stack(transport) { $0.sharing = true }
        let manager = stack.manager(ProductManager())
        manager.loadData()
        await until { count.current == 1 }
        manager.cancelAllRequests()
        await wasCancelled.value
        let product = try await manager.load()
        XCTAssertEqual(product.id, 7)
        XCTAssertEqual(count.current, 2)
    }

    func testAnExchangeThatNobodyWaitsForIsForgotten() async throws {
        let ended = Locked<[ObjectIdentifier]>([])
        let exchange = SharedExchange { exchange in ended.withLock { $0.append(ObjectIdentifier(exchange)) } }
        let waiters = try (0..<2).map { _ in try XCTUnwrap(exchange.join()) }
        for waiter in waiters {
            XCTAssertEqual(ended.current, [])
            let outcome = await exchange.outcome(for: waiter, within: 0)
            XCTAssertEqual(outcome.mapError(\.error).error?.kind, .timedOut)
        }
        await until { !ended.current.isEmpty }
        XCTAssertEqual(ended.current, [ObjectIdentifier(exchange)])
        XCTAssertNil(exchange.join())
    }

    /// Its slot is another's already.
    func testACallThatHasEndedSendsNothing() async throws {
        let url = try XCTUnwrap(URL(string: "https://api.example.com/a"))
        let transport = ClosureTransport(json: teapot)
        let task = Task { @concurrent () -> SharedExchange.Outcome? in
            let exchanges = RequestCoalescer()
            let outcome = await exchanges.outcome(
                of: APIRequest(url: url), from: nil,
                over: RedirectFollower(transport: transport, redaction: .standard),
                slot: {
                    withUnsafeCurrentTask { $0?.cancel() }
                    return nil
                })
            XCTAssertNil(exchanges.join(APIRequest(url: url), from: nil), "nobody waits for it")
            return outcome
        }
        let outcome = await task.value
        XCTAssertEqual(outcome?.mapError(\.error).error?.kind, .cancelled)
        XCTAssertEqual(transport.requests.count, 0)
    }

    func testEachSharerHasItsOwnTimeout() async throws {
        let gate = Gate()
        let stack = stack(gate)
        let hasty = stack.manager(ProductManager())
        hasty.ownTimeout = 0.02
        let patient = stack.manager(ProductManager())
        let load = Task { try await patient.load() }
        await gate.arrival()
        let error = await failure(hasty)
        XCTAssertEqual(error?.kind, .timedOut)
        gate.open()
        let product = try await load.value
        XCTAssertEqual(product.id, 7)
        XCTAssertEqual(gate.arrivals, 1)
    }
}

/// Counts the requests handed to a transport, shared ones too; or the calls that joined the request of another.
final class Observed: APICallObserver {
    private let gate = Gate()
    private let joins: Bool
    init(_ proxy: ApiProxy, joins: Bool = false) {
        self.joins = joins
        gate.open()
        proxy.addObserver(self)
    }
    func observe(_ event: APICallEvent) {
        switch event.kind {
        case .sent where !joins, .joined where joins: Task { await gate.pass() }
        default: break
        }
    }
    func count(_ count: Int) async { await gate.arrival(count) }
}
