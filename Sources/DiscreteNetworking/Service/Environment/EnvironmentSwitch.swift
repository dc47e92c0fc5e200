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
/// Two environments are the same if their descriptions for debugging are, so that an enum needs no conformance.
public final class EnvironmentSwitch<Environment: Sendable>: Sendable {
    private struct State: Sendable {
        var pin: Pin
        /// Every environment so far by its name, the first one included.
        var used: [String: Environment]
    }

    /// An environment, and when it became the current one.
    struct Pin: Sendable {
        let environment: Environment
        let name: String
        /// The number of the switch to it.
        let number: Int
    }

    private let state: Locked<State>

    /// Creates a switch.
    /// - Parameter environment: The environment until the first switch.
    public init(_ environment: Environment) {
        let pin = Pin(environment: environment, name: Self.name(of: environment), number: 0)
        state = Locked(State(pin: pin, used: [pin.name: environment]))
    }

    /// The current environment.
    ///
    /// In the members of a service, this is the environment of the attempt that they are asked for, from its first step
    /// to its last. A switch is in force for the next attempt.
    public var current: Environment {
        get { pinned ?? latest.environment }
        set {
            let name = Self.name(of: newValue)
            state.withLock { state in
                state.pin = Pin(environment: newValue, name: name, number: state.pin.number + 1)
                state.used[name] = newValue
            }
        }
    }

    /// The current environment outside attempts.
    var latest: Pin { state.withLock { $0.pin } }

    /// Every environment so far.
    var used: [Pin] {
        state.withLock { state in
            state.used.map { Pin(environment: $0.value, name: $0.key, number: state.pin.number) }
        }
    }

    private static func name(of environment: Environment) -> String {
        let name = String(reflecting: environment)
        guard type(of: environment) is AnyObject.Type else { return name }
        return "\(name) \(ObjectIdentifier(environment as AnyObject))"
    }
}

extension EnvironmentSwitch: CustomReflectable {
    /// Empty, so that `dump` of a service shows no environment with a secret in it.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
