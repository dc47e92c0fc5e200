import Foundation

extension TokenSession {
    /// Called before a call waits, with what is being renewed.
    typealias OnWait = (SessionRequirement, RenewalMark) -> Void

    // MARK: Before a call goes out

    /// Prepares a call: waits for a login if the call requires one, and for fresh tokens.
    /// - Returns: Why the call ends; `nil` if it may be sent.
    /// - Parameter onWait: Called before it waits for a renewal.
    func admit(
        _ call: inout APICall, over dispatcher: any CallDispatcher,
        onWait: OnWait = { _, _ in }
    ) async -> SessionRefusal? {
        await loadHere()
        await writeBeforeCall()
        let generation = snapshot.generation
        if call.overrides.requiresLogin, !(await isLoggedInForCalls),
            let refusal = await wait(
                &call, for: .login, since: generation, over: dispatcher, onWait: onWait)
        {
            return refusal
        }
        guard call.overrides.usesSession, renewTokens != nil else { return nil }
        let now = now()
        let (freshness, current) = state.withLock { ($0.freshness(at: now), $0.generation) }
        switch freshness {
        case .good: return nil
        case .stale:
            return await wait(&call, for: .refresh, since: current, over: dispatcher, onWait: onWait)
        case .aging:
            refreshAhead(over: dispatcher)
            return nil
        }
    }

    /// Whether a call that was admitted has to wait again, because a refresh has become necessary since.
    func mustWait(_ call: APICall) -> Bool {
        guard call.overrides.usesSession, renewTokens != nil else { return false }
        let now = now()
        return state.withLock { $0.freshness(at: now) == .stale }
    }

    private func wait(
        _ call: inout APICall, for need: SessionRequirement, since generation: Int,
        over dispatcher: any CallDispatcher, onWait: OnWait
    ) async -> SessionRefusal? {
        switch await hold(call, for: need, since: generation, over: dispatcher, onWait: onWait) {
        case .ready(let newUser): call = call.continued(for: newUser)
        case .refused(let refusal): return refusal
        case .deadlock: break
        }
        return nil
    }

    private var isLoggedInForCalls: Bool {
        get async {
            guard let login else { return state.withLock { $0.tokens != nil } }
            return await login.isLoggedIn(to: visible)
        }
    }

    // MARK: Waiting

    /// Waits until the tokens are renewed, starting a renewal if none is in progress.
    /// - Parameters:
    ///   - generation: The generation of the tokens that the call used.
    ///   - onWait: Called before it waits.
    func hold(
        _ call: APICall, for need: SessionRequirement, since generation: Int,
        over dispatcher: any CallDispatcher, onWait: OnWait = { _, _ in }
    ) async -> SessionAnswer {
        await loadHere()
        let waiter = Renewal.Waiter()
        let now = now()
        var awaited: RenewalMark?
        var renewing = need
        let answer = state.withLock { state -> SessionAnswer? in
            do throws(SessionRefusal) { try state.checkStore() } catch { return .refused(error) }
            switch state.answer(to: call, since: generation) {
            case .settled(let refusal): return refusal.map(SessionAnswer.refused) ?? .ready(nil)
            case .wait: break
            case .begin:
                // Without a token or a refresh closure, only a login helps.
                let canRefresh = renewTokens != nil && state.tokens != nil && !state.isRefreshRejected
                let need = canRefresh ? need : .login
                guard need == .login || state.admitRefresh(at: now, policy) else { return .refused(tooMany) }
                begin(need, in: &state, over: dispatcher)
            }
            guard let mark = state.renewal.map({ RenewalMark(owner: renewals, number: $0.number) }),
                RenewalGraph.add(call.renewal, waitsFor: mark)
            else { return .deadlock }
            awaited = mark
            renewing = state.renewal?.need ?? need
            state.renewal?.isAhead = false
            state.renewal?.waiters[waiter.id] = waiter
            return nil
        }
        if let answer { return answer }
        if let awaited { onWait(renewing, awaited) }
        defer { if let awaited { RenewalGraph.remove(call.renewal, waitsFor: awaited) } }
        return await withTaskCancellationHandler {
            await waiter.value
        } onCancel: {
            state.withLock { _ = $0.renewal?.waiters.removeValue(forKey: waiter.id) }
            waiter.fulfil(.refused(SessionRefusal(kind: .cancelled)))
        }
    }

    private var tooMany: SessionRefusal {
        SessionRefusal(kind: .refreshFailed(.tooMany(limit: policy.limit, window: policy.window)))
    }

    // MARK: Renewing

    /// Starts a refresh of tokens that are still valid; no call waits for it.
    private func refreshAhead(over dispatcher: any CallDispatcher) {
        let now = now()
        state.withLock { state in
            guard state.freshness(at: now) == .aging, state.admitRefresh(at: now, policy) else { return }
            begin(.refresh, isAhead: true, in: &state, over: dispatcher)
        }
    }

