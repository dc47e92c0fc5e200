public import DiscreteNetworkingCore
public import Foundation

/// A clock that a test controls.
///
/// ```swift
/// let clock = TestClock()
/// stubs.on(ProductManager.self, answer: .json(["id": 7]).after(30, by: clock))
/// manager.loadData()
/// await clock.waitForSleepers()
/// clock.advance(by: 30)
/// ```
///
/// As the `clock` of an ``/DiscreteNetworking/ApiProxy`` it controls caches, retries, debouncing and circuit breakers.
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
        /// Tasks that were canceled before they slept.
        var cancelled: Set<Int> = []
        var pauses: [TimeInterval] = []
    }

    private let state: Watched<State>

    /// Creates a clock.
    /// - Parameter now: The initial date. Default: 2024-01-01T00:00:00Z.
    public init(now: Date = Date(timeIntervalSince1970: 1_704_067_200)) {
        state = Watched(State(now: now))
    }

    /// The current date. Setting it wakes no task.
    public var now: Date {
        get { state.withLock { $0.now } }
        set { state.withLock { $0.now = newValue } }
    }

    /// The seconds since the clock was created.
    public var uptime: TimeInterval { state.withLock { $0.uptime } }

    /// Advances both times and wakes the due tasks, in order.
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

    /// Sleeps until the clock was advanced by a time in seconds; returns immediately for 0 or less.
    /// - Throws: `CancellationError` as soon as the task is canceled.
    public func sleep(for seconds: TimeInterval) async throws {
        try Task.checkCancellation()
        guard seconds > 0 else { return }
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    // With the sleeper: a test that has seen the pause may advance the clock.
                    state.pauses.append(seconds)
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

    /// The requested sleep times in seconds, in order.
    ///
    /// ```swift
    /// XCTAssertEqual(clock.pauses, [0.5, 1])        // the delays of a retry policy
    /// ```
    public var pauses: [TimeInterval] { state.withLock { $0.pauses } }

    /// The number of sleeping tasks.
    public var sleepers: Int { state.withLock { $0.sleepers.count } }

    /// Waits until a number of tasks sleep, before ``advance(by:)``. Returns early if the task is canceled.
    /// - Parameters:
    ///   - count: The number of sleeping tasks.
    ///   - limit: The timeout in seconds, after which the test fails. Default: 30.
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
