import Foundation

/// The tokens of a backend's user (RFC 6749): applies them to requests, refreshes them once for all calls
/// that fail together, and asks the user to log in if needed.
///
/// ```swift
/// final class StorefrontService: Service {
///     let baseURL = URL(string: "https://api.example.com")!
///     let configuration = ServiceConfiguration(
///         session: TokenSession { tokens, proxy in
///             // An APIManager<TokenResponse> of the app.
///             let manager = RefreshManager()
///             manager.proxy = proxy
///             let params: Params = ["refresh_token": tokens.refreshToken]
///             return SessionTokens(try await manager.load(with: params))
///         })
///     func sessionProblem(in failure: FailureContext) -> SessionProblem? {
///         SessionProblem.byBody(failure, at: "id")
///             ?? SessionProblem.byStatus(failure)
///     }
/// }
/// service.configuration.session?.login = loginFlow  // see SessionLogin
/// ```
///
/// A service owns its session; several services may share one. Calls that fail with an expired token wait
/// for one refresh, and calls with an invalid token for one login; then their requests are built and
/// sent again. A call sent with older tokens than the current ones is retried without a refresh. A
/// repeated call that fails in the same way is reported. A call with a ``ServiceConfiguration/concurrencyLimit`` may be sent long after
/// the refresh: if other calls have used the new tokens since, it waits for a further refresh, at most three times.
///
/// In an ``EnvironmentService`` each environment has tokens of its own; all members are about the current one.
///
/// A call belongs to the user for whom it was made: after that user logs out, or another user logs in, it
/// is no longer sent and ends with ``APIError/Kind/loginRequired``.
public final class TokenSession: Sendable {
    /// Exchanges old tokens for new ones, with calls over a dispatcher.
    typealias Renewing =
        @MainActor @Sendable (_ tokens: SessionTokens, _ dispatcher: any CallDispatcher) async throws ->
        SessionTokens
    /// Adds the access token to a request.
    public typealias Apply = @Sendable (_ tokens: SessionTokens, _ request: inout APIRequest) throws -> Void

    /// The login; without one, calls that need a login end with ``APIError/Kind/loginRequired``.
    public var login: (any SessionLogin)? {
        get { assignedLogin.current }
        set { assignedLogin.current = newValue }
    }

    let policy: RefreshPolicy
    let renewTokens: Renewing?
    let now: @Sendable () -> Date
    let state: Locked<SessionState>
    /// Its identity in the renewals that calls are part of.
    let renewals = RenewalOwner()
    let listeners: Broadcaster<SessionEvent>
    private let apply: Apply
    let persistence: TokenPersistence?
    /// When what could not be written is written again.
    let nextWrite = DelayedWork()
    /// When a store that could not be read is read again.
    let nextRead = DelayedWork()
    private let assignedLogin: Locked<(any SessionLogin)?>
    /// The storage of the services that the session belongs to; `nil` if it stores what it says.
    let storage: Locked<MemoryStorage?>
    /// `nil` without environments.
    package let parts = Locked<EnvironmentParts<TokenSession>?>(nil)
    /// A part of a session knows the whole, which the app sees.
    let whole: Whole
    struct Whole: Sendable { weak var session: TokenSession? }

    /// See ``init(store:key:login:policy:refresh:apply:now:)``.
    init(
        store: (any CredentialStore)?, key: String, login: (any SessionLogin)?, policy: RefreshPolicy,
        renewTokens: Renewing?, apply: @escaping Apply, now: @escaping @Sendable () -> Date
    ) {
        state = Locked(SessionState(hasStore: store != nil))
        persistence = store.map { TokenPersistence(store: $0, key: key) }
        storage = Locked(MemoryStorage.current)
        assignedLogin = Locked(login)
        self.policy = policy
        self.apply = apply
        self.now = now
        self.renewTokens = renewTokens
        listeners = Broadcaster(bufferingNewest: 100)
        whole = Whole()
    }

    /// Creates the part of a session for another environment than its first.
    init(part environment: String, of other: TokenSession) {
        persistence = other.persistence?.neighbor(in: environment)
        state = Locked(SessionState(hasStore: persistence != nil))
        (policy, renewTokens, now, apply) = (other.policy, other.renewTokens, other.now, other.apply)
        (assignedLogin, listeners, storage) = (other.assignedLogin, other.listeners, other.storage)
        whole = Whole(session: other)
    }

    /// The current tokens; `nil` if no user is logged in. The first access blocks on the credential store:
    /// on the main actor, await ``load()`` first or use ``isLoggedIn``.
    public var tokens: SessionTokens? {
        let session = here
        session.readStore()
        return session.state.withLock { $0.tokens }
    }