    /// Starts a renewal in a task that continues if the call that needed it ends.
    private func begin(
        _ need: SessionRequirement, isAhead: Bool = false, in state: inout SessionState,
        over dispatcher: any CallDispatcher
    ) {
        var renewal = state.begin(need, isAhead: isAhead)
        let (number, tokens) = (renewal.number, state.tokens)
        // The calls of the renewal go to the environment of the call that needs it.
        renewal.task = RenewalMark(owner: renewals, number: number).start { [self] in
            if !isAhead { announce(need == .refresh ? .expired : .loginRequired) }
            await renew(number, need, tokens, over: dispatcher)
        }
        if need == .refresh, policy.timeout.isFinite {
            renewal.deadline = Deadlines.shared.schedule(after: policy.timeout) { [weak self] in
                self?.fail(number, with: .refreshFailed(.timedOut))
            }
        }
        state.renewal = renewal
    }

    private func renew(
        _ number: Int, _ need: SessionRequirement, _ tokens: SessionTokens?,
        over dispatcher: any CallDispatcher
    ) async {
        // Tokens may have arrived by another way in the meantime.
        guard state.withLock({ $0.renewal?.number == number }) else { return }
        guard need == .refresh, let renewTokens, let tokens else { return await logIn(number) }
        do {
            // One process at a time: a used refresh token is often no longer valid.
            let lock = try await lockStore()
            defer { lock?.release() }
            var old = tokens
            switch await storeChange() {
            case .nothing: break
            case .loggedOut: throw SessionProblem.invalid
            case .renewed(let stored):
                guard let expiry = stored.tokens.expiry, expiry <= now() else {
                    return await finish(number) { $0.replace(stored, at: $1, $2) }
                }
                old = stored.tokens
                // They may be another user's.
                state.withLock { if $0.renewal?.number == number { $0.take(stored, policy) } }
            }
            let new = try await renewTokens(old, dispatcher).replacing(old)
            // While the server was asked, another process may have logged the user out, or another one in.
            switch await storeChange() {
            case .nothing: break
            case .loggedOut: throw SessionProblem.invalid
            case .renewed(let stored): return await finish(number) { $0.replace(stored, at: $1, $2) }
            }
            await finish(number) { $0.replace(new, isAnswer: true, at: $1, $2) }
        } catch is SessionProblem {
            await convertToLogin(number)
        } catch let error as RejectedRefreshToken {
            await convertToLogin(number, after: error.cause)
        } catch {
            fail(number, with: .refreshFailed(RefreshFailure(error)))
        }
    }

    /// Turns a refresh into a login. Waiting calls keep waiting.
    /// - Parameter cause: Why the refresh failed, for an app without a login.
    private func convertToLogin(_ number: Int, after cause: APIError? = nil) async {
        let (isInProgress, deadline) = state.withLock { state -> (Bool, Deadlines.Token?) in
            guard state.renewal?.number == number else { return (false, nil) }
            // A refresh ahead of expiry does not ask for a login: the token is still valid. It ends in this turn, because
            // a call that joined it would wait for a login.
            guard state.renewal?.isAhead == false else {
                let ended = state.fail(SessionRefusal(kind: .loginRequired, cause: cause))
                return (false, ended?.deadline)
            }
            state.isRefreshRejected = true
            state.renewal?.need = .login
            defer { state.renewal?.deadline = nil }
            return (true, state.renewal?.deadline)
        }
        if let deadline { Deadlines.shared.cancel(deadline) }
        guard isInProgress else { return }
        announce(.loginRequired)
        await logIn(number, after: cause)
    }

    private func logIn(_ number: Int, after cause: APIError? = nil) async {
        guard let login else { return fail(number, with: .loginRequired, cause) }
        switch await login.logIn(to: visible) {
        case .loggedIn(let tokens):
            await finish(number) { $0.replace(tokens, isAnswer: true, at: $1, $2) }
        case .failed(let error): fail(number, with: .loginRequired, error)
        case .cancelled: fail(number, with: .loginCancelled)
        }
    }

    // MARK: Ending

    private func finish(
        _ number: Int, with replace: (inout SessionState, Date, RefreshPolicy) -> Renewal?
    ) async {
        let now = now()
        let (ended, content) = state.withLock { state in
            (state.renewal?.number == number ? replace(&state, now, policy) : nil, state.toStore)
        }
        guard let ended else { return }
        ended.giveUp()
        notifyWatchers()
        // Announced as an event; calls continue with the tokens in memory.
        try? await saveHere()
        // A logout or a login that has come since is announced instead.
        if state.withLock({ $0.toStore == content }) {
            announce(ended.need == .login ? .loggedIn : .refreshed)
        }
        ended.release(nil)
    }

    private func fail(_ number: Int, with failure: APIError.Kind, _ cause: (any Error)? = nil) {
        let refusal = SessionRefusal(kind: failure, cause: cause)
        let ended = state.withLock { state in
            state.renewal?.number == number ? state.fail(refusal) : nil
        }
        guard let ended else { return }
        ended.giveUp()
        if case .refreshFailed(let reason) = failure { announce(.refreshFailed(reason)) }
        ended.release(refusal)
    }
}

extension Renewal {
    /// Cancels the task and the deadline. Has no effect if they have ended.
    func giveUp() {
        task?.cancel()
        if let deadline { Deadlines.shared.cancel(deadline) }
    }

    func release(_ refusal: SessionRefusal?) {
        let answer = refusal.map(SessionAnswer.refused) ?? .ready(newUser)
        for waiter in waiters.values { waiter.fulfil(answer) }
    }
}
