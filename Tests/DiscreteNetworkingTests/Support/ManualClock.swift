import Foundation

@testable import DiscreteNetworking

/// A clock that only a test moves.
final class ManualClock: APIClock {
    private struct Sleeper {
        let end: TimeInterval
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now: Date
        var uptime: TimeInterval = 1000
        var last = 0
        var sleepers: [Int: Sleeper] = [:]
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var naps: [TimeInterval] = []
    }

    private let state: Locked<State>

    init(now: Date = Date(timeIntervalSince1970: 1_800_000_000)) { state = Locked(State(now: now)) }

    var now: Date { state.withLock { $0.now } }
    var uptime: TimeInterval { state.withLock { $0.uptime } }
    /// How many sleep at the moment.
    var sleepers: Int { state.withLock { $0.sleepers.count } }
    /// For how long somebody has wanted to sleep, in order.
    var naps: [TimeInterval] { state.withLock { $0.naps } }

    /// Time passes; those whose time has come wake up, in order.
    func advance(by seconds: TimeInterval) {
        let due = state.withLock { state in
            state.uptime += seconds
            state.now += seconds
            let uptime = state.uptime
            let due = state.sleepers.filter { $0.value.end <= uptime }
            for number in due.keys { state.sleepers[number] = nil }
            return due.sorted { ($0.value.end, $0.key) < ($1.value.end, $1.key) }
        }
        for sleeper in due { sleeper.value.continuation.resume() }
    }

    /// The user sets the time of day; nobody wakes up.
    func set(now: Date) { state.withLock { $0.now = now } }

    /// Returns as soon as so many sleep.
    func sleeper(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.sleepers.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    func sleep(for seconds: TimeInterval) async throws {
        let number = state.withLock { state in
            state.last += 1
            state.naps.append(seconds)
            return state.last
        }
        try Task.checkCancellation()
        guard seconds > 0 else { return }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                lieDown(number, for: seconds, continuation)
            }
        } onCancel: {
            wake(number)
        }
    }

    private func lieDown(
        _ number: Int, for seconds: TimeInterval, _ continuation: CheckedContinuation<Void, any Error>
    ) {
        let watchers: [CheckedContinuation<Void, Never>]? = state.withLock { state in
            // The handler has run already, or will find the sleeper.
            guard !Task.isCancelled else { return nil }
            state.sleepers[number] = Sleeper(end: state.uptime + seconds, continuation: continuation)
            let count = state.sleepers.count
            defer { state.watchers.removeAll { $0.count <= count } }
            return state.watchers.filter { $0.count <= count }.map(\.continuation)
        }
        guard let watchers else { return continuation.resume(throwing: CancellationError()) }
        for watcher in watchers { watcher.resume() }
    }

    private func wake(_ number: Int) {
        let sleeper = state.withLock { $0.sleepers.removeValue(forKey: number) }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}
