import DiscreteNetworking
import Foundation

/// A clock that stands still until a test moves it, so that what takes minutes is tested in no time.
///
/// ```swift
/// let clock = TestClock()
/// stubs.on(ProductManager.self, answer: .json(["id": 7]).after(30, by: clock))
/// manager.loadData()
/// await clock.waitForSleepers()
/// clock.advance(by: 30)
/// ```
/// As the `clock` of an ``ApiProxy`` it moves caches, retries, debounce and breakers.
public final class TestClock: APIClock {
    private struct Sleeper {
        let end: TimeInterval
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var uptime: TimeInterval = 0
        var now: Date
        var lastID = 0
        var sleepers: [Int: Sleeper] = [:]
        /// Those who were cancelled before they slept.
        var cancelled: Set<Int> = []
        var pauses: [TimeInterval] = []
    }

    private let state: Watched<State>

    /// - Parameter now: the time of day to begin with; default: 2024-01-01T00:00:00Z.
    public init(now: Date = Date(timeIntervalSince1970: 1_704_067_200)) {
        state = Watched(State(now: now))
    }

    /// The time of day. Setting it makes it jump, and wakes nobody.
    public var now: Date {
        get { state.withLock { $0.now } }
        set { state.withLock { $0.now = newValue } }
    }

    /// Seconds since the clock was made.
    public var uptime: TimeInterval { state.withLock { $0.uptime } }

    /// Moves both times on, and wakes those whose time has come, the earliest first.
    public func advance(by seconds: TimeInterval) {
        let due = state.withLock { state in
            state.uptime += seconds
            state.now += seconds
            let uptime = state.uptime
            let due = state.sleepers.filter { $0.value.end <= uptime }
                .sorted { ($0.value.end, $0.key) < ($1.value.end, $1.key) }
            for (id, _) in due { state.sleepers[id] = nil }
            return due.map(\.value.continuation)
        }
        for continuation in due { continuation.resume() }
    }

    /// Returns when the clock was moved on by so many seconds; at once for 0 and less.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(for seconds: TimeInterval) async throws {
        try Task.checkCancellation()
        guard seconds > 0 else { return }
        let id = state.withLock { state in
            state.lastID += 1
            state.pauses.append(seconds)
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if state.cancelled.remove(id) != nil { return true }
                    state.sleepers[id] = Sleeper(end: state.uptime + seconds, continuation: continuation)
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                guard let sleeper = state.sleepers.removeValue(forKey: id) else {
                    state.cancelled.insert(id)
                    return nil as Sleeper?
                }
                return sleeper
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// For how many seconds somebody has wanted to sleep, in order.
    ///
    /// ```swift
    /// XCTAssertEqual(clock.pauses, [0.5, 1])        // what a retry policy made of two failures
    /// ```
    public var pauses: [TimeInterval] { state.withLock { $0.pauses } }

    /// How many sleep now.
    public var sleepers: Int { state.withLock { $0.sleepers.count } }

    /// Waits until so many sleep: the moment to ``advance(by:)``. Returns early where the task is cancelled.
    /// - Parameter limit: seconds, after which the test fails. Default: 30.
    public func waitForSleepers(
        _ count: Int = 1, within limit: TimeInterval = 30, fileID: StaticString = #fileID,
        file: StaticString = #filePath, line: UInt = #line
    ) async {
        let line = TestLine(fileID: fileID, file: file, line: line)
        await state.wait(
            within: limit, at: line, until: { $0.sleepers.count >= count },
            missing: { state in
                """
                \(count) to sleep by the test clock. Now \(state.sleepers.count) do; so far somebody wanted to for \
                \(state.pauses) s. Does the proxy have this clock, and what it waits for a pause of more than 0 s?
                """
            })
    }
}
