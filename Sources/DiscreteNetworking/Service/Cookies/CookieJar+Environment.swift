/// The cookies of an ``EnvironmentService``: each environment has cookies of its own.
extension CookieJar {
    /// Keeps cookies for an environment, in a store under the key of the jar and the name of the environment.
    /// - Parameter name: Returns the name of the current environment.
    func declare(in environment: String, name: @escaping @Sendable () -> String) {
        let isFirst = parts.withLock { parts in
            parts?.declare(in: environment)
            guard parts == nil else { return false }
            parts = EnvironmentParts(first: environment, name: name)
            return true
        }
        if isFirst { persistence?.move(to: environment) }
    }

    /// The part of the current environment: in a call, that of its attempt. The jar itself without environments.
    var here: CookieJar {
        guard let name = parts.withLock({ $0?.name }) else { return self }
        return part(in: name())
    }

    /// The part of an environment.
    func part(in environment: String) -> CookieJar {
        parts.withLock { parts in
            parts?.part(in: environment) { CookieJar(part: environment, of: self) } ?? self
        }
    }
}
