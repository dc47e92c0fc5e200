/// The session of an ``EnvironmentService``: each environment has tokens of its own.
extension TokenSession: DividedByEnvironment {
    package func makePart(in environment: String) -> TokenSession {
        TokenSession(part: environment, of: self)
    }
    package func moveStore(to environment: String) {
        guard let persistence else { return }
        let isInUse = persistence.alone {
            let isInUse = state.withLock { $0.moveStore() }
            persistence.move(to: environment, isInUse: isInUse)
            return isInUse
        }
        if isInUse { persistence.queue.enqueue { try? self.writeStore() } }
    }

    /// Whether a session is this one or a part of it.
    func contains(_ session: TokenSession) -> Bool { session === self || session.whole.session === self }

    /// The session as the app knows it.
    var visible: TokenSession { whole.session ?? self }
}
