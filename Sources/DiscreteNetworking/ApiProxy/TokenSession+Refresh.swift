import Foundation

extension TokenSession {
    /// Asks for new tokens in place of old ones. Its task-local context tells its own calls apart: they never
    /// wait for this refresh. Throw ``SessionProblem`` where the user has to log in instead; an ``APIError`` whose
    /// response says `invalid_grant` (RFC 6749 section 5.2) means the same.
    /// - Parameter proxy: that of the call which needs the refresh; give it to the managers made here.
    public typealias Refresh =
        @MainActor @Sendable (_ tokens: SessionTokens, _ proxy: ApiProxy) async throws -> SessionTokens

    /// - Parameters:
    ///   - store: keeps the tokens while the app is not running. It is read on first use.
    ///   - key: the name of the tokens in the store; one of its own for each session.
    ///   - refresh: without one, the user is asked to log in when the access token is expired.
    ///   - apply: default: ``bearer(_:_:)``.
    ///   - now: what time it is.
    public convenience init(
        store: (any CredentialStore)? = nil, key: String = "session", login: (any SessionLogin)? = nil,
        policy: RefreshPolicy = RefreshPolicy(), refresh: Refresh? = nil,
        apply: @escaping Apply = TokenSession.bearer, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        var renewTokens: Renewing?
        if let refresh {
            // Sessions know no proxy, and only a proxy is a dispatcher.
            renewTokens = { tokens, dispatcher in try await refresh(tokens, dispatcher as! ApiProxy) }
        }
        self.init(
            store: store, key: key, login: login, policy: policy, renewTokens: renewTokens, apply: apply,
            now: now)
    }
}

extension ApiProxy: CallDispatcher {}
