import DiscreteNetworkingCore
import Foundation

/// The circuit breaker of an endpoint; see ``CircuitBreakerPolicy``. Times are seconds of ``APIClock/uptime``.
struct CircuitBreaker: Sendable {
    enum Verdict: Sendable, Equatable {
        /// The call is sent; report its result with ``record(success:of:at:)`` or ``abandon(_:)``.
        case go(Admission)
        /// Nothing is sent until a time.
        case open(until: TimeInterval)
    }

    /// The period between two state changes in which a call was admitted. Results of an earlier period are
    /// ignored: a late success does not close a circuit breaker that has opened since.
    struct Admission: Sendable, Equatable {
        fileprivate let period: Int
    }

    private enum State {
        case closed(RecentCalls)
        case open(until: TimeInterval)
        /// `until`: when half-open calls that have not ended no longer count.
        case halfOpen(calls: Int, until: TimeInterval)
    }

    private let policy: CircuitBreakerPolicy
    private var state: State
    private var period = 0

    init(_ policy: CircuitBreakerPolicy) {
        self.policy = policy
        state = .closed(RecentCalls(window: policy.window))
    }

    /// Asks for admission before a call.
    mutating func admit(at uptime: TimeInterval) -> Verdict {
        switch state {
        case .closed: break
        case .halfOpen(let calls, let until) where calls < max(policy.halfOpenCalls, 1):
            state = .halfOpen(calls: calls + 1, until: until)
        case .open(let until), .halfOpen(_, let until):
            guard uptime >= until else { return .open(until: until) }
            change(to: .halfOpen(calls: 1, until: uptime + pause))
        }
        return .go(Admission(period: period))
    }

    /// Records the result of a call.
    mutating func record(success: Bool, of admission: Admission, at uptime: TimeInterval) {
        guard admission.period == period else { return }
        switch state {
        case .open: break
        case .halfOpen:
            change(
                to: success
                    ? .closed(RecentCalls(window: policy.window)) : .open(until: uptime + pause))
        case .closed(var recent):
            recent.add(failed: !success, at: uptime)
            if !success, isTooMuch(recent) {
                change(to: .open(until: uptime + pause))
            } else {
                state = .closed(recent)
            }
        }
    }

    /// Records that a call ended with a result that does not depend on the endpoint: another half-open call
    /// may be sent.
    mutating func abandon(_ admission: Admission) {
        guard admission.period == period, case .halfOpen(let calls, let until) = state else { return }
        state = .halfOpen(calls: max(calls - 1, 0), until: until)
    }

    /// Whether the circuit breaker behaves like a new one, or was open so long ago that the failures would be forgotten.
    mutating func isIdle(at uptime: TimeInterval) -> Bool {
        switch state {
        case .closed(var recent):
            recent.forget(at: uptime)
            state = .closed(recent)
            return recent.calls == 0
        case .open(let until), .halfOpen(_, let until): return uptime >= until + policy.window
        }
    }

    /// NaN counts as 0; otherwise the circuit breaker would never close.
    private var pause: TimeInterval { policy.openDuration > 0 ? policy.openDuration : 0 }

    private func isTooMuch(_ recent: RecentCalls) -> Bool {
        recent.failures >= policy.threshold
            && !(Double(recent.failures) < policy.ratio * Double(recent.calls))
    }

    private mutating func change(to state: State) {
        self.state = state
        period += 1
    }
}
