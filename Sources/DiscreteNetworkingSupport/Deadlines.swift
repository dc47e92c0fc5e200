// `@preconcurrency`: dispatch sources are thread-safe, but not declared `Sendable` on Linux.
@preconcurrency import Dispatch
package import Foundation

/// Runs actions at deadlines with a single timer, so that setting and canceling a deadline is cheap.
package final class Deadlines: Sendable {
    package static let shared = Deadlines()

    package struct Token: Hashable, Sendable { fileprivate let number: UInt64 }

    private struct Entry: Sendable {
        let time: UInt64
        let action: @Sendable () -> Void
    }

    private struct State: Sendable {
        var actions: [Token: Entry] = [:]
        var last: UInt64 = 0
        /// When the timer fires; `.max` if it is not set.
        var armed = UInt64.max
    }

    private let state = Locked(State())
    private let timer: any DispatchSourceTimer

    package init() {
        timer = DispatchSource.makeTimerSource(
            queue: DispatchQueue(label: "DiscreteNetworking.Deadlines", qos: .userInitiated))
        timer.setEventHandler { [weak self] in self?.fire() }
        timer.resume()
    }

    deinit { timer.cancel() }

    /// Schedules an action after a time in seconds, unless it is canceled.
    package func schedule(after seconds: TimeInterval, _ action: @escaping @Sendable () -> Void) -> Token {
        // NaN counts as 0.
        let nanoseconds = seconds > 0 ? UInt64(min(seconds, Self.longest) * 1e9) : 0
        let time = DispatchTime.now().uptimeNanoseconds + nanoseconds
        return state.withLock { state in
            state.last += 1
            let token = Token(number: state.last)
            state.actions[token] = Entry(time: time, action: action)
            if time < state.armed {
                state.armed = time
                arm(time)
            }
            return token
        }
    }

    /// - Returns: whether it was in time; the action is not called then.
    @discardableResult
    package func cancel(_ token: Token) -> Bool {
        // The action is released outside the lock: it may hold the last reference to an object.
        state.withLock { $0.actions.removeValue(forKey: token) } != nil
    }

    private static let longest: TimeInterval = 10 * 365 * 86_400

    private func arm(_ time: UInt64) {
        // Reschedules the single timer.
        timer.schedule(deadline: DispatchTime(uptimeNanoseconds: time))
    }

    private func fire() {
        let now = DispatchTime.now().uptimeNanoseconds
        let due = state.withLock { state in
            let due = state.actions.filter { $0.value.time <= now }
            for token in due.keys { state.actions[token] = nil }
            state.armed = state.actions.values.lazy.map(\.time).min() ?? .max
            if state.armed != .max { arm(state.armed) }
            return due.values.sorted { $0.time < $1.time }
        }
        for entry in due { entry.action() }
    }
}
