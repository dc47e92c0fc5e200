import Foundation

/// A refresh or a login on its way, and who waits for it.
struct Renewal: Sendable {
    typealias Waiter = Promise<SessionAnswer>

    let number: Int
    var need: SessionRequirement
    /// Began in the background, while the tokens were still good, and nobody has failed since.
    var isAhead = false
    var task: Task<Void, Never>?
    var deadline: Deadlines.Token?
    var waiters: [ObjectIdentifier: Waiter] = [:]
    /// When the user came for whom those who wait go on, where it may be another than the one for whom they were made.
    var newUser: UserEpoch?
}

/// What a ``TokenSession`` knows, and how it decides. Under one lock, and without any effect.
struct SessionState: Sendable {
    var tokens: SessionTokens?
    /// Tells the user of the tokens from others, also after a refresh. It shows no token.
    private(set) var subject: String?
    /// Whether ``tokens`` says what the store does, or something newer. From the start where there is no store.
    var isRead: Bool
    /// How often the tokens have changed, or failed to.
    private(set) var generation = 0
    /// How the last change failed; `nil` where it did not.
    private(set) var lastFailure: SessionRefusal?
    var renewal: Renewal?
    /// When the user came: no call made before is sent, or repeated, for this one.
    private(set) var userSince = UserEpoch()
    /// Who is told when the user leaves who was there at an epoch.
    var watchers: [SessionWatcher: (epoch: UserEpoch, onDeparture: @MainActor @Sendable () -> Void)] = [:]
    /// Whether another process has brought the tokens, and nobody has tried them here.
    private(set) var isFromStore = false
    /// What the store has as far as is known; `nil` where it is not known.
    private var known: StoredSession??
    /// The last failure to read the store, which was announced.
    private var loadProblem: String?
    private var lastNumber = 0
    /// When the refreshes of the last ``RefreshPolicy/window`` began, and the generation of the tokens that came of
    /// them. Those whose tokens were good are left out.
    private var refreshes: [(began: Date, generation: Int?)] = []
    /// From when on the next call refreshes before anybody says that the token is expired.
    private var refreshDate: Date?

    init(isRead: Bool) { self.isRead = isRead }

    enum Answer {
        /// There is nothing to wait for.
        case settled(SessionRefusal?)
        /// For the renewal that is on its way.
        case wait
        /// For a new one.
        case begin
    }

    /// What a call has to do that needs something.
    /// - Parameter generation: how old the tokens are that it has used.
    func answer(to call: APICall, since generation: Int) -> Answer {
        guard isUser(of: call) else { return .settled(SessionRefusal(kind: .loginRequired)) }
        if renewal != nil { return .wait }
        return generation < self.generation ? .settled(lastFailure) : .begin
    }

    /// Makes room for a refresh among those of the last window.
    mutating func admitRefresh(at now: Date, _ policy: RefreshPolicy) -> Bool {
        // Dates in the future are from before the clock was set back.
        refreshes.removeAll { $0.began > now || now.timeIntervalSince($0.began) >= policy.window }
        guard refreshes.count < policy.limit else { return false }
        refreshes.append((now, nil))
        return true
    }

    /// The tokens of a generation have worked: the refresh that brought them does not count against the limit.
    mutating func accept(_ generation: Int) { refreshes.removeAll { $0.generation == generation } }

    mutating func begin(_ need: SessionRequirement, isAhead: Bool = false) -> Renewal {
        lastNumber += 1
        return Renewal(number: lastNumber, need: need, isAhead: isAhead)
    }

    // MARK: Changes

    mutating func read(_ tokens: SessionTokens?, subject: String? = nil, _ policy: RefreshPolicy) {
        isRead = true
        self.tokens = tokens
        self.subject = subject ?? tokens.map(Self.subject)
        refreshDate = policy.ahead > 0 ? tokens?.expiry?.addingTimeInterval(-policy.ahead) : nil
    }

    // MARK: The store

    /// Takes over what the store has, where nothing newer has come.
    mutating func load(_ stored: StoredSession?, _ policy: RefreshPolicy) {
        known = .some(stored)
        if !isRead { read(stored?.tokens, subject: stored?.subject, policy) }
    }

