/// An environment that an attempt keeps from its first step to its last.
struct ScopedEnvironment<Environment: Sendable>: AnyScopedEnvironment {
    let place: EnvironmentSwitch<Environment>
    let choice: EnvironmentSwitch<Environment>.Choice

    var name: String { choice.name }

    func isOfSameSwitch(as other: any AnyScopedEnvironment) -> Bool { (other as? Self)?.place === place }

    func isSame(as other: any AnyScopedEnvironment) -> Bool {
        guard let other = other as? Self else { return false }
        return other.place === place && (other.choice.number == choice.number || other.name == name)
    }
}

extension EnvironmentSwitch {
    /// The environment of the current attempt; `nil` outside attempts.
    var scoped: Environment? { scopedChoice?.environment }

    fileprivate var name: String { scopedChoice?.name ?? latest.name }

    private var scopedChoice: Choice? {
        guard let current = CallContext.current.environments else { return nil }
        for case let own as ScopedEnvironment<Environment> in current.environments where own.place === self {
            return own.choice
        }
        return nil
    }
}

extension EnvironmentScope {
    /// Returns the environments of an attempt: the environments of the work that the call is part of, and the current
    /// environment of its service.
    /// - Returns: `nil` if there is none.
    static func of(_ call: APICall, _ service: any Service) -> EnvironmentScope? {
        var environments = call.environments
        if let own = (service as? any EnvironmentService)?.scoped,
            !environments.contains(where: own.isOfSameSwitch)
        {
            environments.append(own)
        }
        return of(environments)
    }
}

extension EnvironmentService {
    fileprivate var scoped: any AnyScopedEnvironment {
        ScopedEnvironment(place: environment, choice: environment.latest)
    }
}

extension EnvironmentService {
    fileprivate var currentName: String { environment.name }

    fileprivate func name(at epoch: UserEpoch) -> String { environment.name(at: epoch) }
}

extension Service {
    /// Returns the name of the environment in which a call was made; `nil` for a call of work in an environment, and for a
    /// service without environments.
    func environmentName(at call: APICall) -> String? {
        guard let own = self as? any EnvironmentService,
            !call.environments.contains(where: own.scoped.isOfSameSwitch)
        else { return nil }
        return own.name(at: call.epoch)
    }

    /// The name of the current environment; `nil` for a service without environments.
    package var environmentName: String? { (self as? any EnvironmentService)?.currentName }

    /// Evaluates members of the service in one environment: the attempt's environment, otherwise the current one.
    func inOneEnvironment<Result>(_ work: () -> Result) -> Result {
        guard let own = (self as? any EnvironmentService)?.scoped else { return work() }
        let active = EnvironmentScope.active
        guard !active.contains(where: own.isOfSameSwitch) else { return work() }
        return CallContext.$current.withValue(
            .with { $0.environments = .of(active + [own]) }, operation: work)
    }
}
