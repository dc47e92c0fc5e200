import DiscreteNetworking
import Foundation

/// A value behind a lock, for whose changes a test can wait.
final class Watched<Value: Sendable>: Sendable {
    private enum End { case isSo, cancelled, timedOut }

    private struct Watcher {
        let isSo: @Sendable (Value) -> Bool
        let continuation: CheckedContinuation<End, Never>
    }

    private struct State {
        var value: Value
        var lastKey = 0
        var watchers: [Int: Watcher] = [:]
        /// Those whose wait ended before it began.
        var ended: [Int: End] = [:]
    }

    private let state: Locked<State>

    init(_ value: Value) { state = Locked(State(value: value)) }

    /// The value now.
    var current: Value { state.withLock { $0.value } }

    /// Reads and changes the value in one step. Every watcher sees every change, so a moment that is soon over is not
    /// missed.
    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        let (result, due) = state.withLock { state in
            let result = body(&state.value)
            let keys = state.watchers.filter { $0.value.isSo(state.value) }.keys.sorted()
            return (result, keys.compactMap { state.watchers.removeValue(forKey: $0) })
        }
        for watcher in due { watcher.continuation.resume(returning: .isSo) }
        return result
    }

    /// Waits until something is so of the value. A cancelled task waits no longer; after the time limit the test fails.
    /// - Parameters:
    ///   - limit: in seconds of the system's clock.
    ///   - line: where the failure is shown.
    ///   - missing: what it waited for, and what there is instead.
    func wait(
        within limit: TimeInterval, at line: TestLine, until isSo: @escaping @Sendable (Value) -> Bool,
        missing: @Sendable (Value) -> String
    ) async {
        let key = state.withLock { state in
            state.lastKey += 1
            return state.lastKey
        }
        let timer = Task {
            try await SystemClock().sleep(for: limit)
            end(key, .timedOut)
        }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let end = state.withLock { state -> End? in
                    if isSo(state.value) { return .isSo }
                    if let end = state.ended[key] { return end }
                    state.watchers[key] = Watcher(isSo: isSo, continuation: continuation)
                    return nil
                }
                if let end { continuation.resume(returning: end) }
            }
        } onCancel: {
            end(key, .cancelled)
        }
        timer.cancel()
        state.withLock { _ = $0.ended.removeValue(forKey: key) }
        guard outcome == .timedOut else { return }
        report("Waited \(limit.formatted()) s for \(missing(current))", at: line)
    }

    private func end(_ key: Int, _ end: End) {
        let watcher = state.withLock { state in
            state.ended[key] = end
            return state.watchers.removeValue(forKey: key)
        }
        watcher?.continuation.resume(returning: end)
    }
}
