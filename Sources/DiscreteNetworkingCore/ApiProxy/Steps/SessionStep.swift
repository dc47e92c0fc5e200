/// Waits for the login or the refresh that a call requires, and sends it with the session's tokens.
struct SessionStep: CallStep {
    static let place = StepPlace.session
    let pending: PendingCall

    func run(_ attempt: inout Attempt, _ rest: CallSteps) async throws(Interruption) -> APIResponse {
        let known = attempt.session?.generation
        attempt.session = nil
        if try await waits(&attempt), attempt.hasLeftEnvironment { throw .outdated }
        // A request that was built with other tokens is too old.
        if attempt.session?.generation != known { attempt.dropRequest() }
        return try await rest(&attempt)
    }

    /// - Returns: Whether the call has waited.
    private func waits(_ attempt: inout Attempt) async throws(Interruption) -> Bool {
        let (proxy, call) = (pending.proxy, attempt.call)
        guard let session = attempt.plan.configured.session else {
            throw .refused(proxy.sessionMissing(for: call))
        }
        var waited = false
        // While it waits, the call has no slot: other calls may go on, and those that renew the tokens must.
        if pending.slot != nil, session.mustWait(call) { pending.releaseSlot() }
        if pending.slot == nil {
            let tell = pending.tellWait(call)
            let refusal = await session.admit(&attempt.call, over: proxy) { need, renewal in
                waited = true
                tell(need, renewal)
            }
            if waited { pending.noteWait(nil) }
            if let refusal { throw .refused(proxy.error(refusal, of: attempt.call)) }
        }
        guard call.overrides.usesSession else { return waited }
        do throws(SessionRefusal) {
            attempt.session = try await attempt.snapshot(of: session)
        } catch {
            throw .refused(proxy.error(error, of: attempt.call))
        }
        return waited
    }
}

extension Attempt {
    /// Returns the tokens of a session to send the call with.
    ///
    /// In another environment than the one in which the call was made, they have to be of the same user: ``SessionTokens/user``
    /// tells, or its absence in both.
    func snapshot(of session: TokenSession) async throws(SessionRefusal) -> SessionSnapshot {
        let snapshot = try await session.snapshot(for: call)
        guard let tokens = snapshot.tokens, let home = homeSession, home !== session else { return snapshot }
        await home.loadHere()
        let isTheirs = home.state.withLock { state in
            state.isUser(of: call) && (state.tokens.map { $0.user == tokens.user } ?? true)
        }
        guard isTheirs else { throw SessionRefusal(kind: .loginRequired) }
        return snapshot
    }
}

extension ApiProxy {
    /// Returns the error of a call that the session has refused.
    func error(_ refusal: SessionRefusal, of call: APICall, after failure: APIError? = nil) -> APIError {
        let cause: APIError? =
            switch refusal.cause {
            case nil: nil
            case let error as APIError: error
            // The error's text is omitted: it may contain a secret.
            case let error?:
                self.error(
                    .loginFailed(
                        reason: (error as? any SecretFreeError)?.reason ?? "it threw a \(type(of: error))."),
                    of: call, underlying: failure)
            }
        return error(refusal.kind, of: call, response: failure?.response, underlying: cause ?? failure)
    }

    /// Returns the error for a manager that requires a login although its service has no session.
    func sessionMissing(for call: APICall) -> APIError {
        let reason =
            "\(call.managerType) requires a login, but its service has no session; give its ServiceConfiguration one."
        return error(.invalidRequest(reason: reason), of: call)
    }
}

/// What a call has already waited for; it does not wait for the same requirement twice.
struct SessionWaits: AttemptState {
    static let lifetime = SlotLifetime.environment
    var requirements: Set<SessionRequirement> = []
    /// How often it has waited for a requirement again, because the session's tokens expired again.
    var further = 0
}

extension Attempt {
    var waits: SessionWaits {
        get { self[SessionWaits.self] ?? SessionWaits() }
        set { self[SessionWaits.self] = newValue }
    }
}
