import DiscreteNetworkingCore
import Foundation

/// The hosts of a service as one call tries them; see ``FailoverPolicy``.
struct HostRoute: AttemptState {
    static let lifetime = SlotLifetime.environment
    let policy: FailoverPolicy
    /// The base URL of the service, then the hosts of the policy.
    let hosts: [URL]
    /// The host of the current attempt.
    private(set) var choice: HostRegistry.Choice
    /// How often each host may still be tried, if it has failed.
    private var left: [URL: Int] = [:]

    init?(
        _ call: APICall, _ configured: ConfiguredService, _ policy: FailoverPolicy,
        choose: (FailoverPolicy, [URL]) -> HostRegistry.Choice
    ) {
        // A whole URL names its host.
        guard !policy.hosts.isEmpty, call.overrides.url == nil, !call.isSample else { return nil }
        self.policy = policy
        hosts = [configured.service.baseURL] + policy.hosts
        choice = choose(policy, hosts)
    }

    /// The current host, for who builds the request.
    var chosen: ChosenHost { ChosenHost(base: hosts[0], host: choice.host) }

    /// Whether the current host is the service's base URL.
    var isAtFirst: Bool { choice.host == hosts[0] }

    /// The current host, for observers.
    var current: ServiceHost {
        ServiceHost(
            baseURL: choice.host, number: (hosts.firstIndex(of: choice.host) ?? 0) + 1, count: hosts.count)
    }

    /// Goes on with another host after a failure.
    /// - Returns: `false` if all hosts have failed.
    mutating func failOver(after failure: HostFailure, choose: (FailoverPolicy, [URL]) -> HostRegistry.Choice)
        -> Bool
    {
        // A host that refused the connection has seen nothing of the call.
        left[choice.host] = failure == .refused ? left[choice.host, default: 2] - 1 : 0
        let untried = hosts.filter { left[$0] == nil }
        let candidates = untried.isEmpty ? hosts.filter { left[$0, default: 1] > 0 } : untried
        guard !candidates.isEmpty else { return false }
        choice = choose(policy, candidates)
        return true
    }
}

/// How a host failed.
enum HostFailure {
    /// There was no connection.
    case refused
    /// The name of the host was not found.
    case notFound
    /// The request may have been received.
    case interrupted

    /// - Returns: `nil` if the error says nothing about the host.
    init?(_ kind: APIError.Kind) {
        switch kind {
        case .timedOut: self = .interrupted
        // A host that redirected works.
        case .transport(let error) where !error.isAfterRedirect:
            switch error.kind {
            case .cannotConnect: self = .refused
            case .cannotFindHost: self = .notFound
            case .connectionLost, .secureConnectionFailed, .timedOut: self = .interrupted
            default: return nil
            }
        default: return nil
        }
    }
}

extension Attempt {
    /// The hosts that are tried; `nil` if the service has only one, or before one is chosen.
    var route: HostRoute? {
        get { self[HostRoute.self] }
        set {
            self[HostRoute.self] = newValue
            self[ChosenHost.self] = newValue?.chosen
        }
    }
}
