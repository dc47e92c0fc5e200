/// The current environment of a service, switched at run time.
///
/// ```swift
/// final class StorefrontService: EnvironmentService {
///     let environment = EnvironmentSwitch(ServiceEnvironment.release)
///     …
/// }
/// service.environment.current = .develop
/// ```
///
/// Services that are switched together share one switch.
///
/// Two environments are the same if `String(describing:)` is, so that an enum needs no conformance.
public final class EnvironmentSwitch<Environment: Sendable>: Sendable {
    /// An environment, and when it became the current one.
    struct Pin: Sendable {
        let environment: Environment
        let name: String
        /// The number of the switch to it.
        let number: Int
    }

    private let pin: Locked<Pin>

    /// Creates a switch.
    /// - Parameter environment: The environment until the first switch.
    public init(_ environment: Environment) {
        pin = Locked(Pin(environment: environment, name: Self.name(of: environment), number: 0))
    }

    /// The current environment.
    ///
    /// In the members of a service, this is the environment of the attempt that they are asked for, from its first step
    /// to its last. A switch is in force for the next attempt.
    public var current: Environment {
        get { pinned ?? latest.environment }
        set {
            let name = Self.name(of: newValue)
            pin.withLock { $0 = Pin(environment: newValue, name: name, number: $0.number + 1) }
        }
    }

    /// The current environment outside attempts.
    var latest: Pin { pin.current }

    private static func name(of environment: Environment) -> String {
        let name = String(describing: environment)
        guard type(of: environment) is AnyObject.Type else { return name }
        return "\(name) \(ObjectIdentifier(environment as AnyObject))"
    }
}

extension EnvironmentSwitch: CustomReflectable {
    /// Empty, so that `dump` of a service shows no environment with a secret in it.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
