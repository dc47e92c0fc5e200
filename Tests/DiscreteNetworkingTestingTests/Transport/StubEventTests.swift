import DiscreteNetworking
import DiscreteNetworkingTesting
import XCTest

/// Stubs of server-sent events.
@MainActor
final class StubEventTests: XCTestCase {
    private let sent = [
        ServerSentEvent(id: "7", type: "order", data: "two\nlines"), ServerSentEvent(id: "7", data: ""),
        ServerSentEvent(data: " 茶 "), ServerSentEvent(id: "8", data: "\n"),
    ]

    func testEventsArriveAsTheyWereGiven() async throws {
        let stack = ShopStack()
        stack.stubs.on(FeedManager.self, answers: [.events(sent), .status(204)])
        let manager = FeedManager()
        manager.proxy = stack.proxy
        var events: [ServerSentEvent] = []
        for try await event in manager.events(reconnectingAfter: 0) { events.append(event) }
        XCTAssertEqual(events, sent)
        XCTAssertEqual(stack.stubs.requests.last?.headers["Last-Event-ID"], "8")
        stack.stubs.verifyAllUsed()
    }

    func testPausesAndTheTimeUntilItAsksAgainGoByTheClock() async throws {
        let stubs = StubTransport()
        let clock = TestClock()
        stubs.on(
            FeedManager.self,
            answers: [.events(Array(sent.prefix(2)), retry: 30_000, every: 5, by: clock), .status(204)])
        let manager = FeedManager()
        manager.proxy = ApiProxy(stubbing: stubs, [.shop: ShopService.self], clock: clock)
        let events = Task {
            var events: [ServerSentEvent] = []
            for try await event in manager.events() { events.append(event) }
            return events
        }
        for pause in [5.0, 30] {
            await clock.waitForSleepers()
            XCTAssertEqual(clock.pauses.last, pause)
            clock.advance(by: pause)
        }
        let all = try await events.value
        XCTAssertEqual(all, Array(sent.prefix(2)))
    }

    func testAnEventThatCannotBeSentIsReportedAtTheStub() async {
        let stubs = StubTransport()
        for event in [
            ServerSentEvent(id: "a\nb", data: ""), ServerSentEvent(id: "\0", data: ""),
            ServerSentEvent(data: "\r\n"),
        ] {
            await assertCaught("A server cannot send the stub's event") {
                stubs.on(.any, answer: .events([event]))
            }
        }
    }
}
