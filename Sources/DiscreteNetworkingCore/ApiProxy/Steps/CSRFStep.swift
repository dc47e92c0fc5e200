import Foundation

/// Sends an unsafe call with a CSRF token, and retries it once with another one if the backend rejects it; see
/// ``CSRFProtection``.
struct CSRFStep: CallStep {
    static let place = StepPlace.protection
    static var uses: [any AttemptState.Type] { [CSRFToken.self, CSRFRejection.self] }
    let pending: PendingCall

    func run(_ attempt: inout Attempt, _ rest: CallSteps) async throws(Interruption) -> APIResponse {
        while true {
            let known = attempt.csrf?.generation
            attempt.csrf = nil
            if try await waits(&attempt), attempt.hasLeftEnvironment { throw .outdated }
            // A request that was built with another token is too old.
            if attempt.csrf?.generation != known { attempt.dropRequest() }
            do throws(Interruption) {
                return try await rest(&attempt)
            } catch {
                guard case .failed(let failure) = error, repeats(after: failure, &attempt) else {
                    throw error
                }
                pending.advance(&attempt, after: failure)
            }
        }
    }

    /// Takes the token of an attempt, and waits for it if it has to be fetched.
    /// - Returns: Whether the call has waited.
    private func waits(_ attempt: inout Attempt) async throws(Interruption) -> Bool {
        guard let csrf = attempt.plan.configured.csrf, let fetch = csrf.protection.fetch else { return false }
        let turn = await attempt.cookieTurn
        let owner = attempt.csrfOwner(turn)
        if attempt[CSRFRejection.self]?.generation == nil, attempt.hasCSRFCookie(turn) {
            attempt.csrf = csrf.token(of: owner) ?? CSRFToken(value: "", generation: 0)
            return false
        }
        let (call, rejected) = (attempt.call, attempt[CSRFRejection.self]?.generation)
        let order = CSRFProtection.Order(
            service: call.serviceIdentifier, usesSession: call.overrides.usesSession)
        var waited = false
        var answer: CSRFTokens.Answer?
        await pending.wait(attempt) {
            answer = await csrf.token(of: owner, newerThan: rejected, for: call) { mark in
                waited = true
                pending.releaseSlot()
                pending.noteWait(.csrfToken)
                pending.emit(.waiting(for: .csrfToken), of: call, awaiting: mark)
            } fetch: { [proxy = pending.proxy] in
                try await fetch(order, proxy)
            }
        }
        switch answer {
        case .token(let token): attempt.csrf = token
        case .failed(let error): throw .failed(self.error(error, call))
        // If the user has left, the call has ended.
        case .deadlock, nil: break
        }
        return waited
    }

    /// Returns the error of a call after its token could not be fetched. A network error of the fetch becomes the error
    /// of the call.
    private func error(_ error: any Error, _ call: APICall) -> APIError {
        let made = error as? APIError
        let kind: APIError.Kind =
            switch made?.kind {
            case .timedOut, .deadlineExceeded, .notReachable, .transport, .cancelled, .sessionUnavailable,
                .loginRequired,
                .loginCancelled,
                .refreshFailed, .degraded, .nestedTooDeeply:
                made?.kind ?? .cancelled
            default:
                error is CancellationError
                    ? .cancelled
                    : .invalidRequest(
                        reason:
                            "The CSRF token was not fetched: \(made?.localizedDescription ?? String(describing: error))"
                    )
            }
        return pending.proxy.error(kind, of: call, underlying: made)
    }

    /// Whether the call is retried because its token was rejected: once, with another token.
    private func repeats(after error: APIError, _ attempt: inout Attempt) -> Bool {
        guard error.response != nil, attempt[CSRFRejection.self] == nil, !Task.isCancelled,
            let protection = attempt.plan.configured.csrf?.protection, let request = attempt.request?.value,
            attempt.plan.configured.hosts.contains(where: request.url.isSameOrigin),
            // The app's own header is the app's affair.
            request.notes.csrfHeader != nil || request.headers[protection.header] == nil,
            protection.rejects(attempt.failure(error))
        else { return false }
        if attempt.hasNewCSRFCookie(protection, since: request) {
            attempt[CSRFRejection.self] = CSRFRejection(generation: nil)
        } else {
            guard protection.fetch != nil, let rejected = attempt.csrf?.generation else { return false }
            attempt[CSRFRejection.self] = CSRFRejection(generation: rejected)
        }
        pending.emit(.repeated(after: 0, error), of: attempt.call)
        return true
    }
}

/// Says that the call was sent again because its token was rejected.
private struct CSRFRejection: AttemptState {
    static let lifetime = SlotLifetime.environment
    /// The generation of the token; `nil` if a response has set another one.
    let generation: Int?
}

extension CSRFToken: AttemptState {
    static var lifetime: SlotLifetime { .attempt }
}

extension Attempt {
    /// The CSRF token; `nil` if it needs none. Of generation 0 if none was fetched.
    var csrf: CSRFToken? {
        get { self[CSRFToken.self] }
        set { self[CSRFToken.self] = newValue }
    }

    /// The token that is known, for a request that is not sent.
    mutating func takeKnownCSRFToken() async {
        guard self.plan.mayNeedCSRFToken else { return }
        self.csrf = self.plan.configured.csrf?.token(of: csrfOwner(await cookieTurn))
    }

    /// The exchange's part of the jar, which is empty if another user is here by now.
    fileprivate var cookieTurn: CookieJar.Turn? {
        get async {
            await self.plan.configured.cookies?.turn(for: self.session, of: self.plan.configured.session)
        }
    }

    /// The owner of the token that the call needs.
    fileprivate func csrfOwner(_ turn: CookieJar.Turn?) -> CSRFTokens.Owner {
        let user = self.plan.configured.session?.state.withLock { ($0.logins, $0.subject) }
        let usesSession = self.call.overrides.usesSession
        return CSRFTokens.Owner(
            usesSession: usesSession, logins: user?.0 ?? 0, subject: usesSession ? user?.1 : nil,
            cookies: turn?.generation)
    }

    /// Whether the jar has the cookie that holds the token.
    fileprivate func hasCSRFCookie(_ turn: CookieJar.Turn?) -> Bool {
        guard let name = self.plan.configured.csrf?.protection.cookie,
            let header = turn?.header(for: self.plan.service.baseURL)
        else { return false }
        return CSRFProtection.cookie(name, in: header) != nil
    }

    /// Whether a response has set another cookie with a token since a request was built.
    fileprivate func hasNewCSRFCookie(_ protection: CSRFProtection, since request: APIRequest) -> Bool {
        guard let name = protection.cookie,
            let new = request.notes.cookies?.header(for: request.url).flatMap({
                CSRFProtection.cookie(name, in: $0)
            })
        else { return false }
        return new != request.headers["Cookie"].flatMap { CSRFProtection.cookie(name, in: $0) }
    }
}
