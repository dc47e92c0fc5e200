import Foundation

/// Retries a call as its session, its service and its ``RetryPolicy`` decide, each time in the environment of its time.
struct RepeatStep: CallStep {
    static let place = StepPlace.attempts
    let pending: PendingCall

    static var uses: [any AttemptState.Type] { [SessionWaits.self] }

    private var proxy: ApiProxy { pending.proxy }

    /// The repeats that have a limit of their own.
    private struct Repeats {
        var byService = 0
        var byPolicy = 0
    }

    func run(_ attempt: inout Attempt, _ rest: CallSteps) async throws(Interruption) -> APIResponse {
        var repeats = Repeats()
        while true {
            attempt.begin(proxy.redaction)
            pending.begin(attempt)
            do throws(Interruption) {
                guard attempt.scope == nil else { return try await scoped(&attempt) }
                return try await CallSteps(of: attempt, pending)(&attempt)
            } catch {
                switch error {
                case .over, .refused: throw error
                case .outdated: attempt.restart()
                case .failed(let failure):
                    guard !Task.isCancelled else { throw .over }
                    try await recede(after: failure, &attempt, &repeats)
                    attempt.advance(after: failure)
                }
            }
        }
    }

    private func scoped(_ attempt: inout Attempt) async throws(Interruption) -> APIResponse {
        try await EnvironmentScope.within(attempt.scope) { () async throws(Interruption) in
            try await CallSteps(of: attempt, pending)(&attempt)
        }
    }

    private func recede(
        after error: APIError, _ attempt: inout Attempt, _ repeats: inout Repeats
    ) async throws(Interruption) {
        try await EnvironmentScope.within(attempt.scope) { () async throws(Interruption) in
            try await waitForNextAttempt(after: error, &attempt, &repeats)
        }
    }

    /// Waits until the next attempt after a failure.
    /// - Throws: The failure, if there is no next attempt.
    private func waitForNextAttempt(
        after error: APIError, _ attempt: inout Attempt, _ repeats: inout Repeats
    ) async throws(Interruption) {
        let failure = attempt.failure(error)
        var disposition = FailureDisposition.report
        if error.kind != .cancelled {
            disposition = await self.disposition(of: failure, attempt)
            pending.emit(.failed(error, disposition), of: attempt.call)
        }
        switch disposition {
        case .swallow:
            throw .refused(proxy.error(.swallowed, of: attempt.call, underlying: error))
        case .retry(let seconds, let limit) where repeats.byService < limit:
            repeats.byService += 1
            await wait(scattered(seconds, repeats.byService), after: error, attempt)
        case .holdUntilRefreshed(let session):
            try await hold(&attempt, for: .refresh, of: session.here, after: error)
        case .holdUntilLoggedIn(let session):
            try await hold(&attempt, for: .login, of: session.here, after: error)
        case .degrade(let date):
            proxy.degrade(attempt.endpoint, until: date)
            throw .failed(proxy.error(.degraded(until: date), of: attempt.call, underlying: error))
        case .report, .retry:
            let delay = attempt.plan.retry(of: attempt.call).delay(
                after: error, isIdempotent: attempt.call.isIdempotent, attempt: repeats.byPolicy + 1,
                elapsed: proxy.clock.uptime - pending.startTime, now: proxy.clock.now, random: proxy.random)
            guard let delay else { throw .failed(error) }
            repeats.byPolicy += 1
            await wait(delay, after: error, attempt)
        }
    }

    /// Returns a delay with a random part that doubles with each repeat, so that calls which a server has refused together do not
    /// come together again.
    private func scattered(_ seconds: TimeInterval, _ number: Int) -> TimeInterval {
        guard seconds > 0 else { return seconds }
        return seconds * (1 + min(max(proxy.random(), 0), 1) * pow(2, Double(min(number, 4) - 1)))
    }

    /// Not inlined: two waits would have 4 KB of it each.
    @inline(never)
    private func wait(_ seconds: TimeInterval, after error: APIError, _ attempt: Attempt) async {
        pending.forgetTurn()
        pending.emit(.repeated(after: seconds, error), of: attempt.call)
        await pending.wait(seconds, attempt, after: error)
    }

    /// Returns what to do about a failure: what resolves the problem of the session, otherwise what the service decides.
    private func disposition(of failure: FailureContext, _ attempt: Attempt) async -> FailureDisposition {
        // A call that the session holds keeps its slot until the renewal has begun, so that no other call is sent with
        // the rejected tokens.
        if let hold = attempt.hold(after: failure) { return hold }
        pending.releaseSlot()
        return await attempt.plan.service.intercept(failure)
    }

    /// Waits until the session meets a requirement.
    /// - Throws: The failure, if it cannot.
    private func hold(
        _ attempt: inout Attempt, for need: SessionRequirement, of session: TokenSession,
        after error: APIError
    ) async throws(Interruption) {
        guard attempt.mayWait(for: need, of: session) else { throw .refused(error) }
        if !attempt.waits.requirements.insert(need).inserted { attempt.waits.further += 1 }
        let call = attempt.call
        let generation =
            if let own = attempt.session, own.session == session { own.generation } else {
                await session.loadedSnapshot.generation
            }
        let answer = await session.hold(
            call, for: need, since: generation, over: proxy, onWait: pending.tellWait(call))
        pending.noteWait(nil)
        pending.releaseSlot()
        switch answer {
        case .ready(let user):
            attempt.call = call.continued(for: user)
            guard session.isUser(of: attempt.call) else {
                throw .refused(proxy.error(.loginRequired, of: call, underlying: error))
            }
            pending.emit(.repeated(after: 0, error), of: call)
        case .refused(let refusal): throw .refused(proxy.error(refusal, of: call, after: error))
        case .deadlock: throw .refused(error)
        }
    }
}

extension Attempt {
    /// Returns what the call waits for after its token was rejected; `nil` if the failure has another cause, or if
    /// waiting does not help.
    fileprivate func hold(after failure: FailureContext) -> FailureDisposition? {
        guard self.call.overrides.usesSession, let session = self.plan.configured.session else { return nil }
        switch self.plan.service.sessionProblem(in: failure) {
        case .expired: return mayWait(for: .refresh, of: session.here) ? .holdUntilRefreshed(session) : nil
        case .forbidden where self.session?.tokens != nil: return nil
        case .invalid, .forbidden:
            return mayWait(for: .login, of: session.here) ? .holdUntilLoggedIn(session) : nil
        case nil:
            // A response that does not reject the token means that the token was accepted.
            if let status = failure.response?.status, status < 500 { acceptTokens() }
            return nil
        }
    }

    /// Whether the call may wait for a session: once per requirement, and not for a renewal that it is part of.
    fileprivate func mayWait(for need: SessionRequirement, of session: TokenSession) -> Bool {
        // Tokens stored by another process may be as old as those they replaced.
        guard self.call.overrides.usesSession,
            !self.waits.requirements.contains(need) || self.session?.isFromStore == true || hasExpiredAgain
        else { return false }
        return self.call.renewal.map { !session.isInProgress($0) } ?? true
    }

    /// Whether the tokens were accepted before they were rejected: a call with a limit may be sent long after the
    /// refresh that it waited for. At most three times, for an endpoint that rejects what others accept.
    private var hasExpiredAgain: Bool {
        self.plan.isLimited && self.waits.further < 3 && self.session?.wasAccepted == true
    }
}
