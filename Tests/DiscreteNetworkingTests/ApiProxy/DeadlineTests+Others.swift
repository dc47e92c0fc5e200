import DiscreteNetworkingTesting
import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingTransfers

/// What a call that is given up does to others, what may answer in its place, and scopes.
extension DeadlineTests {
    // MARK: Others

    func testTheOneThatSharesItsRequestIsAnswered() async {
        let gate = Gate()
        let transport = silent(gate)
        let stack = Stack(transport) {
            $0.sharing = true
            $0.timeout = .infinity
        }
        let recorder = EventTests.Recorder()
        stack.proxy.addObserver(recorder)
        let (first, second) = (manager(stack), manager(stack, deadline: nil))
        first.loadData(with: [:])
        await gate.arrival()
        second.loadData(with: [:])
        await until { recorder.names.contains("joined") }
        await expire(stack, first, waitingFor: .response)
        gate.open()
        await until { !second.isLoading }
        XCTAssertEqual(second.output?.id, 7)
        XCTAssertEqual(transport.requests.count, 1)
    }

    /// The only call that a half-open breaker admits is given up.
    func testABreakerLearnsNothing() async throws {
        let (gate, status, trial) = (Gate(), Locked(500), TestClock())
        gate.open()
        let stack = Stack(
            ClosureTransport { request in
                if status.current == 0 {
                    await gate.pass()
                    // Until it is canceled.
                    try await trial.sleep(for: 1)
                }
                return TransportResponse(request, json: teapot, status: status.current)
            }
        ) {
            $0.breaker = CircuitBreakerPolicy(threshold: 1, openDuration: 30)
            $0.timeout = .infinity
        }
        let manager = manager(stack)
        let failed = await failure(manager)
        XCTAssertEqual(failed?.kind, .http(status: 500))
        stack.clock.advance(by: 30)
        status.current = 0
        manager.loadData(with: [:])
        await gate.arrival()
        let old = manager.error?.requestID
        await stack.clock.waitForSleepers()
        stack.clock.advance(by: 3)
        await until { manager.error?.requestID != old && trial.sleepers == 0 }
        XCTAssertEqual(manager.error?.kind, .deadlineExceeded(waitingFor: .response))
        status.current = 200
        var error = await failure(manager)
        // The steps of a call end after its outcome.
        for _ in 0..<10_000 {
            guard case .degraded? = error?.kind else { break }
            await Task.yield()
            error = await failure(manager)
        }
        XCTAssertNil(error, "the next call is the trial")
    }

    func testACallWithAnotherDeadlineIsNotJoined() async {
        let gate = Gate()
        let stack = Stack(silent(gate)) { $0.timeout = .infinity }
        let manager = manager(stack, deadline: nil)
        manager.policy = .ignoreNew
        let first = manager.loadData(with: [:])
        XCTAssertEqual(manager.loadData(with: [:]), first)
        manager.ownDeadline = 3
        let second = manager.loadData(with: [:])
        XCTAssertNotEqual(second, first)
        await gate.arrival(2)
        await stack.clock.waitForSleepers()
        stack.clock.advance(by: 3)
        await until { manager.error != nil }
        XCTAssertEqual(manager.error?.requestID, second)
        gate.open()
        await until { !manager.isLoading }
        XCTAssertEqual(manager.output?.id, 7)
    }

    // MARK: Transfers and streams

