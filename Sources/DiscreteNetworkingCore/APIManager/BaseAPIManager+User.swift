// For whom calls are, and what was loaded.
extension BaseAPIManager {
    /// The session that a call uses; `nil` if it uses none.
    private func session(of call: APICall, _ proxy: ApiProxy) -> TokenSession? {
        guard call.overrides.usesSession, let instance = try? proxy.services.lookUp(call.serviceIdentifier)
        else { return nil }
        return CallContext.$current.withValue(.with { $0.environments = call.scope?.renewed() }) {
            instance.configured.session
        }
    }

    /// Whether the user for whom a call was made is still here.
    func mayRepeat(_ call: APICall) -> Bool { session(of: call, proxy)?.isUser(of: call) ?? true }

    /// Whether a call that is made at an epoch may use the response to a running call: both calls belong to the current
    /// user, and go to the current environment over the current proxy.
    func isShareable(_ running: PendingCall, at epoch: UserEpoch = .now) -> Bool {
        guard running.proxy === proxy else { return false }
        let latest = running.latest
        if let scope = latest.scope, let service = proxy.services.service(for: latest.serviceIdentifier),
            EnvironmentScope.of(latest, service)?.isSame(as: scope) != true
        {
            return false
        }
        return session(of: latest, proxy)?.isUser(at: [latest.epoch, epoch]) ?? true
    }

    /// Has ``forgetUserData()`` called when the user leaves for whom a call got a response. If that user has left
    /// meanwhile, the output was delivered and is forgotten now; an error stays, so that it can be shown.
    func forgetWithUser(_ pending: PendingCall, hasSucceeded: Bool) {
        let call = pending.latest
        // A call without an attempt was answered from the cache, or was not sent.
        let session =
            pending.plan.map { call.overrides.usesSession ? $0.configured.session : nil }
            ?? session(of: call, pending.proxy)
        guard let session else { return state.disown() }
        if !forgetWithUser(call, session), hasSucceeded { forgetUserData() }
    }

    /// The same for what a call has brought.
    /// - Returns: Whether its user is there.
    package func forgetWithUser(_ call: APICall, _ proxy: ApiProxy) -> Bool {
        guard let session = session(of: call, proxy) else {
            state.disown()
            return true
        }
        return forgetWithUser(call, session)
    }

    private func forgetWithUser(_ call: APICall, _ session: TokenSession) -> Bool {
        state.watch(session, call.epoch) { [weak self] in self?.forgetUserData() }
    }
}

extension ManagerState {
    /// Replaces the handler for the departure of the user of an epoch.
    /// - Returns: whether that user is still logged in; otherwise nothing changes.
    fileprivate func watch(
        _ session: TokenSession, _ epoch: UserEpoch, onDeparture: @escaping @MainActor @Sendable () -> Void
    ) -> Bool {
        let isThere = session.watch(epoch, as: .manager(id)) {
            // What was loaded for the next user meanwhile is not forgotten.
            if owner?.epoch == epoch { onDeparture() }
        }
        guard isThere else { return false }
        if owner?.session != session { unwatch() }
        owner = (session, epoch)
        return true
    }

    /// For a manager that goes away, too.
    func unwatch() { owner?.session.unwatch(.manager(id)) }

    /// For a value that is no user's.
    fileprivate func disown() {
        guard owner != nil else { return }
        unwatch()
        owner = nil
    }
}
