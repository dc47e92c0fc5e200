import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Cancelling before, during and after each step, in every way: one outcome, at once.
@MainActor
final class CancellationTests: XCTestCase {
    /// A step of the pipeline that a test can hold a call in.
    private enum Step: CaseIterable { case building, sending, intercepting, waitingToRepeat }

    /// A stack whose calls stay in one step until the gate opens.
    private func stack(heldIn step: Step, _ gate: Gate) -> Stack {
        let transport = ClosureTransport { request in
            if step == .sending { await gate.pass() }
            return TransportResponse(request, json: teapot, status: step == .sending ? 200 : 500)
        }
        return Stack(transport) { rules in
            rules.adapt = { _, _ in if step == .building { await gate.pass() } }
            rules.intercept = { _ in
                if step == .intercepting || step == .waitingToRepeat { await gate.pass() }
                return step == .waitingToRepeat ? .retry(after: 3600) : .report
            }
        }
    }

    private enum Way: CaseIterable {
        case requestID, manager, proxyRequestID, tag, delegate, proxyAll, task, loadPolicy
    }

    func testEveryWayInEveryStepGivesOneOutcomeAtOnce() async {
        for step in Step.allCases {
            for way in Way.allCases {
                let gate = Gate()
                let manager = stack(heldIn: step, gate).manager(ProductManager())
                let screen = Screen()
                manager.delegate = screen
                manager.tag = "checkout"
                if way == .loadPolicy { manager.policy = .cancelPrevious }
                let outcomes = Locked<[APIError.Kind?]>([])
                var id: RequestID?
                let task = Task { @MainActor in
                    if way == .task {
                        let kind = await failure(manager)?.kind
                        outcomes.withLock { $0.append(kind) }
                    } else {
                        id = manager.loadData { result in outcomes.withLock { $0.append(result.kind) } }
                    }
                }
                await gate.arrival()
                if step == .waitingToRepeat { gate.open() }
                switch way {
                case .requestID: if let id { manager.cancelRequest(id) }
                case .manager: manager.cancelAllRequests()
                case .proxyRequestID: if let id { manager.proxy.cancelRequest(id) }
                case .tag: manager.proxy.cancelRequests(tagged: "checkout")
                case .delegate: manager.proxy.cancelRequests(for: screen)
                case .proxyAll: manager.proxy.cancelAllRequests()
                case .task: task.cancel()
                case .loadPolicy: manager.loadData()
                }
                if way != .loadPolicy { XCTAssertFalse(manager.isLoading, "\(step) \(way)") }
                await until { !outcomes.current.isEmpty }
                XCTAssertEqual(outcomes.current, [.cancelled], "\(step) \(way)")
                // What still hangs in the step comes too late to say anything.
                manager.policy = .concurrent
                manager.cancelAllRequests()
                gate.open()
                _ = await task.value
                for _ in 0..<20 { await Task.yield() }
                XCTAssertEqual(outcomes.current, [.cancelled], "\(step) \(way)")
                XCTAssertEqual(screen.events, Array(repeating: "failure", count: way == .loadPolicy ? 2 : 1))
                XCTAssertEqual(manager.proxy.requestIDs, [])
            }
        }
    }

    func testCancellingBeforeTheFirstStepAndAfterTheLast() async throws {
        let manager = Stack(ClosureTransport(json: teapot)).manager(ProductManager())
        let outcomes = Locked<[APIError.Kind?]>([])
        let id = manager.loadData { result in outcomes.withLock { $0.append(result.kind) } }
        manager.cancelRequest(id)
        XCTAssertEqual(outcomes.current, [], "never before loadData has returned to the run loop")
        await until { !outcomes.current.isEmpty }
        manager.cancelRequest(id)
        manager.proxy.cancelRequest(id)
        XCTAssertEqual(outcomes.current, [.cancelled])

        _ = try await manager.load()
        manager.cancelAllRequests()
        XCTAssertNil(manager.error)
    }

    func testATaskThatIsAlreadyCancelledSendsNothing() async {
        let transport = ClosureTransport(json: teapot)
        let manager = Stack(transport).manager(ProductManager())
        let kind = await Task { @MainActor in
            withUnsafeCurrentTask { $0?.cancel() }
            return await failure(manager)?.kind
        }.value
        XCTAssertEqual(kind, .cancelled)
    }

