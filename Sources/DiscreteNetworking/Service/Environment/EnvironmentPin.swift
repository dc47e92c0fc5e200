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
    var pinned: Environment? {
        guard let current = EnvironmentPins.current else { return nil }
        for case let pin as EnvironmentPin<Environment> in current.pins where pin.place === self {
            return pin.pin.environment
        }
        return nil
    }
}

extension EnvironmentPins {
    /// The environments of an attempt: those of the work that the call is part of, and the current one of its service.
    /// - Returns: `nil` if there is none.
    convenience init?(for call: APICall, _ service: any Service) {
        var pins = call.environments
        if let own = (service as? any EnvironmentService)?.pin, !pins.contains(where: own.isOfSameSwitch) {
            pins.append(own)
        }
        self.init(pins)
    }
}

extension EnvironmentService {
    fileprivate var pin: any AnyEnvironmentPin {
        EnvironmentPin(place: environment, pin: environment.latest)
    }

    /// One for each environment that the service has been switched to.
    fileprivate var allPins: [EnvironmentPins?] {
        environment.used.map { EnvironmentPins([EnvironmentPin(place: environment, pin: $0)]) }
    }
}

extension Service {
    /// Evaluates members of the service in each environment that it has been switched to.
    func inEachEnvironment(_ work: () -> Void) {
        guard let service = self as? any EnvironmentService else { return work() }
        for pins in service.allPins { EnvironmentPins.$current.withValue(pins, operation: work) }
    }
}
