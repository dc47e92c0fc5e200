import DiscreteNetworkingCore
import Foundation

/// Which hosts of services with a ``FailoverPolicy`` have failed. Times are seconds of ``APIClock/uptime``.
final class HostRegistry: ProxyState {
    /// A host that an attempt is sent to.
    struct Choice: Sendable {
        let host: URL
        /// The period between two changes of the host's state. A failure of an earlier period is ignored: calls that
        /// were sent together fail one after the other, perhaps when the host works again.
        fileprivate let period: Int
    }

    private struct Key: Hashable {
        let service: ServiceIdentifier
        let host: URL
    }

    private struct HostRecord {
        /// `nil` if the host works, as far as is known.
        var avoidedUntil: TimeInterval?
        var period = 0
    }

    private let hosts = Locked<[Key: HostRecord]>([:])

    /// The hosts that failed.
    var avoided: [URL] { hosts.withLock { $0.filter { $0.value.avoidedUntil != nil }.map(\.key.host) } }

    /// Chooses the first host that works, otherwise the first one.
    /// - Parameters:
    ///   - hosts: The hosts, in order; not empty.
    ///   - check: Called for each host that needs a health check before it is chosen again.
    func choose(
        among hosts: [URL], of service: ServiceIdentifier, _ policy: FailoverPolicy, at uptime: TimeInterval,
        check: (URL) -> Void
    ) -> Choice {
        var toCheck: [URL] = []
        let choice = self.hosts.withLock { states in
            for host in hosts {
                var state = states[Key(service: service, host: host)] ?? HostRecord()
                if let end = state.avoidedUntil {
                    guard uptime >= end else { continue }
                    // Other calls avoid it until the outcome of the trial is known.
                    state.avoidedUntil = uptime + policy.avoidance
                    states[Key(service: service, host: host)] = state
                    guard policy.healthCheck == nil else {
                        toCheck.append(host)
                        continue
                    }
                }
                return Choice(host: host, period: state.period)
            }
            let state = states[Key(service: service, host: hosts[0])] ?? HostRecord()
            return Choice(host: hosts[0], period: state.period)
        }
        for host in toCheck { check(host) }
        return choice
    }

    /// Records that a host failed.
    func fail(
        _ choice: Choice, of service: ServiceIdentifier, _ policy: FailoverPolicy, at uptime: TimeInterval
    ) {
        hosts.withLock { states in
            let key = Key(service: service, host: choice.host)
            var state = states[key] ?? HostRecord()
            guard state.period == choice.period else { return }
            state.avoidedUntil = uptime + policy.avoidance
            state.period += 1
            states[key] = state
        }
    }

    /// Records that a host responded.
    func succeed(_ host: URL, of service: ServiceIdentifier) {
        hosts.withLock { states in
            let key = Key(service: service, host: host)
            guard var state = states[key], state.avoidedUntil != nil else { return }
            state.avoidedUntil = nil
            state.period += 1
            states[key] = state
        }
    }
}

extension FailoverPolicy {
    /// NaN counts as 0; otherwise a host would be avoided forever.
    fileprivate var avoidance: TimeInterval { pause > 0 ? pause : 0 }
}

extension ApiProxy {
    var hosts: HostRegistry { state { HostRegistry() } }
}
