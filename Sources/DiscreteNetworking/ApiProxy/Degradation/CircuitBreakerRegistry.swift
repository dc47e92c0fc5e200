import Foundation

/// The circuit breakers of all endpoints, and what services say themselves about theirs.
final class CircuitBreakerRegistry: Sendable {
    enum Verdict: Sendable {
        /// The call goes out; ``record(_:failed:at:)`` is to follow where there is something to hand in.
        case go(Admission?)
        /// Nothing is sent for so many seconds.
        case degraded(for: TimeInterval)
    }

    /// What a call that was let through hands in when it is over.
    struct Admission: Sendable {
        fileprivate let key: Key
        /// Which of the breakers that had this key.
        fileprivate let number: Int
        fileprivate let admission: CircuitBreaker.Admission
    }

    /// The policy is a part of it: calls with different ones are counted apart.
    fileprivate struct Key: Hashable {
        let service: ServiceIdentifier
        let methodName: String
        let policy: BreakerPolicy
    }

    fileprivate struct Entry {
        let number: Int
        var breaker: CircuitBreaker
    }

    /// An endpoint, or all of a service.
    fileprivate struct Place: Hashable {
        let service: ServiceIdentifier
        let methodName: String?
    }

    fileprivate struct State {
        var entries: [Key: Entry] = [:]
        /// How many breakers there have been.
        var made = 0
        /// With how many breakers to look for idle ones. Method names are not endless, but an app may compose them.
        var limit = 256
        /// Until when, in uptime.
        var marks: [Place: TimeInterval] = [:]
    }

    private let state = Locked(State())

    var count: Int { state.withLock { $0.entries.count } }

    /// Whether an endpoint is called at the moment.
    /// - Parameters:
    ///   - policy: `nil` for no breaker; what its service said counts all the same.
    ///   - uptime: ``APIClock/uptime``.
    func admit(
        _ service: ServiceIdentifier, _ methodName: String, policy: BreakerPolicy?, at uptime: TimeInterval
    ) -> Verdict {
        state.withLock { state in
            if let until = state.mark(of: service, methodName, at: uptime) {
                return .degraded(for: until - uptime)
            }
            guard let policy else { return .go(nil) }
            let key = Key(service: service, methodName: methodName, policy: policy)
            var entry = state.entries[key] ?? state.make(policy, at: uptime)
            defer { state.entries[key] = entry }
            switch entry.breaker.admit(at: uptime) {
            case .go(let admission):
                return .go(Admission(key: key, number: entry.number, admission: admission))
            case .open(let until): return .degraded(for: until - uptime)
            }
        }
    }

    /// Told how a call went that was let through.
    /// - Parameter failed: `nil` where it says nothing about the endpoint; see ``CircuitBreaker/isFailure(_:)``.
    func record(_ admission: Admission, failed: Bool?, at uptime: TimeInterval) {
        state.withLock { state in
            guard var entry = state.entries[admission.key], entry.number == admission.number else { return }
            if let failed {
                entry.breaker.record(success: !failed, of: admission.admission, at: uptime)
            } else {
                entry.breaker.abandon(admission.admission)
            }
            state.entries[admission.key] = entry
        }
    }

    /// A service's own word: the endpoint is not called until then. Replaces the word before; a time in the past
    /// takes it back.
    /// - Parameters:
    ///   - methodName: `nil` for all endpoints of the service, beside what is said of single ones.
    ///   - now: ``APIClock/now``. The wait is measured once, so that a clock that is set does not change it.
    func degrade(
        _ service: ServiceIdentifier, _ methodName: String?, until: Date, now: Date, at uptime: TimeInterval
    ) {
        let seconds = until.timeIntervalSince(now)
        state.withLock {
            $0.marks[Place(service: service, methodName: methodName)] = seconds > 0 ? uptime + seconds : nil
        }
    }

    /// Forgets what was recorded and said: of one endpoint, of one service or of all. What calls in flight hand
    /// in afterwards is not counted.
    func reset(_ service: ServiceIdentifier? = nil, _ methodName: String? = nil) {
        func isMeant(_ other: ServiceIdentifier, _ otherName: String?) -> Bool {
            (service == nil || service == other) && (methodName == nil || methodName == otherName)
        }
        state.withLock { state in
            state.entries = state.entries.filter { !isMeant($0.key.service, $0.key.methodName) }
            state.marks = state.marks.filter { !isMeant($0.key.service, $0.key.methodName) }
        }
    }
}

extension CircuitBreakerRegistry.State {
    /// Until when a service's own word counts; `nil` where there is none.
    fileprivate mutating func mark(
        of service: ServiceIdentifier, _ methodName: String, at uptime: TimeInterval
    ) -> TimeInterval? {
        guard !marks.isEmpty else { return nil }
        marks = marks.filter { $0.value > uptime }
        return [methodName, nil].compactMap { marks[.init(service: service, methodName: $0)] }.max()
    }

    fileprivate mutating func make(_ policy: BreakerPolicy, at uptime: TimeInterval)
        -> CircuitBreakerRegistry.Entry
    {
        if entries.count >= limit {
            for key in Array(entries.keys) where entries[key]?.breaker.isIdle(at: uptime) == true {
                entries[key] = nil
            }
            limit = max(256, 2 * entries.count)
        }
        made += 1
        return CircuitBreakerRegistry.Entry(number: made, breaker: CircuitBreaker(policy))
    }
}
