import Foundation

/// CSRF tokens; see ``CSRFProtection``.
extension CallPipeline {
    /// Takes the CSRF token of an attempt, and waits for it if it has to be fetched.
    /// - Parameter waited: Set if the call has waited.
    /// - Returns: The error that ends the attempt; `nil` if it may be sent.
    @inline(never)
    func takeCSRFToken(_ context: inout CallContext, waited: inout Bool) async -> APIError? {
        guard context.mayNeedCSRFToken, let csrf = context.configured.csrf,
            let fetch = csrf.protection.fetch
        else { return nil }
        let turn = await context.cookieTurn
        let owner = context.csrfOwner(turn)
        if context.rejectedCSRF == nil, context.hasCSRFCookie(turn) {
            context.csrf = csrf.token(of: owner) ?? CSRFToken(value: "", generation: 0)
            return nil
        }
        let (call, rejected) = (context.call, context.rejectedCSRF)
        let order = CSRFProtection.Order(
            service: call.serviceIdentifier, usesSession: call.overrides.usesSession)
        var answer: CSRFTokens.Answer?
        await wait(context) {
            answer = await csrf.token(of: owner, newerThan: rejected, for: call) { mark in
                waited = true
                pending.events.emitWait(for: mark, .csrfToken, of: call)
            } fetch: { [proxy] in
                try await fetch(order, proxy)
            }
        }
        switch answer {
        case .token(let token): context.csrf = token
        case .failed(let error):
            record(failed: nil, of: &context)
            return csrfError(error, context)
        // If the user has left, the call has ended.
        case .deadlock, nil: break
        }
        return nil
    }

    /// The error of a call whose token could not be fetched. What the network did to the fetch, it did to the call.
    @inline(never)
    private func csrfError(_ error: any Error, _ context: CallContext) -> APIError {
        let made = error as? APIError
        let kind: APIError.Kind =
            switch made?.kind {
            case .timedOut, .notReachable, .transport, .cancelled, .loginRequired, .loginCancelled,
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
        return proxy.error(kind, of: context.call, underlying: made)
    }

    /// Prepares to repeat a call whose CSRF token was rejected: once, with another token.
    /// - Returns: Whether there is another attempt.
    @inline(never)
    func repeatsForCSRF(after error: APIError, _ context: inout CallContext) -> Bool {
        guard error.response != nil, context.csrfRepeats == 0, context.mayNeedCSRFToken,
            let protection = context.configured.csrf?.protection, let request = context.request?.value,
            context.configured.hosts.contains(where: request.url.isSameOrigin),
            // The app's own header is the app's affair.
            request.csrfHeader != nil || request.headers[protection.header] == nil
        else { return false }
        let failure = APIFailure(
            call: context.call, error: error, request: request, session: context.session,
            ownSession: context.tokenSession)
        guard protection.rejects(failure) else { return false }
        if !context.hasNewCSRFCookie(protection, since: request) {
            guard protection.fetch != nil, let rejected = context.csrf?.generation else { return false }
            context.rejectedCSRF = rejected
        }
        context.csrfRepeats = 1
        record(failed: false, of: &context)
        pending.events.emit(.repeated(after: 0, error), of: context.call)
        return true
    }
}

extension CallContext {
    /// Whether the method is unsafe, and the service has a protection.
    fileprivate var mayNeedCSRFToken: Bool {
        self.configured.csrf != nil && !self.call.requestType.isSafe && !self.call.isSample
    }

    /// The exchange's part of the jar, which is empty if another user is here by now.
    fileprivate var cookieTurn: CookieJar.Turn? {
        get async { await self.configured.cookies?.turn(for: self.session, of: self.configured.session) }
    }

    /// Whose token the call needs.
    fileprivate func csrfOwner(_ turn: CookieJar.Turn?) -> CSRFTokens.Owner {
        let user = self.tokenSession?.state.withLock { ($0.logins, $0.subject) }
        let usesSession = self.call.overrides.usesSession
        return CSRFTokens.Owner(
            usesSession: usesSession, logins: user?.0 ?? 0, subject: usesSession ? user?.1 : nil,
            cookies: turn?.generation)
    }

    /// Whether the jar has the cookie that holds the token.
    fileprivate func hasCSRFCookie(_ turn: CookieJar.Turn?) -> Bool {
        guard let name = self.configured.csrf?.protection.cookie,
            let header = turn?.header(for: self.service.baseURL)
        else { return false }
        return CSRFProtection.cookie(name, in: header) != nil
    }

    /// Whether a response has set another cookie with a token since a request was built.
    fileprivate func hasNewCSRFCookie(_ protection: CSRFProtection, since request: APIRequest) -> Bool {
        guard let name = protection.cookie,
            let new = request.cookies?.header(for: request.url).flatMap({
                CSRFProtection.cookie(name, in: $0)
            })
        else { return false }
        return new != request.headers["Cookie"].flatMap { CSRFProtection.cookie(name, in: $0) }
    }

    /// The token that is known, for a request that is not sent.
    mutating func takeKnownCSRFToken() async {
        guard mayNeedCSRFToken else { return }
        self.csrf = self.configured.csrf?.token(of: csrfOwner(await cookieTurn))
    }
}
