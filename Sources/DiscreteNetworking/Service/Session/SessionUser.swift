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

    /// Whether the user who is there was so at all these moments.
    func isUser(at epochs: [UserEpoch]) -> Bool {
        state.withLock { state in epochs.allSatisfy { $0 >= state.userSince } }
    }

    /// Has somebody told, on the main actor, when the user leaves who was there at a moment.
    /// - Returns: whether that one is still there; otherwise nobody is told.
    func watch(
        _ epoch: UserEpoch, as watcher: SessionWatcher, onDeparture: @escaping @MainActor @Sendable () -> Void
    ) -> Bool {
        state.withLock { state in
            guard epoch >= state.userSince else { return false }
            state.watchers[watcher] = (epoch, onDeparture)
            return true
        }
    }

    func unwatch(_ watcher: SessionWatcher) {
        state.withLock { _ = $0.watchers.removeValue(forKey: watcher) }
    }

    /// Tells those whose user has left: managers first, so that the error of a call that ends by this stays.
    @discardableResult
    func notifyWatchers() -> Task<Void, Never> {
        let left = state.withLock { state in
            let left = state.watchers.filter { $0.value.epoch < state.userSince }
            for watcher in left.keys { state.watchers[watcher] = nil }
            return left
        }
        let departures = (left.filter(\.key.isManager) + left.filter { !$0.key.isManager }).map(
            \.value.onDeparture)
        return Task { @MainActor in for departure in departures { departure() } }
    }
}

/// Who is told when the user of a session leaves.
enum SessionWatcher: Hashable, Sendable {
    /// A call that waits for something else than tokens, and ends then.
    case call(RequestID)
    /// A manager, by its state, which forgets what it has loaded.
    case manager(ObjectIdentifier)

    fileprivate var isManager: Bool { if case .manager = self { true } else { false } }
}
