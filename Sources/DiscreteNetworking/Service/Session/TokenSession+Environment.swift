/// The session of an ``EnvironmentService``: each environment has tokens of its own.
extension TokenSession: DividedByEnvironment {
    func makePart(in environment: String) -> TokenSession { TokenSession(part: environment, of: self) }
    func moveStore(to environment: String) { persistence?.move(to: environment) }

    /// Whether a session is this one or a part of it.
    func contains(_ session: TokenSession) -> Bool { session === self || session.whole.session === self }

    /// The session as the app knows it.
    var visible: TokenSession { whole.session ?? self }
}
