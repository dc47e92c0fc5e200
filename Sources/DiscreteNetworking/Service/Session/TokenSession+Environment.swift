/// The session of an ``EnvironmentService``: each environment has tokens of its own.
extension TokenSession {
    /// Keeps tokens for an environment, in a store under the key of the session and the name of the environment.
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

    /// The part of the current environment: in a call, that of its attempt. The session itself without environments.
    var here: TokenSession {
        guard let name = parts.withLock({ $0?.name }) else { return self }
        return part(in: name())
    }

    /// The part of an environment.
    func part(in environment: String) -> TokenSession {
        parts.withLock { parts in
            parts?.part(in: environment) { TokenSession(part: environment, of: self) } ?? self
        }
    }

    /// Whether a session is this one or a part of it.
    func contains(_ session: TokenSession) -> Bool { session === self || session.whole.session === self }

    /// The session as the app knows it.
    var visible: TokenSession { whole.session ?? self }
}