    func testADownloadStopsAndCanGoOn() async throws {
        let body = Data(repeating: 7, count: 300_000)
        let server = try serve { request in
            request.header("Range") != nil
                ? .file(body, etag: "\"v1\"", for: request)
                : .file(body, etag: "\"v1\"", for: request).failing(with: .stall(atByte: 100_000))
        }
        let stack = Stack(server) { $0.deadline = 3 }
        let target = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: target) }
        let manager = stack.manager(DownloadManager(to: target))
        let received = Locked<Int64>(0)
        manager.onProgress = { progress in received.current = progress.received }
        manager.loadData(with: [:])
        await until { received.current > 0 }
        await expire(stack, manager, waitingFor: .response)
        let file = try await manager.load()
        XCTAssertEqual(file.byteCount, 300_000)
        XCTAssertGreaterThan(file.resumedByteCount, 0)
    }

    func testAnUploadStops() async throws {
        let server = try serve { _ in LoopbackResponse.json(teapot).failing(with: .stall(atByte: 0)) }
        let stack = Stack(server) { $0.deadline = 3 }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(repeating: 7, count: 300_000).write(to: file)
        let manager = stack.manager(UploadManager<Product>(.file(file, contentType: "application/pdf")))
        manager.loadData(with: [:])
        await server.waitForRequests(1)
        await expire(stack, manager, waitingFor: .response)
        await server.waitForOpenConnections(atMost: 0)
        XCTAssertEqual(server.openConnections, 0)
    }

    func testAStreamHasBegunInTime() async throws {
        let body = HandFedBody()
        let stack = Stack(
            ClosureTransport { TransportResponse(url: $0.url, status: 200, body: body.body) })
        let manager = stack.manager(TestManager<ByteStream>())
        manager.ownDeadline = 3
        let stream = try await manager.load()
        stack.clock.advance(by: 100)
        body.feed("late")
        body.end()
        var bytes: [UInt8] = []
        for try await byte in stream { bytes.append(byte) }
        XCTAssertEqual(String(decoding: bytes, as: UTF8.self), "late")
    }

    // MARK: In its place

    func testAStaleResponseTakesTheErrorsPlace() async throws {
        let (gate, isSilent) = (Gate(), Locked(false))
        let stack = Stack(
            ClosureTransport { request in
                if isSilent.current { await gate.pass() }
                return TransportResponse(request, json: teapot)
            }
        ) { $0.timeout = .infinity }
        let manager = manager(stack)
        manager.ownCache = CachePolicy(memory: 60, staleIfError: 3600)
        _ = try await manager.load(with: [:])
        stack.clock.advance(by: 61)
        isSilent.current = true
        let task = Task { try await manager.load(with: [:]) }
        await gate.arrival()
        await stack.clock.waitForSleepers()
        stack.clock.advance(by: 3)
        let product = try await task.value
        XCTAssertEqual(product.id, 7)
        XCTAssertEqual(manager.response?.isFromCache, true)
        gate.open()
        await until { stack.clock.sleepers == 0 }
    }

    func testAPluginHasAnotherSecond() async throws {
        struct Spare: APIPlugin {
            let gate: Gate
            func recover(from failure: FailureContext) async -> (any Sendable)? {
                guard case .deadlineExceeded = failure.error.kind else { return nil }
                await gate.pass()
                return Product(id: 1, name: "spare")
            }
        }
        for comes in [true, false] {
            let (gate, spare) = (Gate(), Gate())
            if comes { spare.open() }
            let isCancelled = Locked(false)
            let transport = ClosureTransport { request in
                await withTaskCancellationHandler {
                    await gate.pass()
                    return TransportResponse(request, json: teapot)
                } onCancel: {
                    isCancelled.current = true
                }
            }
            let stack = Stack(transport) { $0.timeout = .infinity }
            stack.proxy.plugins = [Spare(gate: spare)]
            let manager = manager(stack)
            manager.loadData(with: [:])
            await gate.arrival()
            await stack.clock.waitForSleepers()
            stack.clock.advance(by: 3)
            await spare.arrival()
            if !comes {
                XCTAssertTrue(isCancelled.current, "the request is not sent for a second more")
                await stack.clock.waitForSleepers()
                stack.clock.advance(by: 1)
            }
            await until { manager.error != nil || manager.output != nil }
            XCTAssertEqual(manager.output?.name, comes ? "spare" : nil)
            XCTAssertEqual(manager.error?.kind, comes ? nil : .deadlineExceeded(waitingFor: .response))
            gate.open()
            spare.open()
        }
    }

    // MARK: Scopes

    /// Two seconds for the first call leave one for the second.
    func testAScopeIsForAllItsCalls() async throws {
        let (gate, isSilent) = (Gate(), Locked(false))
        let stack = Stack(
            ClosureTransport { request in
                if isSilent.current { await gate.pass() }
                return TransportResponse(request, json: teapot)
            }
        ) { $0.timeout = .infinity }
        let manager = manager(stack, deadline: nil)
        let task = Task {
            try await APICall.withDeadline(3) {
                _ = try await manager.load(with: [:])
                stack.clock.advance(by: 2)
                isSilent.current = true
                return try await manager.load(with: [:])
            }
        }
        await gate.arrival()
        await stack.clock.waitForSleepers()
        XCTAssertEqual(stack.clock.pauses.last, 1)
        stack.clock.advance(by: 1)
        do {
            _ = try await task.value
            XCTFail("late")
        } catch let error as APIError {
            XCTAssertEqual(error.kind, .deadlineExceeded(waitingFor: .response))
            XCTAssertTrue(error.localizedDescription.contains("3 s, which is APICall.withDeadline"))
        }
        gate.open()
    }

    func testTheFirstDeadlineEndsACallInAScope() async throws {
        let gate = Gate()
        let stack = Stack(silent(gate)) { $0.timeout = .infinity }
        let limits: [(TimeInterval?, TimeInterval, TimeInterval, TimeInterval)] = [
            (1, 5, 9, 1), (5, 1, 9, 1), (5, 9, 1, 1), (nil, 2, .infinity, 2),
        ]
        for (own, inner, outer, first) in limits {
            let manager = manager(stack, deadline: own)
            let task = Task {
                await APICall.withDeadline(outer) {
                    await APICall.withDeadline(inner) { await failure(manager) }
                }
            }
            await until { stack.clock.sleepers == 1 }
            XCTAssertEqual(stack.clock.pauses.last, first)
            stack.clock.advance(by: first)
            let error = await task.value
            XCTAssertEqual(error?.kind, .deadlineExceeded(waitingFor: .response))
        }
        gate.open()
    }

    /// What follows an outcome is no part of the scope.
    func testACallOfADelegateIsNotInTheScope() async throws {
        let stack = Stack(ClosureTransport(json: teapot))
        let (first, second) = (manager(stack, deadline: nil), manager(stack, deadline: nil))
        let delegate = Follower { second.loadData(with: [:]) }
        first.delegate = delegate
        _ = try await APICall.withDeadline(3) { try await first.load(with: [:]) }
        await until { second.output != nil }
        XCTAssertFalse(second.state.value.response == nil)
        XCTAssertLessThanOrEqual(stack.clock.pauses.count, 1, "\(stack.clock.pauses)")
    }

    private final class Follower: APIManagerDelegate {
        private let onSuccess: () -> Void
        init(_ onSuccess: @escaping () -> Void) { self.onSuccess = onSuccess }
        func managerDidSucceed(_ manager: BaseAPIManager) { onSuccess() }
        func managerDidFail(_ manager: BaseAPIManager) {}
    }
}
