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

    func testTheTimeOfDayMayJump() {
        let clock = TestClock()
        clock.now = Date(timeIntervalSince1970: 0)
        XCTAssertEqual(clock.uptime, 0)
        clock.advance(by: 1)
        XCTAssertEqual(clock.now, Date(timeIntervalSince1970: 1))
    }

    func testCancellationWakes() async {
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

    func testItMovesWhatAProxyWaitsFor() async {
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
}
