import DiscreteNetworkingCore
import Foundation

/// A value protected by a lock, with support for waiting for a condition.
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
        /// Watchers that ended before they started waiting.
        var ended: [Int: End] = [:]
    }

    private let state: Locked<State>

    init(_ value: Value) { state = Locked(State(value: value)) }

    /// The current value.
    var current: Value { state.withLock { $0.value } }

    /// Reads and modifies the value atomically. Every watcher sees every change.
    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        let (result, due) = state.withLock { state in
            let result = body(&state.value)
            let keys = state.watchers.filter { $0.value.isSo(state.value) }.keys.sorted()
            return (result, keys.compactMap { state.watchers.removeValue(forKey: $0) })
        }
        for watcher in due { watcher.continuation.resume(returning: .isSo) }
        return result
    }

    /// Waits until a condition is met. Returns early if the task is canceled; fails the test after a
    /// timeout.
    /// - Parameters:
    ///   - limit: The timeout in seconds.
    ///   - line: The line at which the failure is reported.
    ///   - isSo: The condition.
    ///   - missing: Describes what was expected and the current value.
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
