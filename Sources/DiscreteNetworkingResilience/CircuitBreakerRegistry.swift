import DiscreteNetworkingCore
import Foundation

/// The circuit breakers of all endpoints.
final class CircuitBreakerRegistry: ProxyState {
    enum Verdict: Sendable {
        /// The call is sent; report its result with ``record(_:failed:at:)``.
        case go(Admission)
        /// Nothing is sent for a time in seconds.
        case open(for: TimeInterval)
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
    }

    private let state = Locked(State())

    var count: Int { state.withLock { $0.entries.count } }

    /// Asks for admission before a call.
    /// - Parameters:
    ///   - endpoint: The endpoint, in its environment.
    ///   - uptime: The current ``APIClock/uptime``.
    func admit(_ endpoint: EndpointPlace, policy: CircuitBreakerPolicy, at uptime: TimeInterval) -> Verdict {
        state.withLock { state in
            let key = Key(endpoint: endpoint, policy: policy)
            var entry = state.entries[key] ?? state.make(policy, at: uptime)
            defer { state.entries[key] = entry }
            switch entry.breaker.admit(at: uptime) {
            case .go(let admission):
                return .go(Admission(key: key, number: entry.number, admission: admission))
            case .open(let until): return .open(for: until - uptime)
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
}

extension CircuitBreakerRegistry.State {
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
