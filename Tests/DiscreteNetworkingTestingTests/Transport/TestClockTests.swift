import DiscreteNetworking
import DiscreteNetworkingTesting
import XCTest

final class TestClockTests: XCTestCase {
    func testSleepersWakeWhenTheirTimeHasCome() async throws {
        let clock = TestClock()
        let early = Task { try await clock.sleep(for: 1) }
        let late = Task { try await clock.sleep(for: 2) }
        await clock.waitForSleepers(2)
        clock.advance(by: 1.5)
        try await early.value
        XCTAssertEqual(clock.sleepers, 1)
        clock.advance(by: 0.5)
        try await late.value
        XCTAssertEqual(clock.uptime, 2)
        XCTAssertEqual(clock.now, Date(timeIntervalSince1970: 1_704_067_202))
        try await clock.sleep(for: 0)
    }

    /// Advanced by a thread that looks at the pauses all the time.
    func testAPauseThatIsSeenCanBeEnded() async throws {
        let (clock, rounds) = (TestClock(), 10_000)
        Thread.detachNewThread {
            for round in 1...rounds {
                while clock.pauses.count < round {}
                clock.advance(by: 1)
            }
        }
        for _ in 1...rounds { try await clock.sleep(for: 1) }
        XCTAssertEqual(clock.uptime, TimeInterval(rounds))
    }

    func testTheTimeOfDayMayJump() {
        let clock = TestClock()
        clock.now = Date(timeIntervalSince1970: 0)
        XCTAssertEqual(clock.uptime, 0)
        clock.advance(by: 1)
        XCTAssertEqual(clock.now, Date(timeIntervalSince1970: 1))
    }

    func testAWaitEndsWithItsTask() async {
        let clock = TestClock()
        let stubs = StubTransport()
        let waiting = Task {
            await clock.waitForSleepers()
            await stubs.waitForRequests()
        }
        waiting.cancel()
        let isOver = Locked(false)
        Task {
            await waiting.value
            isOver.current = true
        }
        let limit = SystemClock().uptime + 5
        while !isOver.current, SystemClock().uptime < limit { await Task.yield() }
        XCTAssertTrue(isOver.current, "it waits for a sleeper or a request, although its task was canceled")
    }

    func testAWaitThatIsInVainSaysWhatItWaitedFor() async throws {
        let clock = TestClock()
        let sleeper = Task { try await clock.sleep(for: 5) }
        await clock.waitForSleepers()
        await assertCaught("Waited 0.01 s for 2 to sleep by the test clock. Now 1 do", "[5.0] s") {
            await clock.waitForSleepers(2, within: 0.01)
        }
        await assertCaught("Waited 0.01 s for 1 requests. There were 0.") {
            await StubTransport().waitForRequests(within: 0.01)
        }
        clock.advance(by: 5)
        try await sleeper.value
    }

    func testCancellationEndsASleep() async {
        let clock = TestClock()
        let asleep = Task { try await clock.sleep(for: 1) }
        await clock.waitForSleepers()
        asleep.cancel()
        let result = await asleep.result
        XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
        XCTAssertEqual(clock.sleepers, 0)
    }
}

@MainActor
final class TestClockProxyTests: XCTestCase {
    /// A search field that waits for the next letter.
    private final class SearchManager: APIManager<JSONValue> {
        let serviceIdentifier = ServiceIdentifier.shop
        let methodName = "search"
        let requestType = HTTPMethod.get
        override var loadPolicy: LoadPolicy { .debounce(0.3) }
    }

    func testAdvancingEndsTheWaitsOfAProxy() async {
        let clock = TestClock()
        let stubs = StubTransport()
        stubs.on(.any, answer: .json(["code": 0, "content": []]))
        let manager = SearchManager()
        manager.proxy = ApiProxy(stubbing: stubs, [.shop: ShopService.self], clock: clock)
        manager.loadData(with: ["q": "茶"])
        await clock.waitForSleepers()
        XCTAssertTrue(stubs.requests.isEmpty)
        clock.advance(by: 0.3)
        await stubs.waitForRequests()
    }

    private final class RetryingManager: APIManager<Product> {
        let serviceIdentifier = ServiceIdentifier.shop
        let methodName = "products/{id}"
        let requestType = HTTPMethod.get
        override var retryPolicy: RetryPolicy? { RetryPolicy(attempts: 2, base: 0.5) }
    }

    /// With a clock that a test moves, a pause costs no time, and a test waits for it.
    func testThePauseBeforeARetryIsSleptByTheTestClock() async throws {
        let clock = TestClock()
        let stubs = StubTransport()
        stubs.on(.any, answers: [.status(503), ShopStack.teapot])
        let manager = RetryingManager()
        manager.proxy = ApiProxy(stubbing: stubs, [.shop: ShopService.self], clock: clock)
        let load = Task { try await manager.load(with: ["id": 7]) }
        await clock.waitForSleepers()
        XCTAssertEqual(clock.pauses, [0.5])
        XCTAssertEqual(stubs.requests.count, 1)
        clock.advance(by: 0.5)
        let product = try await load.value
        XCTAssertEqual(product.id, 7)
    }

    private final class Pauses: APICallObserver {
        let all = Locked<[TimeInterval]>([])
        func observe(_ event: APICallEvent) {
            if case .repeated(let pause, _) = event.kind { all.withLock { $0.append(pause) } }
        }
    }

    func testProposedWithTheSystemsClockARetryWaitsForNothing() async {
        let stubs = StubTransport()
        stubs.on(.any, answers: [.status(503), ShopStack.teapot])
        let manager = RetryingManager()
        let proxy = ApiProxy(stubbing: stubs, [.shop: ShopService.self])
        manager.proxy = proxy
        let pauses = Pauses()
        proxy.addObserver(pauses)
        await assertSucceeds(manager, with: ["id": 7])
        XCTAssertEqual(pauses.all.current, [0])
    }

    func testWithTheSystemsClockARetryWaitsForNothing() async {
        let stubs = StubTransport()
        stubs.on(.any, answers: [.status(503), ShopStack.teapot])
        let manager = RetryingManager()
        let proxy = ApiProxy(stubbing: stubs, [.shop: ShopService.self])
        manager.proxy = proxy
        await assertSucceeds(manager, with: ["id": 7])
        XCTAssertEqual(stubs.requests.count, 2)
    }
}
