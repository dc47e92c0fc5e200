extension SessionState {
    /// Whether the user for whom a call was made is still logged in.
    func isUser(of call: APICall) -> Bool { call.epoch >= userSince }

    /// Checks that it is known who is logged in.
    func checkStore() throws(SessionRefusal) {
        guard let storeFailure else { return }
        throw SessionRefusal(kind: .sessionUnavailable(reason: storeFailure.description))
    }

    /// The user of new tokens, relative to the calls made before.
    enum Successor {
        /// The same user: the calls continue.
        case same
        /// Possibly another user, after a login was requested: calls that wait for the login continue, the
        /// others end.
        case unknown
        /// Another user: the calls end.
        case another
    }

    /// - Parameter isAnswer: Whether the session's own refresh or login produced the tokens.
    func successor(with new: SessionTokens?, isAnswer: Bool) -> Successor {
        guard let new else { return .another }
        if let before = tokens?.user, let after = new.user { return before == after ? .same : .another }
        // Until the store has been read, the previous user is unknown.
        if isAnswer || isRead && tokens == nil { return .same }
        return renewal?.need == .login ? .unknown : .another
    }
}

extension TokenSession {
    /// Uses the user, as far as known, who cannot change meanwhile. The closure runs under the lock of the session.
    /// - Parameters:
    ///   - snapshot: The tokens of a request; `nil` for a request without them.
    ///   - use: Its parameters: the user, `nil` for nobody, and whether the request is theirs. It is nobody's if the store is
    ///     locked.
    package func withUser<Value>(
        of snapshot: SessionSnapshot?, _ use: (_ subject: String?, _ isTheirs: Bool) -> Value
    ) async -> Value {
        await loadHere()
        return state.withLock { user in
            let isKnown = user.isRead || user.tokens != nil
            return use(user.subject, isKnown && snapshot.map { $0.subject == user.subject } ?? true)
        }
    }

    /// The number of logins and logouts, and the user; `nil` for nobody.
    package var loginAndSubject: (logins: Int, subject: String?) {
        state.withLock { ($0.logins, $0.subject) }
    }

    /// Returns the tokens to send a call with.
    /// - Throws: Why there are none: the user for whom the call was made has left, or is not known.
    func snapshot(for call: APICall) async throws(SessionRefusal) -> SessionSnapshot {
        await loadHere()
        return try state.withLock { state throws(SessionRefusal) in
            try state.checkStore()
            guard state.isUser(of: call) else { throw SessionRefusal(kind: .loginRequired) }
            return snapshot(in: state)
        }
    }

    /// Whether a renewal of this session is in progress.
    func isInProgress(_ mark: RenewalMark) -> Bool {
        mark.owner === renewals && state.withLock { $0.renewal?.number == mark.number }
    }

    /// Whether the user for whom a call was made is still logged in.
    func isUser(of call: APICall) -> Bool { state.withLock { $0.isUser(of: call) } }

    /// Whether all epochs belong to the current user.
    func isUser(at epochs: [UserEpoch]) -> Bool {
        state.withLock { state in epochs.allSatisfy { $0 >= state.userSince } }
    }

    /// Registers a handler, called on the main actor, for the departure of the user of an epoch.
    /// - Returns: whether that user is still logged in; otherwise nothing is registered.
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

    /// Notifies the watchers of users who have left. Managers come first: then a manager keeps the error of a call that
    /// ends now.
    @discardableResult
    func notifyWatchers() -> Task<Void, Never> {
        for holder in Self.userDataHolders.all { holder.userMayHaveChanged() }
        let left = state.withLock { state in
            let left = state.watchers.filter { $0.value.epoch < state.userSince }
            for watcher in left.keys { state.watchers[watcher] = nil }
            return left
        }
        let departures = (left.filter(\.key.isManager) + left.filter { !$0.key.isManager }).map(
            \.value.onDeparture)
        return CallContext.leaving { Task { @MainActor in for departure in departures { departure() } } }
    }
}

/// Called when the user of a session leaves.
enum SessionWatcher: Hashable, Sendable {
    /// A call that waits for something else than tokens, and ends then.
    case call(RequestID)
    /// A manager, by its state, which forgets what it has loaded.
    case manager(ObjectIdentifier)

    fileprivate var isManager: Bool { if case .manager = self { true } else { false } }
}
