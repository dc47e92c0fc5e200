public import Foundation

extension TokenSession {
    /// Exchanges expired tokens for new ones. Its own calls are recognized by a task-local value and do not
    /// wait for the refresh. Throw a ``SessionProblem`` if the user has to log in instead. An ``APIError`` with the
    /// status 400, 401 or 403, with `invalid_grant` in its response (RFC 6749 section 5.2), or with a failure that
    /// ``Service/sessionProblem(in:)`` calls a problem has the same effect, unless the response names another error of
    /// OAuth, such as `invalid_client`.
    /// - Parameters:
    ///   - tokens: The expired tokens.
    ///   - proxy: The proxy of the call that needs the refresh; assign it to the managers created here.
    public typealias Refresh =
        @MainActor @Sendable (_ tokens: SessionTokens, _ proxy: ApiProxy) async throws -> SessionTokens

    /// Creates a session.
    /// - Parameters:
    ///   - store: The credential store of the tokens, read on first use. Default: `nil`; tokens are kept in
    ///     memory.
    ///   - key: The key of the tokens in the store, unique to the session.
    ///   - login: The login; see ``login``.
    ///   - policy: The refresh policy.
    ///   - refresh: The refresh; `nil` to ask for a login when the access token expires.
    ///   - apply: Adds the access token to a request. Default: ``bearer(_:_:)``.
    ///   - now: Returns the current date.
    public convenience init(
        store: (any CredentialStore)? = nil, key: String = "session", login: (any SessionLogin)? = nil,
        policy: RefreshPolicy = RefreshPolicy(), refresh: Refresh? = nil,
        apply: @escaping Apply = TokenSession.bearer, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        var renewTokens: Renewing?
        if let refresh {
            renewTokens = { tokens, dispatcher in
                let proxy = ApiProxy.of(dispatcher)
                do {
                    return try await refresh(tokens, proxy)
                } catch let error as APIError
                    where error.rejectsRefreshToken(by: proxy.services.service(for: error.serviceIdentifier))
                {
                    throw RejectedRefreshToken(cause: error)
                }
            }
        }
        self.init(
            store: store, key: key, login: login, policy: policy, renewTokens: renewTokens, apply: apply,
            now: now)
    }
}