    /// - Returns: what to announce; `nil` for what was announced.
    mutating func couldNotLoad(_ error: any Error, _ policy: RefreshPolicy) -> String? {
        switch (error as? CredentialStoreError)?.kind {
        case .deviceLocked, .busy: break
        default: if !isRead { read(nil, policy) }
        }
        let problem = String(describing: error)
        defer { loadProblem = problem }
        return problem == loadProblem ? nil : problem
    }

    var toStore: StoredSession? { tokens.map { StoredSession(tokens: $0, subject: subject) } }
    var isStored: Bool { known == .some(toStore) }
    /// Notes what a write has left in the store; `nil` where nobody knows.
    mutating func isKnown(_ stored: StoredSession??) { known = stored }

    /// Whether another process has written this. Where it is not known what the store had, as after a write that failed,
    /// memory is newer.
    func isChanged(_ stored: StoredSession?) -> Bool { known.map { $0 != stored } ?? false }

    private static func subject(of tokens: SessionTokens) -> String {
        MessageDigest(.sha256, of: tokens.user ?? tokens.refreshToken ?? tokens.accessToken).hexadecimal
    }

    /// That of new tokens, where they are known to be of the same user.
    private func subject(of new: SessionTokens?, isAnswer: Bool) -> String? {
        guard let new, new.user == tokens?.user else { return nil }
        let isRefresh = isAnswer && renewal?.need == .refresh
        return isRefresh || new.refreshToken != nil && new.refreshToken == tokens?.refreshToken
            ? subject : nil
    }

    /// New tokens, or a logout.
    /// - Parameter isAnswer: whether the renewal that is on its way has brought them.
    /// - Returns: the renewal that this makes superfluous.
    mutating func replace(
        _ tokens: SessionTokens?, isAnswer: Bool = false, at now: Date, _ policy: RefreshPolicy
    ) -> Renewal? {
        switch successor(with: tokens, isAnswer: isAnswer) {
        case .same: break
        case .unknown:
            userSince = .next()
            renewal?.newUser = userSince
        case .another: userSince = .next()
        }
        isFromStore = false
        read(tokens, subject: subject(of: tokens, isAnswer: isAnswer), policy)
        // Tokens that are short-lived from the start would be refreshed with every call.
        if let date = refreshDate, date <= now {
            refreshDate = tokens?.expiry.flatMap { $0 > now ? $0 : nil }
        }
        let ended = settle(tokens == nil ? SessionRefusal(kind: .loginRequired) : nil)
        if isAnswer, ended?.need == .refresh, let last = refreshes.indices.last {
            refreshes[last].generation = generation
        }
        return ended
    }

    /// What another process has written: newer tokens of the same user, or those of another one, for whom nothing is
    /// repeated.
    mutating func replace(_ stored: StoredSession, at now: Date, _ policy: RefreshPolicy) -> Renewal? {
        let (before, since) = (subject, userSince)
        let renewal = replace(stored.tokens, isAnswer: true, at: now, policy)
        (subject, isFromStore) = (stored.subject ?? subject, true)
        known = .some(stored)
        if subject == before { userSince = since } else if userSince == since { userSince = .next() }
        return renewal
    }

    /// The renewal brought nothing.
    mutating func fail(_ failure: SessionRefusal) -> Renewal? {
        guard renewal?.isAhead != true else {
            // Nobody has to know: the tokens are still good.
            refreshDate = tokens?.expiry
            defer { renewal = nil }
            return renewal
        }
        return settle(failure)
    }

    private mutating func settle(_ failure: SessionRefusal?) -> Renewal? {
        generation += 1
        lastFailure = failure
        defer { renewal = nil }
        return renewal
    }

    // MARK: Ahead of expiry

    enum Freshness {
        case good
        /// Good for a while, and to be refreshed in the background.
        case aging
        /// No longer good, or being replaced.
        case stale
    }

    func freshness(at now: Date) -> Freshness {
        switch renewal {
        // What needs no login goes out meanwhile; the login itself may depend on it.
        case let renewal? where renewal.need == .login: return .good
        case let renewal? where !renewal.isAhead: return .stale
        default: break
        }
        guard let tokens, let refreshDate, refreshDate <= now else { return .good }
        guard let expiry = tokens.expiry, expiry > now else { return .stale }
        return renewal == nil ? .aging : .good
    }
}