    func testCancellingInsideTheHooks() async {
        final class Canceller: APIManager<Product>, APIManagerValidator, APIManagerInterceptor {
            let serviceIdentifier = ServiceIdentifier.test
            let methodName = "a"
            let requestType = HTTPMethod.get
            var step = ""
            func manager(_ manager: BaseAPIManager, didCall requestID: RequestID, with params: Params) {
                if step == "did" { cancelAllRequests() }
            }
            func validate(response: APIResponse, for manager: BaseAPIManager) -> ValidationResult {
                if step == "validate" { cancelAllRequests() }
                return .valid
            }
            func manager(_ manager: BaseAPIManager, beforeSuccessWith response: APIResponse) -> Bool {
                if step == "before" { cancelAllRequests() }
                return true
            }
        }
        for (step, expected) in [("did", true), ("validate", true), ("before", false)] {
            let manager = Stack(ClosureTransport(json: teapot)).manager(Canceller())
            manager.step = step
            let kind = await failure(manager)?.kind
            XCTAssertEqual(kind, expected ? .cancelled : nil, step)
        }
    }

    func testOnlyTheTaggedCallsAreCancelled() async throws {
        let gate = Gate()
        let stack = stack(heldIn: .sending, gate)
        let tagged = stack.manager(ProductManager())
        tagged.tag = "search"
        let other = stack.manager(ProductManager())
        other.tag = "home"
        let first = Task { await failure(tagged)?.kind }
        let second = Task { try await other.load() }
        await gate.arrival(2)
        stack.proxy.cancelRequests(tagged: "search")
        let kind = await first.value
        XCTAssertEqual(kind, .cancelled)
        gate.open()
        let product = try await second.value
        XCTAssertEqual(product.id, 7)
    }

    func testOnlyTheCallsOfADelegateAreCancelled() async throws {
        let gate = Gate()
        let stack = stack(heldIn: .sending, gate)
        let (screen, other) = (Screen(), Screen())
        let mine = (0..<2).map { _ in stack.manager(ProductManager()) }
        for manager in mine { manager.delegate = screen }
        let (theirs, nobodys) = (stack.manager(ProductManager()), stack.manager(ProductManager()))
        theirs.delegate = other
        let cancelled = mine.map { manager in Task { await failure(manager)?.kind } }
        let left = [theirs, nobodys].map { manager in Task { try await manager.load() } }
        await gate.arrival(4)
        stack.proxy.cancelRequests(for: screen)
        for call in cancelled {
            let kind = await call.value
            XCTAssertEqual(kind, .cancelled)
        }
        gate.open()
        for call in left {
            let product = try await call.value
            XCTAssertEqual(product.id, 7)
        }
    }

    // MARK: Lifetime

    func testAReleasedManagerIsFreedItsCallCancelledAndItsClosureTold() async {
        let gate = Gate()
        let stack = stack(heldIn: .sending, gate)
        var manager: ProductManager? = stack.manager(ProductManager())
        weak let released = manager
        let outcomes = Locked<[APIError.Kind?]>([])
        manager?.loadData { result in outcomes.withLock { $0.append(result.kind) } }
        await gate.arrival()
        manager = nil
        XCTAssertNil(released, "nothing retains a manager while it loads")
        await until { !outcomes.current.isEmpty }
        XCTAssertEqual(outcomes.current, [.cancelled])
        XCTAssertEqual(stack.proxy.requestIDs, [])
        gate.open()
        for _ in 0..<20 { await Task.yield() }
        XCTAssertEqual(outcomes.current.count, 1)
    }

    func testTheErrorOfAReleasedManagerSaysWhatToWrite() async throws {
        let gate = Gate()
        let stack = stack(heldIn: .sending, gate)
        let told = Locked<APIError?>(nil)
        stack.manager(ProductManager()).loadData { result in
            if case .failure(let error) = result { told.current = error }
        }
        await until { told.current != nil }
        let released = try XCTUnwrap(told.current)
        XCTAssertEqual(released.kind, .cancelled)
        for part in ["TestManager<Product> was released", "property", "await", "loadOnce"] {
            XCTAssertTrue(released.localizedDescription.contains(part), released.localizedDescription)
        }
        let manager = stack.manager(ProductManager())
        manager.loadData { result in if case .failure(let error) = result { told.current = error } }
        told.current = nil
        manager.cancelAllRequests()
        await until { told.current != nil }
        XCTAssertEqual(told.current?.explanation, "The call was canceled.")
        gate.open()
    }

