import Foundation

/// The circuit breakers of all endpoints, and endpoints degraded by their service.
final class CircuitBreakerRegistry: ProxyState {
    enum Verdict: Sendable {
        /// The call is sent; report its result with ``record(_:failed:at:)`` if there is an admission.
        case go(Admission?)
        /// Nothing is sent for a time in seconds.
        case degraded(for: TimeInterval)
    }

    /// The admission of a call, needed to record its result.
    struct Admission: Sendable {
        fileprivate let key: Key
        /// The number of the circuit breaker; circuit breakers with the same key may be recreated.
        fileprivate let number: Int
        fileprivate let admission: CircuitBreaker.Admission
    }

    /// Includes the policy: calls with different policies are counted separately.
    fileprivate struct Key: Hashable {
        let endpoint: EndpointPlace
        let policy: CircuitBreakerPolicy
    }

    fileprivate struct Entry {
        let number: Int
        var breaker: CircuitBreaker
    }

    fileprivate struct State {
        var entries: [Key: Entry] = [:]
        /// The number of circuit breakers created so far.
        var made = 0
        /// The number of circuit breakers at which idle ones are removed; an app may generate method names.
        var limit = 256
        /// The end of each degradation, in uptime.
        var marks: [EndpointPlace: TimeInterval] = [:]
    }

    private let state = Locked(State())

    /// Whether any endpoint may be degraded.
    var hasMarks: Bool { state.withLock { !$0.marks.isEmpty } }

    var count: Int { state.withLock { $0.entries.count } }

    /// Asks for admission before a call.
    /// - Parameters:
    ///   - endpoint: The endpoint, in its environment.
    ///   - policy: The circuit breaker policy; `nil` for none, in which case only an explicit degradation applies.
    ///   - uptime: The current ``APIClock/uptime``.
    func admit(
        _ endpoint: EndpointPlace, policy: CircuitBreakerPolicy?, at uptime: TimeInterval
    ) -> Verdict {
        state.withLock { state in
            if let until = state.mark(of: endpoint, at: uptime) {
                return .degraded(for: until - uptime)
            }
            guard let policy else { return .go(nil) }
            let key = Key(endpoint: endpoint, policy: policy)
            var entry = state.entries[key] ?? state.make(policy, at: uptime)
            defer { state.entries[key] = entry }
            switch entry.breaker.admit(at: uptime) {
            case .go(let admission):
                return .go(Admission(key: key, number: entry.number, admission: admission))
            case .open(let until): return .degraded(for: until - uptime)
            }
        }
    }

    /// Records the result of an admitted call.
    /// - Parameter failed: `nil` if the result does not depend on the endpoint; see
    ///   ``CircuitBreaker/isFailure(_:)``.
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

    /// Degrades an endpoint until a date, replacing an earlier degradation; a date in the past ends it.
    /// - Parameters:
    ///   - place: The endpoint, or all endpoints of the service or of its environment.
    ///   - now: The current ``APIClock/now``. The duration is measured once, so later clock changes have no
    ///     effect.
    func degrade(
        _ place: EndpointPlace, until: Date, now: Date, at uptime: TimeInterval
    ) {
        let seconds = until.timeIntervalSince(now)
        state.withLock { $0.marks[place] = seconds > 0 ? uptime + seconds : nil }
    }

    /// Removes the records and degradations of an endpoint, a service, or all. Results of calls in flight
    /// are then ignored.
    func reset(_ service: ServiceIdentifier? = nil, _ methodName: String? = nil) {
        func isMeant(_ other: EndpointPlace) -> Bool {
            (service == nil || service == other.service)
                && (methodName == nil || methodName == other.methodName)
        }
        state.withLock { state in
            state.entries = state.entries.filter { !isMeant($0.key.endpoint) }
            state.marks = state.marks.filter { !isMeant($0.key) }
        }
    }
}

extension CircuitBreakerRegistry.State {
    /// Returns the end of a degradation; `nil` if there is none.
    fileprivate mutating func mark(
        of endpoint: EndpointPlace, at uptime: TimeInterval
    ) -> TimeInterval? {
        guard !marks.isEmpty else { return nil }
        marks = marks.filter { $0.value > uptime }
        let names = endpoint.methodName.map { [$0, nil] } ?? [nil]
        let environments = endpoint.environment.map { [$0, nil] } ?? [nil]
        return environments.flatMap { environment in
            names.compactMap {
                marks[.init(service: endpoint.service, environment: environment, methodName: $0)]
            }
        }.max()
    }

    fileprivate mutating func make(_ policy: CircuitBreakerPolicy, at uptime: TimeInterval)
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

extension ApiProxy {
    var breakers: CircuitBreakerRegistry { state { CircuitBreakerRegistry() } }
}
