extension SessionState {
    /// Whether the user for whom a call was made is still the one.
    func isUser(of call: APICall) -> Bool { call.epoch >= userSince }

    /// Who comes with new tokens, as far as the calls made before are concerned.
    enum Successor {
        /// The one for whom they were made: they go on.
        case same
        /// Perhaps another, who was asked to log in: those that wait for this go on, the others end.
        case unknown
        /// They end.
        case another
    }

    /// - Parameter isAnswer: whether a refresh or a login of the session's own has brought the tokens.
    func successor(with new: SessionTokens?, isAnswer: Bool) -> Successor {
        guard let new else { return .another }
        if let before = tokens?.user, let after = new.user { return before == after ? .same : .another }
        // As long as the store was not read, nobody knows who was there.
        if isAnswer || isRead && tokens == nil { return .same }
        return renewal?.need == .login ? .unknown : .another
    }
}

extension TokenSession {
    /// What a call goes out with now.
    /// - Returns: `nil` where the user for whom it was made has left.
    func snapshot(for call: APICall) async -> SessionSnapshot? {
        await load()
        return state.withLock { state in state.isUser(of: call) ? snapshot(in: state) : nil }
    }

    /// Whether a renewal is on its way, of this session.
    func isInProgress(_ mark: RenewalMark) -> Bool {
        mark.session === self && state.withLock { $0.renewal?.number == mark.number }
    }

    /// Whether the user for whom a call was made is still the one.
    func isUser(of call: APICall) -> Bool { state.withLock { $0.isUser(of: call) } }

    /// Has a call that waits for something else told when its user leaves.
    /// - Returns: whether the user is still there; otherwise nobody is told.
    func watch(_ call: APICall, onDeparture: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            guard state.isUser(of: call) else { return false }
            state.watchers[call.requestID] = (call, onDeparture)
            return true
        }
    }

    func unwatch(_ call: APICall) { state.withLock { _ = $0.watchers.removeValue(forKey: call.requestID) } }

    /// Tells the calls whose user has left.
    func notifyWatchers() {
        let departures = state.withLock { state in
            let left = state.watchers.filter { !state.isUser(of: $0.value.call) }
            for id in left.keys { state.watchers[id] = nil }
            return left.values.map(\.onDeparture)
        }
        for departure in departures { departure() }
    }
}