    func testAManagerReleasedBeforeItsDelegateLogsOneLine() async throws {
        let log = ManagerState.releaseLog
        let standard = log.current
        defer { log.current = standard }
        let lines = Locked<[String]>([])
        log.current = { line in lines.withLock { $0.append(line) } }
        let gate = Gate()
        let stack = stack(heldIn: .sending, gate)
        let screen = Screen()
        var manager: ProductManager? = stack.manager(ProductManager())
        manager?.delegate = screen
        let ids = [manager?.loadData(with: ["id": 7]), manager?.loadData(with: ["id": 8])].compactMap { $0 }
        await gate.arrival(2)
        manager = nil
        await until { !lines.current.isEmpty }
        XCTAssertEqual(screen.events, [])
        for part in ["TestManager<Product>", "test/products/detail \(ids[0]), \(ids[1])", "property"] {
            XCTAssertTrue(lines.current[0].contains(part), lines.current[0])
        }
        // A delegate that goes with its manager misses nothing, nor does one whose calls have ended.
        var other: Screen? = Screen()
        manager = stack.manager(ProductManager())
        manager?.delegate = other
        manager?.loadData(with: ["id": 9])
        await gate.arrival(3)
        (other, manager) = (nil, nil)
        XCTAssertNil(other)
        gate.open()
        manager = stack.manager(ProductManager())
        manager?.delegate = screen
        _ = try await manager?.load(with: ["id": 7])
        manager = nil
        for _ in 0..<20 { await Task.yield() }
        XCTAssertEqual(lines.current.count, 1)
    }

    func testACallMadeOnceHoldsItsManagerUntilItsAnswer() async throws {
        let gate = Gate()
        let stack = stack(heldIn: .sending, gate)
        weak var held: ProductManager?
        let result = Locked<Result<Product, APIError>?>(nil)
        do {
            let manager = stack.manager(ProductManager())
            held = manager
            manager.loadOnce(with: ["id": 7]) { result.current = $0 }
        }
        await gate.arrival()
        XCTAssertNotNil(held)
        gate.open()
        await until { result.current != nil }
        XCTAssertEqual(try result.current?.get().id, 7)
        await until { held == nil }
        XCTAssertEqual(stack.proxy.requestIDs, [])
    }

    func testACallMadeOnceIsCancelledByItsNumber() async {
        let gate = Gate()
        let stack = stack(heldIn: .sending, gate)
        weak var held: ProductManager?
        let kind = Locked<APIError.Kind?>(nil)
        let requestID = {
            let manager = stack.manager(ProductManager())
            held = manager
            return manager.loadOnce { kind.current = $0.kind }
        }()
        await gate.arrival()
        stack.proxy.cancelRequest(requestID)
        await until { kind.current != nil }
        XCTAssertEqual(kind.current, .cancelled)
        await until { held == nil }
        gate.open()
    }

    func testAnAwaitedManagerLivesUntilItsAnswer() async throws {
        let gate = Gate()
        let stack = stack(heldIn: .sending, gate)
        let load = Task { try await stack.manager(ProductManager()).load() }
        await gate.arrival()
        gate.open()
        let product = try await load.value
        XCTAssertEqual(product.id, 7)
    }

    func testTheManagerReleasedOffTheMainActor() async {
        let gate = Gate()
        let stack = stack(heldIn: .sending, gate)
        let box = Locked<ProductManager?>(stack.manager(ProductManager()))
        box.current?.loadData()
        await gate.arrival()
        await Task.detached { box.current = nil }.value
        XCTAssertEqual(stack.proxy.requestIDs, [])
        gate.open()
    }

    // MARK: Load policy

    func testIgnoringNewCallsJoinsTheAnswer() async throws {
        let gate = Gate()
        let stack = stack(heldIn: .sending, gate)
        let manager = stack.manager(ProductManager())
        manager.policy = .ignoreNew
        let screen = Screen()
        manager.delegate = screen
        let results = Locked<[Int]>([])
        let first = manager.loadData { result in results.withLock { $0.append((try? result.get().id) ?? 0) } }
        let second = manager.loadData { result in results.withLock { $0.append((try? result.get().id) ?? 0) }
        }
        XCTAssertEqual(first, second)
        let impatient = Task { await failure(manager)?.kind }
        let patient = Task { try await manager.load() }
        await gate.arrival()
        for _ in 0..<20 { await Task.yield() }
        impatient.cancel()
        let kind = await impatient.value
        XCTAssertEqual(kind, .cancelled)
        XCTAssertTrue(manager.isLoading, "one caller leaving does not end the others' call")
        gate.open()
        let product = try await patient.value
        XCTAssertEqual(product.id, 7)
        XCTAssertEqual(results.current, [7, 7])
        XCTAssertEqual(screen.events, ["success"])
        XCTAssertEqual(gate.arrivals, 1)
    }

    func testTheLastCallerToLeaveCancelsTheJoinedCall() async {
        let gate = Gate()
        let stack = stack(heldIn: .sending, gate)
        let manager = stack.manager(ProductManager())
        manager.policy = .ignoreNew
        let tasks = (0..<3).map { _ in Task { await failure(manager)?.kind } }
        await gate.arrival()
        for _ in 0..<20 { await Task.yield() }
        for task in tasks { task.cancel() }
        for task in tasks {
            let kind = await task.value
            XCTAssertEqual(kind, .cancelled)
        }
        XCTAssertEqual(stack.proxy.requestIDs, [])
        gate.open()
    }
}
