/// An environment, pinned for an attempt.
struct EnvironmentPin<Environment: Sendable>: AnyEnvironmentPin {
    let place: EnvironmentSwitch<Environment>
    let pin: EnvironmentSwitch<Environment>.Pin

    var name: String { pin.name }

    func isOfSameSwitch(as other: any AnyEnvironmentPin) -> Bool { (other as? Self)?.place === place }

    func isSame(as other: any AnyEnvironmentPin) -> Bool {
        guard let other = other as? Self else { return false }
        return other.place === place && (other.pin.number == pin.number || other.name == name)
    }
}

extension EnvironmentSwitch {
    /// The environment of the current attempt; `nil` outside attempts.
    var pinned: Environment? { pinnedPin?.environment }

    fileprivate var name: String { pinnedPin?.name ?? latest.name }

    private var pinnedPin: Pin? {
        guard let current = EnvironmentPins.current else { return nil }
        for case let pin as EnvironmentPin<Environment> in current.pins where pin.place === self {
            return pin.pin
        }
        return nil
    }
}

extension EnvironmentPins {
    /// Returns the environments of an attempt: the environments of the work that the call is part of, and the current
    /// environment of its service.
    /// - Returns: `nil` if there is none.
    static func of(_ call: APICall, _ service: any Service) -> EnvironmentPins? {
        var pins = call.environments
        if let own = (service as? any EnvironmentService)?.pin, !pins.contains(where: own.isOfSameSwitch) {
            pins.append(own)
        }
        return of(pins)
    }
}

extension EnvironmentService {
    fileprivate var pin: any AnyEnvironmentPin {
        EnvironmentPin(place: environment, pin: environment.latest)
    }
}

extension EnvironmentService {
    fileprivate var currentName: String { environment.name }
}

extension Service {
    /// The name of the current environment; `nil` for a service without environments.
    var environmentName: String? { (self as? any EnvironmentService)?.currentName }

    /// Evaluates members of the service in one environment: the attempt's environment, otherwise the current one.
    func inOneEnvironment<Result>(_ work: () -> Result) -> Result {
        guard let own = (self as? any EnvironmentService)?.pin else { return work() }
        let pins = EnvironmentPins.active
        guard !pins.contains(where: own.isOfSameSwitch) else { return work() }
        return EnvironmentPins.$current.withValue(EnvironmentPins.of(pins + [own]), operation: work)
    }
}
