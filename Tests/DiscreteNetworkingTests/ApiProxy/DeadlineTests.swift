import DiscreteNetworkingTesting
import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

/// One limit for a whole call, by the clock of the proxy.
@MainActor
final class DeadlineTests: XCTestCase {
    /// A transport that never answers before its gate is open.
    func silent(_ gate: Gate) -> ClosureTransport {
        ClosureTransport { request in
            await gate.pass()
            return TransportResponse(request, json: teapot)
        }
    }

    /// Advances the clock to the deadline of 3 s, and checks the error.
    /// - Parameter sleepers: How many tasks sleep before.
    func expire(
        _ stack: Stack, _ manager: BaseAPIManager, waitingFor wait: CallWait, sleepers: Int = 1,
        line: UInt = #line
    ) async {
        await stack.clock.waitForSleepers(sleepers)
        stack.clock.advance(by: 2.5)
        XCTAssertTrue(manager.isLoading, line: line)
        stack.clock.advance(by: 0.5)
        await until { manager.error != nil }
        XCTAssertEqual(manager.error?.kind, .deadlineExceeded(waitingFor: wait), line: line)
        let text = manager.error?.localizedDescription ?? ""
        XCTAssertTrue(text.contains("within 3 s"), text, line: line)
        XCTAssertTrue(text.contains(wait.text), text, line: line)
    }

    func manager(_ stack: Stack, deadline: TimeInterval? = 3) -> ProductManager {
        let manager = stack.manager(ProductManager())
        manager.ownDeadline = deadline
        return manager
    }

    // MARK: Waits

    func testAHostWithoutAnswer() async {
        let gate = Gate()
        let stack = Stack(silent(gate)) { $0.timeout = .infinity }
        let manager = manager(stack)
        manager.loadData(with: [:])
        await gate.arrival()
        await expire(stack, manager, waitingFor: .response)
        let text = manager.error?.localizedDescription ?? ""
        XCTAssertTrue(text.contains("TestManager<Product>.deadline"), text)
        XCTAssertEqual(manager.error?.userMessage(in: ["en"]), "This is taking too long. Please try again.")
        gate.open()
        for _ in 0..<20 { await Task.yield() }
        XCTAssertNil(manager.output, "the late answer says nothing")
    }

    func testTheDelayBetweenAttempts() async {
        let stack = Stack(ClosureTransport(json: "", status: 503)) {
            $0.retry = RetryPolicy(base: 10)
        }
        let manager = manager(stack)
        manager.loadData(with: [:])
        await expire(stack, manager, waitingFor: .delay(10), sleepers: 2)
        await until { stack.clock.sleepers == 0 }
    }

    func testTheDelayOfALoadPolicy() async {
        let transport = ClosureTransport(json: teapot)
        let stack = Stack(transport)
        let manager = manager(stack)
        manager.policy = .debounce(10)
        manager.loadData(with: [:])
        await expire(stack, manager, waitingFor: .delay(10), sleepers: 2)
        XCTAssertEqual(transport.requests.count, 0)
    }

    func testDeadlineEndsAWaitForANetwork() async {
        let stack = Stack(Wire(stub: ClosureTransport(json: teapot)))
        stack.reachability.path = NetworkPath(isConnected: false)
        let manager = manager(stack)
        manager.ownNetwork = .waiting()
        manager.loadData(with: [:])
        await until { stack.reachability.hasListeners }
        await expire(stack, manager, waitingFor: .network)
        await until { !stack.reachability.hasListeners }
    }

    func testAPlaceInFlight() async {
        let gate = Gate()
        let stack = Stack(silent(gate)) {
            $0.limit = 1
            $0.timeout = .infinity
        }
        let busy = manager(stack, deadline: nil)
        busy.loadData(with: [:])
        await gate.arrival()
        let recorder = EventTests.Recorder()
        stack.proxy.addObserver(recorder)
        let (late, next) = (manager(stack), manager(stack, deadline: nil))
        late.loadData(with: [:])
        await until { recorder.names.contains("queued 0") }
        next.loadData(with: [:])
        await until { recorder.names.contains("queued 1") }
        await expire(stack, late, waitingFor: .otherCalls(ahead: 0))
        gate.open()
        await until { !busy.isLoading && !next.isLoading }
        XCTAssertEqual([busy.output?.id, next.output?.id], [7, 7])
        XCTAssertEqual(stack.proxy.queue.count, 0)
    }

