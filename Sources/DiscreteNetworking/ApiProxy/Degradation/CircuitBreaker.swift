import Foundation

/// Whether one endpoint is called at the moment; see ``BreakerPolicy``. Times are seconds of
/// ``APIClock/uptime``.
struct CircuitBreaker: Sendable {
    enum Verdict: Sendable, Equatable {
        /// The call goes out; ``record(success:of:at:)`` or ``abandon(_:)`` is to follow.
        case go(Admission)
        /// Nothing is sent until then.
        case open(until: TimeInterval)
    }

    /// In which period between two changes of state a call was let through. A result from an earlier period
    /// says nothing about the present one: a late success does not close what has opened since.
    struct Admission: Sendable, Equatable {
        fileprivate let period: Int
    }

    private enum State {
        case closed(RecentCalls)
        case open(until: TimeInterval)
        /// `until`: when trial calls that have not ended make way for others.
        case halfOpen(calls: Int, until: TimeInterval)
    }

    private let policy: BreakerPolicy
    private var state: State
    private var period = 0

    init(_ policy: BreakerPolicy) {
        self.policy = policy
        state = .closed(RecentCalls(window: policy.window))
    }

    /// Asked before every call.
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

    /// Told how a call went.
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

    /// Told that a call ended without saying anything about the endpoint: another may be on trial.
    mutating func abandon(_ admission: Admission) {
        guard admission.period == period, case .halfOpen(let calls, let until) = state else { return }
        state = .halfOpen(calls: max(calls - 1, 0), until: until)
    }

    /// Whether a new breaker would do the same.
    mutating func isIdle(at uptime: TimeInterval) -> Bool {
        guard case .closed(var recent) = state else { return false }
        recent.forget(at: uptime)
        state = .closed(recent)
        return recent.calls == 0
    }

    /// Not what is not a number: that would never be over.
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
