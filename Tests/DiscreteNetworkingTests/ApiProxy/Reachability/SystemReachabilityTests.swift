import DiscreteNetworkingTesting
import Foundation
import XCTest

@testable import DiscreteNetworkingCore

final class SystemReachabilityTests: XCTestCase {
    private let clock = TestClock()

    func testNothingIsStartedBeforeItIsAskedNorForThisMachine() {
        let monitor = StubMonitor(tells: true)
        let network = SystemReachability(monitor: monitor, clock: clock)
        XCTAssertTrue(network.isReachable(host: "localhost"))
        XCTAssertEqual(monitor.starts, 0)
        XCTAssertTrue(network.isReachable(host: "api.example.com"), "as long as nothing is known")
        XCTAssertEqual(monitor.starts, 1)
    }

    func testAMonitorThatTellsIsStartedOnceAndNotAsked() async {
        let monitor = StubMonitor(tells: true)
        let network = SystemReachability(monitor: monitor, clock: clock)
        var changes = network.changes.makeAsyncIterator()
        monitor.tell(false)
        var next = await changes.next()
        XCTAssertEqual(next, false)
        for _ in 0..<10 { XCTAssertFalse(network.isReachable(host: "api.example.com")) }
        monitor.tell(true)
        monitor.tell(true)
        monitor.tell(false)
        next = await changes.next()
        XCTAssertEqual(next, true)
        next = await changes.next()
        XCTAssertEqual(next, false)
        XCTAssertEqual(monitor.starts, 1)
        XCTAssertEqual(monitor.questions, 0)
        XCTAssertEqual(clock.pauses, [])
    }

    func testAMonitorThatDoesNotTellIsAskedEachTime() {
        let monitor = StubMonitor(tells: false)
        let network = SystemReachability(monitor: monitor, clock: clock)
        for answer in [true, false, true, nil] {
            monitor.answer.current = answer
            XCTAssertEqual(network.isReachable(host: "api.example.com"), answer ?? true)
        }
        XCTAssertEqual(monitor.questions, 4)
        XCTAssertEqual(clock.pauses, [])
    }

    func testUnknownNetworkIsReachable() {
        let network = SystemReachability(monitor: StubMonitor(tells: false), clock: clock)
        XCTAssertTrue(network.isReachable(host: "api.example.com"))
    }

    func testChangesAreAskedForEverySecondWhileSomebodyListens() async {
        let monitor = StubMonitor(tells: false)
        monitor.answer.current = false
        let network = SystemReachability(monitor: monitor, clock: clock)
        let wait = Task { await network.waitUntilReachable(host: "api.example.com") }
        for _ in 0..<3 {
            await clock.waitForSleepers()
            clock.advance(by: 1)
        }
        await clock.waitForSleepers()
        monitor.answer.current = true
        clock.advance(by: 1)
        await wait.value
        // Asked once more at most, then nobody is left.
        while clock.sleepers > 0 { clock.advance(by: 1) }
        XCTAssertEqual(Set(clock.pauses), [1])

        let again = Task { [changes = network.changes] in
            for await isThere in changes where !isThere { return }
        }
        await clock.waitForSleepers()
        monitor.answer.current = false
        clock.advance(by: 1)
        await again.value
    }
}

/// A platform as a test wants it.
private final class StubMonitor: NetworkMonitor {
    let answer = Locked<Bool?>(nil)
    private let tells: Bool
    private let listener = Locked<(@Sendable (NetworkPath) -> Void)?>(nil)
    private let counts = Locked((starts: 0, questions: 0))

    init(tells: Bool) { self.tells = tells }

    var starts: Int { counts.current.starts }
    var questions: Int { counts.current.questions }

    func tell(_ isConnected: Bool) { listener.current?(NetworkPath(isConnected: isConnected)) }

    func start(_ tell: @escaping @Sendable (NetworkPath) -> Void) -> Bool {
        counts.withLock { $0.starts += 1 }
        if tells { listener.current = tell }
        return tells
    }

    func isConnected() -> Bool? {
        counts.withLock { $0.questions += 1 }
        return answer.current
    }
}