    /// The call that was given up had the only slot.
    func testASlotIsReleased() async {
        let gate = Gate()
        let transport = silent(gate)
        let stack = Stack(transport) {
            $0.limit = 1
            $0.timeout = .infinity
        }
        let (late, next) = (manager(stack), manager(stack, deadline: nil))
        late.loadData(with: [:])
        await gate.arrival()
        next.loadData(with: [:])
        await until { stack.proxy.queue.count == 2 }
        await expire(stack, late, waitingFor: .response)
        await gate.arrival(2)
        gate.open()
        await until { !next.isLoading }
        XCTAssertEqual(next.output?.id, 7)
        await until { stack.proxy.queue.count == 0 }
    }

    func testDeadlineEndsAWaitForALogin() async {
        let gate = Gate()
        let login = LoginStub { _ in
            await gate.pass()
            return .loggedIn(SessionTokens(accessToken: "t"))
        }
        let session = TokenSession(login: login)
        let stack = Stack(ClosureTransport(json: teapot)) { $0.session = session }
        let (late, patient) = (manager(stack), manager(stack, deadline: nil))
        let recorder = EventTests.Recorder()
        stack.proxy.addObserver(recorder)
        for manager in [late, patient] {
            manager.needsLogin = true
            manager.loadData(with: [:])
        }
        await until { recorder.names.filter { $0 == "waiting login" }.count == 2 }
        await expire(stack, late, waitingFor: .login)
        XCTAssertTrue(patient.isLoading)
        gate.open()
        await until { !patient.isLoading }
        XCTAssertEqual(patient.output?.id, 7)
        XCTAssertEqual(login.logins, 1)
    }

    /// The call that is given up has begun the refresh, in the scope of its deadline.
    func testARefreshGoesOnForOthers() async throws {
        let gate = Gate()
        let (refreshes, isFree) = (Locked(0), Locked(false))
        let session = TokenSession(refresh: { _, _ in
            refreshes.withLock { $0 += 1 }
            isFree.current = CallContext.current.deadline == nil
            await gate.pass()
            return SessionTokens(accessToken: "t2", refreshToken: "r")
        })
        session.adopt(SessionTokens(accessToken: "t1", refreshToken: "r"))
        let stack = Stack(
            ClosureTransport { request in
                let isGood = request.headers["Authorization"] == "Bearer t2"
                return TransportResponse(request, json: teapot, status: isGood ? 200 : 401)
            }
        ) { $0.session = session }
        let recorder = EventTests.Recorder()
        stack.proxy.addObserver(recorder)
        let (late, patient) = (manager(stack, deadline: nil), manager(stack, deadline: nil))
        await APICall.withDeadline(3) { _ = late.loadData(with: [:]) }
        await gate.arrival()
        patient.loadData(with: [:])
        await until { recorder.names.filter { $0 == "waiting refresh" }.count == 2 }
        await expire(stack, late, waitingFor: .refresh)
        XCTAssertTrue(patient.isLoading)
        gate.open()
        await until { !patient.isLoading }
        XCTAssertEqual(patient.output?.id, 7)
        XCTAssertEqual(refreshes.current, 1)
        XCTAssertTrue(isFree.current, "its calls have no deadline of the call that began it")
    }

    func testDeadlineEndsAWaitForACSRFToken() async {
        let gate = Gate()
        let stack = Stack(ClosureTransport(json: teapot)) {
            $0.csrf = CSRFProtection(header: "X-CSRF-Token") { _ in
                await gate.pass()
                return "token"
            }
        }
        let recorder = EventTests.Recorder()
        stack.proxy.addObserver(recorder)
        let manager = manager(stack)
        manager.requestType = .post
        manager.loadData(with: [:])
        await until { recorder.names.contains { $0.hasPrefix("waiting") } }
        await expire(stack, manager, waitingFor: .csrfToken)
        gate.open()
    }

