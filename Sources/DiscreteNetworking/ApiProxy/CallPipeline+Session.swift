import Foundation

extension ApiProxy {
    /// Returns the error of a call whose session could not meet its requirement.
    fileprivate func error(
        _ refusal: SessionRefusal, of call: APICall, after failure: APIError? = nil
    ) -> APIError {
        let cause: APIError? =
            switch refusal.cause {
            case nil: nil
            case let error as APIError: error
            // The error's text is omitted: it may contain a secret.
            case let error?:
                self.error(
                    .loginFailed(reason: "it threw a \(type(of: error))."), of: call, underlying: failure)
            }
        return error(refusal.kind, of: call, response: failure?.response, underlying: cause ?? failure)
    }
}

extension CallPipeline {
    /// Performs the first half of step 8: waits for the login or refresh that the call requires, and takes
    /// the session's tokens.
    /// - Returns: The error that ends the call; `nil` if it may be sent.
    @inline(never)
    /// - Parameter waited: Set if the call has waited.
    func admit(_ context: inout CallContext, waited: inout Bool) async -> APIError? {
        guard let session = context.tokenSession else {
            guard context.call.overrides.requiresLogin else { return nil }
            return proxy.sessionMissing(for: context.call)
        }
        // While it waits, the call has no slot: other calls may go on, and those that renew the tokens must.
        if pending.slot != nil, session.mustWait(context.call) { pending.releaseSlot() }
        if pending.slot == nil {
            let tell = tellWait(context.call)
            let refusal = await session.admit(&context.call, over: proxy) { need, renewal in
                waited = true
                tell(need, renewal)
            }
            if let refusal { return proxy.error(refusal, of: context.call) }
        }
        guard context.call.overrides.usesSession else { return nil }
        guard let snapshot = await session.snapshot(for: context.call) else {
            return proxy.error(.loginRequired, of: context.call)
        }
        context.session = snapshot
        return nil
    }

    /// Reports to the observers that a call waits for its session.
    private func tellWait(_ call: APICall) -> TokenSession.OnWait {
        { [pending] need, renewal in
            pending.releaseSlot()
            pending.events.emitWait(for: renewal, need == .login ? .login : .refresh, of: call)
        }
    }

    /// Whether the user of the request has left while it was built or a transfer was paused.
    func hasLostUser(_ context: CallContext) -> Bool {
        context.session.map { !$0.session.isUser(of: context.call) } ?? false
    }

    /// Waits for an operation, but only as long as the user of the call is logged in.
    /// - Parameter error: Why the call waits.
    func wait(
        _ context: CallContext, after error: APIError? = nil, _ work: () async -> Void
    ) async {
        let call = context.call
        guard call.overrides.usesSession, let session = context.tokenSession else { return await work() }
        let refusal = proxy.error(.loginRequired, of: call, underlying: error)
        let isThere = session.watch(call.epoch, as: .call(call.requestID)) { [pending] in
            pending.report(refusal)
        }
        defer { session.unwatch(.call(call.requestID)) }
        if isThere { await work() } else { await pending.report(refusal) }
    }

    /// Returns what to do about a failure: as decided by the session if it can help, otherwise by the
    /// service.
    func disposition(of error: APIError, _ context: CallContext) async -> FailureDisposition {
        let service = context.service
        let failure = APIFailure(
            call: context.call, error: error, request: context.request?.value, session: context.session,
            ownSession: context.tokenSession)
        // A response that does not reject the token means that the token was accepted.
        if let status = failure.response?.status, status < 500, service.sessionProblem(in: failure) == nil {
            context.session?.accept()
        }
        let disposition = service.sessionDisposition(for: failure)
        let isHandled = context.isHandled(by: disposition)
        // A call that the session holds keeps its slot until the renewal has begun, so that no other call is sent with
        // the rejected tokens.
        if !isHandled || !disposition.isHold { pending.releaseSlot() }
        return isHandled ? disposition : await service.intercept(failure)
    }

    /// Waits until the session meets a requirement, and ends the call if it cannot.
    /// - Returns: The delay before the call is repeated, in seconds; `nil` if it ended.
    func hold(
        _ context: inout CallContext, for need: SessionRequirement, of session: TokenSession,
        after error: APIError
    ) async -> TimeInterval? {
        guard context.mayWait(for: need, of: session) else {
            pending.releaseSlot()
            await report(error, context)
            return nil
        }
        if !context.waitedFor.insert(need).inserted { context.furtherWaits += 1 }
        let snapshot: SessionSnapshot
        if let own = context.session, own.session == session {
            snapshot = own
        } else {
            snapshot = await session.loadedSnapshot
        }
        let call = context.call
        let answer = await session.hold(
            call, for: need, since: snapshot.generation, over: proxy, onWait: tellWait(call))
        pending.releaseSlot()
        switch answer {
        case .ready(let newUser):
            context.call = call.continued(for: newUser)
            guard session.isUser(of: context.call) else {
                await pending.report(proxy.error(.loginRequired, of: call, underlying: error))
                return nil
            }
            pending.events.emit(.repeated(after: 0, error), of: call)
            return 0
        case .refused(let refusal): await report(proxy.error(refusal, of: call, after: error), context)
        case .deadlock: await report(error, context)
        }
        return nil
    }
}

extension FailureDisposition {
    /// Whether the call waits for its session.
    fileprivate var isHold: Bool {
        switch self {
        case .holdUntilRefreshed, .holdUntilLoggedIn: true
        case .report, .swallow, .retry, .degrade: false
        }
    }
}

extension CallContext {
    /// Whether the call may have to wait for a login or a refresh before it is sent.
    var mayHaveToWait: Bool {
        @inline(never) get {
            !self.call.isSample && (self.tokenSession != nil || self.call.overrides.requiresLogin)
        }
    }

    /// Whether the call may wait for a session: once per requirement, and not for a renewal that it is part
    /// of.
    fileprivate func mayWait(for need: SessionRequirement, of session: TokenSession) -> Bool {
        // Tokens stored by another process may be as old as those they replaced.
        guard self.call.overrides.usesSession,
            !self.waitedFor.contains(need) || self.session?.isFromStore == true || hasExpiredAgain
        else {
            return false
        }
        return self.call.renewal.map { !session.isInProgress($0) } ?? true
    }

    /// Whether the tokens were accepted before they were rejected: a call with a limit may be sent long after the
    /// refresh that it waited for. At most three times, for an endpoint that rejects what others accept.
    private var hasExpiredAgain: Bool {
        isLimited && self.furtherWaits < 3 && self.session?.wasAccepted == true
    }

    /// Whether the session handles a failure instead of only reporting it.
    fileprivate func isHandled(by disposition: FailureDisposition) -> Bool {
        switch disposition {
        case .report: false
        case .holdUntilRefreshed(let session): mayWait(for: .refresh, of: session.here)
        case .holdUntilLoggedIn(let session): mayWait(for: .login, of: session.here)
        case .swallow, .retry, .degrade: true
        }
    }
}
