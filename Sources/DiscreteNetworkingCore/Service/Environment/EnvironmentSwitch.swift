import Foundation

/// The current environment of a service, switched at run time.
///
/// ```swift
/// // In StorefrontService, an EnvironmentService.
/// let environment = EnvironmentSwitch(ServiceEnvironment.release)
/// // Anywhere in the app.
/// service.environment.current = .develop
/// ```
///
/// Services that are switched together share one switch.
///
/// Two environments are the same if `String(describing:)` is, so that an enum needs no conformance.
public final class EnvironmentSwitch<Environment: Sendable>: Sendable {
    /// An environment, and when it became the current one.
    struct Choice: Sendable {
        let environment: Environment
        let name: String
        /// The number of the switch to it.
        let number: Int
        /// Whether it is the stored choice of a user.
        var isRemembered = false
    }

    private struct History: Sendable {
        var now: Choice
        /// The environments before, each with the first epoch after it.
        var past: [(name: String, until: UserEpoch)] = []
    }

    private let history: Locked<History>
    private let initial: Environment
    /// The storage of the services that the switch belongs to; `nil` if they store what they say.
    private let storage = Locked(MemoryStorage.current)

    /// Creates a switch.
    /// - Parameter environment: The environment until the first switch.
    public init(_ environment: Environment) {
        initial = environment
        history = Locked(
            History(now: Choice(environment: environment, name: Self.name(of: environment), number: 0)))
    }

    /// The current environment.
    ///
    /// In the members of a service, this is the environment of the attempt that they are asked for, from its first step
    /// to its last. A switch is in force for the next attempt.
    public var current: Environment {
        get { scoped ?? latest.environment }
        set { change(to: newValue) }
    }

    private func change(to environment: Environment, isRemembered: Bool = false) {
        let name = Self.name(of: environment)
        history.withLock { history in
            history.past.append((history.now.name, .next()))
            // A call that is older than that many switches counts as made in the oldest one known.
            if history.past.count > 100 { history.past.removeFirst() }
            history.now = Choice(
                environment: environment, name: name, number: history.now.number + 1,
                isRemembered: isRemembered)
        }
        for holder in TokenSession.userDataHolders.all { holder.userMayHaveChanged() }
    }

    /// The current environment outside attempts.
    var latest: Choice { history.withLock { $0.now } }

    /// Returns the name of the environment that was the current one in an epoch.
    func name(at epoch: UserEpoch) -> String {
        history.withLock { history in
            history.past.first { epoch < $0.until }?.name ?? history.now.name
        }
    }

    private static func name(of environment: Environment) -> String {
        let name = String(describing: environment)
        guard type(of: environment) is AnyObject.Type else { return name }
        return "\(name) \(ObjectIdentifier(environment as AnyObject))"
    }
}

// MARK: The stored choice

extension EnvironmentSwitch: KeptInMemory {
    package func keepInMemory(_ storage: MemoryStorage) {
        self.storage.withLock { if $0 == nil { $0 = storage } }
        if latest.isRemembered { change(to: initial) }
    }

    /// Stores a choice, in memory if the service stores nothing.
    func remember(_ text: String, forKey key: String, in defaults: UserDefaults) {
        if let storage = storage.current ?? MemoryStorage.current {
            storage[choice: key] = text
        } else {
            defaults.set(text, forKey: key)
        }
    }

    /// Returns the stored choice; `nil` if there is none.
    func remembered(forKey key: String, in defaults: UserDefaults) -> String? {
        guard let storage = storage.current ?? MemoryStorage.current else {
            return defaults.string(forKey: key)
        }
        return storage[choice: key]
    }

    /// Switches to the stored choice.
    func restore(_ environment: Environment) { change(to: environment, isRemembered: true) }
}

extension EnvironmentSwitch: CustomReflectable {
    /// Empty, so that `dump` of a service shows no environment with a secret in it.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