    /// Whether there are tokens in memory. Does not read the credential store; see ``load()``. `false` while it cannot be read.
    public var isLoggedIn: Bool { here.state.withLock { $0.tokens != nil } }

    /// A new stream of the session's events from now on; see ``SessionEvent``.
    public var events: AsyncStream<SessionEvent> { listeners.stream() }

    /// Adopts tokens that the app obtained by other means. Calls that wait for a login are retried. The
    /// credential store is written asynchronously; ``save()`` waits for it.
    ///
    /// If a user is logged in, the tokens may belong to another one: all other earlier calls that wait, or would have to be
    /// sent again, end with ``APIError/Kind/loginRequired``. With ``SessionTokens/user``, all calls continue if the user is
    /// the same, and calls that wait for a login end as well if it is not. The stored user counts only after the store has been
    /// read; if calls were made since the start of the app, call ``load()`` first.
    public func adopt(_ tokens: SessionTokens) { here.adoptHere(tokens) }

    private func adoptHere(_ tokens: SessionTokens) {
        let now = now()
        let renewal = state.withLock { $0.replace(tokens, at: now, policy) }
        CallContext.current.work?.follow()
        renewal?.giveUp()
        notifyWatchers()
        announce(.loggedIn)
        renewal?.release(nil)
        // A failure is announced.
        persistence?.queue.enqueue { try? self.writeStore() }
    }

    /// Forgets the tokens, in memory and in the store, and what was kept of the responses of the services that use
    /// this session, and ends the user's calls with ``APIError/Kind/loginRequired``: all calls that wait,
    /// and calls in flight that would have to be sent again. None of them is sent for the next user. Managers that
    /// have received responses for this user forget them; see ``BaseAPIManager/cleanData()``.
    /// - Throws: what the store throws. All else is done nevertheless.
    public func logOut() async throws(CredentialStoreError) { try await here.logOutHere() }

    private func logOutHere() async throws(CredentialStoreError) {
        let now = now()
        let renewal = state.withLock { $0.replace(nil, at: now, policy) }
        renewal?.giveUp()
        let notified = notifyWatchers()
        let stored: Result<Void, CredentialStoreError>
        do throws(CredentialStoreError) {
            try await persistence?.queue.run { () throws(CredentialStoreError) in try self.writeStore() }
            stored = .success(())
        } catch { stored = .failure(error) }
        announce(.loggedOut)
        renewal?.release(SessionRefusal(kind: .loginRequired))
        // What another service has on a disk is not that of a session in memory.
        let isInMemory = storage.current != nil
        for holder in Self.userDataHolders.all where holder.isInMemory || !isInMemory {
            await holder.removeUserData(of: self)
        }
        await notified.value
        await login?.logOut(from: visible)
        try stored.get()
    }

    // MARK: Requests

    /// Sets the `Authorization` header of RFC 6750 section 2.1, unless the request has one.
    /// - Throws: ``InvalidRequestError`` for another token type, which needs a custom `apply`.
    public static func bearer(_ tokens: SessionTokens, _ request: inout APIRequest) throws {
        guard HTTPToken.isSame(tokens.tokenType, "Bearer") else {
            throw InvalidRequestError(
                "The token type is \(tokens.tokenType.debugDescription), not Bearer; pass an `apply` closure for it to TokenSession.init."
            )
        }
        if request.headers["Authorization"] == nil {
            request.headers["Authorization"] = "Bearer " + tokens.accessToken
        }
    }

    /// The tokens to send a call with, as far as the store has been read.
    var snapshot: SessionSnapshot { state.withLock { snapshot(in: $0) } }

    func snapshot(in state: SessionState) -> SessionSnapshot {
        SessionSnapshot(
            session: self, generation: state.generation, tokens: state.tokens, subject: state.subject,
            isFromStore: state.isFromStore)
    }

    /// The same, after reading the store.
    var loadedSnapshot: SessionSnapshot {
        get async {
            await loadHere()
            return snapshot
        }
    }

    func authorize(_ request: inout APIRequest, with tokens: SessionTokens) throws {
        try apply(tokens, &request)
    }

    // MARK: Events

    func announce(_ event: SessionEvent) {
        listeners.send(event)
        // Who observes the session is no part of its renewal.
        CallContext.$current.withValue(.with { $0.renewal = nil }) {
            CallContext.leaving {
                _ = Task { @MainActor in
                    NotificationCenter.default.post(name: event.notification, object: self.visible)
                }
            }
        }
    }
}

extension TokenSession: Hashable {
    /// Compares by identity.
    public static func == (left: TokenSession, right: TokenSession) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension TokenSession: SecretBearing {
    /// Whether a user is logged in; never a token.
    public var description: String {
        "TokenSession(\(state.withLock { $0.tokens }?.description ?? "no token"))"
    }
}
