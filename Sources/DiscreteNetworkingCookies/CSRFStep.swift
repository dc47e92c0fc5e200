import DiscreteNetworkingCore
import Foundation

/// Sends an unsafe call with a CSRF token, and retries it once with another one if the backend rejects it; see
/// ``CSRFProtection``.
struct CSRFStep: CallStep {
    static let place = StepPlace.protection
    static var uses: [any AttemptState.Type] { [CSRFToken.self, CSRFRejection.self, ChosenHost.self] }
    let pending: PendingCall
    let desk: CSRFDesk

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
        guard let fetch = desk.fetch else { return false }
        let (call, configured) = (attempt.call, attempt.plan.configured)
        let turn = await configured.cookies?.turn(for: attempt.session, of: configured.session)
        let host = call.overrides.url ?? attempt[ChosenHost.self]?.host ?? configured.service.baseURL
        let tokens = desk.tokens(of: configured)
        let owner = CSRFTokens.Owner(call, configured, turn, at: host)
        if attempt[CSRFRejection.self]?.generation == nil, attempt.hasCSRFCookie(turn, at: host) {
            attempt.csrf = tokens.token(of: owner) ?? CSRFToken(value: "", generation: 0)
            return false
        }
        let rejected = attempt[CSRFRejection.self]?.generation
        let order = CSRFDesk.Order(service: call.serviceIdentifier, usesSession: call.overrides.usesSession)
        var waited = false
        var answer: CSRFTokens.Answer?
        await pending.wait(attempt) {
            answer = await tokens.token(of: owner, newerThan: rejected, for: call) { mark in
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
            let protection = attempt.plan.configuration.csrf, let request = attempt.request?.value,
            attempt.plan.configured.hosts.contains(where: request.url.isSameOrigin),
            // The app's own header is the app's affair.
            request.notes.csrf != nil || request.headers[protection.header] == nil,
            protection.rejects(attempt.failure(error))
        else { return false }
        if attempt.hasNewCSRFCookie(protection, since: request) {
            attempt[CSRFRejection.self] = CSRFRejection(generation: nil)
        } else {
            guard desk.fetch != nil,
                let rejected = request.notes.csrf?.generation ?? attempt.csrf?.generation
            else { return false }
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
    fileprivate var csrf: CSRFToken? {
        get { self[CSRFToken.self] }
        set { self[CSRFToken.self] = newValue }
    }

    /// Whether the jar has the cookie that holds the token, for a host.
    fileprivate func hasCSRFCookie(_ turn: (any CookieKeeping)?, at host: URL) -> Bool {
        guard let name = self.plan.configuration.csrf?.cookie, let header = turn?.header(for: host)
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