    func testAStoredResponse() async {
        struct Stalled: ResponseCache {
            let arrival = Gate()
            let end = DispatchSemaphore(value: 0)
            func response(for key: CacheKey) -> CachedResponse? {
                Task { [arrival] in await arrival.pass() }
                end.wait()
                return nil
            }
            func store(_ response: CachedResponse, for key: CacheKey) {}
            func remove(_ scope: CacheScope) {}
        }
        let disk = Stalled()
        let stack = Stack(ClosureTransport(json: teapot), disk: disk)
        let manager = manager(stack)
        manager.ownCache = .disk
        manager.loadData(with: [:])
        await disk.arrival.arrival()
        await expire(stack, manager, waitingFor: .storedResponse)
        disk.end.signal()
        disk.arrival.open()
    }

    // MARK: All of it together

    /// Each host takes a second and is no longer waited for; the third never answers.
    func testTheLimitIsForAllHosts() async {
        let gate = Gate()
        let clock = Locked<TestClock?>(nil)
        let transport = ClosureTransport { request in
            clock.current?.advance(by: 1)
            if request.url.host == "c.example.com" { await gate.pass() }
            throw TransportError(.timedOut, message: "silence")
        }
        let stack = Stack(transport) {
            $0.deadline = 3
            $0.timeout = .infinity
            $0.failover = FailoverPolicy(to: [
                URL(string: "https://b.example.com")!, URL(string: "https://c.example.com")!,
            ])
        }
        clock.current = stack.clock
        let error = await failure(manager(stack, deadline: nil))
        XCTAssertEqual(error?.kind, .deadlineExceeded(waitingFor: .response))
        let text = error?.localizedDescription ?? ""
        XCTAssertTrue(text.contains("3 s, which is the deadline of the service test"), text)
        gate.open()
    }

    func testTheLimitIsForAllAttempts() async {
        let stack = Stack(ClosureTransport(json: "", status: 503)) {
            $0.retry = RetryPolicy(attempts: 9, base: 1, cap: 1)
        }
        let manager = manager(stack, deadline: 2.5)
        manager.loadData(with: [:])
        for _ in 0..<2 {
            await stack.clock.waitForSleepers(2)
            stack.clock.advance(by: 1)
        }
        await stack.clock.waitForSleepers(2)
        stack.clock.advance(by: 0.5)
        await until { manager.error != nil }
        XCTAssertEqual(manager.error?.kind, .deadlineExceeded(waitingFor: .delay(1)))
    }

    func testACallInTimeLeavesNothingBehind() async throws {
        let stack = Stack(ClosureTransport(json: teapot))
        let product = try await manager(stack).load(with: [:])
        XCTAssertEqual(product.id, 7)
        await until { stack.clock.sleepers == 0 }
    }

    // MARK: Values

    func testTheManagersDeadlineReplacesTheServices() async {
        let gate = Gate()
        let stack = Stack(silent(gate)) {
            $0.deadline = 1
            $0.timeout = .infinity
        }
        let (own, unlimited) = (manager(stack), manager(stack, deadline: .infinity))
        own.loadData(with: [:])
        unlimited.loadData(with: [:])
        await gate.arrival(2)
        await expire(stack, own, waitingFor: .response)
        XCTAssertTrue(unlimited.isLoading)
        gate.open()
        await until { !unlimited.isLoading }
        XCTAssertEqual(unlimited.output?.id, 7)
    }

    func testADeadlineThatIsNoneIsRefused() async {
        for deadline in [0, -1, .nan] as [TimeInterval] {
            let manager = manager(Stack(ClosureTransport(json: teapot)), deadline: deadline)
            guard case .invalidRequest(let reason)? = await failure(manager)?.kind else {
                return XCTFail("\(deadline)")
            }
            XCTAssertTrue(reason.contains("deadline is"), reason)
        }
    }

    /// A call to another origin is not the service's affair.
    func testTheServicesDeadlineIsForItsOwnHosts() async throws {
        let stack = Stack(ClosureTransport(json: teapot)) { $0.deadline = -1 }
        let url = URL(string: "https://elsewhere.example.com/7")!
        let product = try await manager(stack, deadline: nil).load(at: url)
        XCTAssertEqual(product.id, 7)
    }
}
