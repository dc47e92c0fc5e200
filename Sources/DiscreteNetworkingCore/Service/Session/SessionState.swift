import Foundation

/// A refresh or a login in progress, and the calls that wait for it.
struct Renewal: Sendable {
    typealias Waiter = Promise<SessionAnswer>

    let number: Int
    var need: SessionRequirement
    /// Whether it started in the background, while the tokens were still valid, and no call has failed
    /// since.
    var isAhead = false
    var task: Task<Void, Never>?
    var deadline: Deadlines.Token?
    var waiters: [ObjectIdentifier: Waiter] = [:]
    /// The epoch of the user for whom waiting calls continue, if that may be another user than before.
    var newUser: UserEpoch?
}

/// The state of a ``TokenSession`` and its transitions. Used under one lock, free of side effects.
struct SessionState: Sendable, SelfChecking {
    private(set) var tokens: SessionTokens?
    /// Identifies the user of the tokens, also after a refresh. Does not reveal a token.
    private(set) var subject: String?
    /// What is known of the content of the store.
    private var stored: StoreContent
    /// The number of token changes, failed ones included.
    private(set) var generation = 0
    /// The number of logins and logouts.
    private(set) var logins = 0
    /// The generation of the newest tokens that were accepted.
    private(set) var acceptedGeneration: Int?
    /// Why the last change failed; `nil` if it succeeded.
    private(set) var lastFailure: SessionRefusal?
    var renewal: Renewal?
    /// Whether the backend has rejected the refresh token. It is not sent again: a backend that rotates them may take that for theft
    /// (RFC 9700 section 4.14.2).
    var isRefreshRejected = false
    /// When the current user logged in. Calls made before are neither sent nor repeated for this user.
    private(set) var userSince = UserEpoch()
    /// Called when the user of an epoch leaves.
    var watchers: [SessionWatcher: (epoch: UserEpoch, onDeparture: @MainActor @Sendable () -> Void)] = [:]
    /// Whether another process stored the tokens and no call of this process has used them.
    private(set) var isFromStore = false
    /// The last announced error of reading the store.
    private var loadProblem: String?
    /// Why the store could not be read yet, and how often.
    private var unavailability: (error: CredentialStoreError, count: Int)?
    private var lastNumber = 0
    /// The refreshes within the last ``RefreshPolicy/window``: the start of each, and the generation of the tokens that
    /// it produced. A refresh is removed when its tokens are accepted.
    private var refreshes: [(began: Date, generation: Int?)] = []
    /// The date after which the next call refreshes proactively.
    private var refreshDate: Date?

    /// Whether the next write replaces only what the store is known to have: refreshed tokens follow those there, as does what could
    /// not be written. A login and a logout replace everything.
    private var followsStore = false
    /// The number of writes that failed since the store had what it should have.
    private(set) var failedWrites = 0
    /// The last announced error of writing the store.
    private var writeProblem: String?

    /// What a session knows of its store.
    private enum StoreContent {
        /// The store was not read. There are no tokens in memory.
        case unread
        /// Memory counts as newer: the store could not be read, or there is none.
        case unknown
        /// One of these. After a write that failed, what was to be written may be there.
        case known([StoredSession?])
    }

    init(hasStore: Bool) { stored = hasStore ? .unread : .unknown }

    /// Whether ``tokens`` is at least as recent as the store. `true` from the start if there is no store.
    var isRead: Bool { if case .unread = stored { false } else { true } }

    /// Why it is not known who is logged in; `nil` if it is known, or if nobody has asked.
    var storeFailure: CredentialStoreError? { isRead ? nil : unavailability?.error }
    /// The time until the next reading of a store that could not be read, in seconds.
    var readPause: TimeInterval { pow(2, Double(min(unavailability?.count ?? 1, 9) - 1)) }

    func checkInvariants() {
        assert(renewal.map { $0.number <= lastNumber } ?? true, "a renewal has a number that was not given")
        assert(renewal?.isAhead != true || renewal?.need == .refresh, "only a refresh is ahead of time")
        assert(acceptedGeneration.map { $0 <= generation } ?? true, "tokens were accepted that are none yet")
        assert(refreshDate == nil || tokens != nil, "a refresh of no tokens is due")
        assert(isRead || tokens == nil, "there are tokens, and the store was not read")
        assert(
            refreshes.allSatisfy { $0.generation.map { $0 <= generation } ?? true },
            "a refresh made later tokens")
    }

    enum Answer {
        /// There is nothing to wait for.
        case settled(SessionRefusal?)
        /// Wait for the renewal in progress.
        case wait
        /// Start a renewal.
        case begin
    }

    /// Returns how a call that needs a renewal proceeds.
    /// - Parameter generation: The generation of the tokens that the call used.
    func answer(to call: APICall, since generation: Int) -> Answer {
        guard isUser(of: call) else { return .settled(SessionRefusal(kind: .loginRequired)) }
        if renewal != nil { return .wait }
        return generation < self.generation ? .settled(lastFailure) : .begin
    }

    /// Records the start of a refresh; returns `false` if the limit within the window is reached.
    mutating func admitRefresh(at now: Date, _ policy: RefreshPolicy) -> Bool {
        // Dates in the future date from before the clock was set back.
        refreshes.removeAll { $0.began > now || now.timeIntervalSince($0.began) >= policy.window }
        guard refreshes.count < policy.limit else { return false }
        refreshes.append((now, nil))
        return true
    }

    /// Records that the tokens of a generation were accepted: the refresh that produced them no longer
    /// counts against the limit. A late response to a request with older tokens says nothing about newer ones.
    mutating func accept(_ generation: Int) {
        refreshes.removeAll { $0.generation == generation }
        acceptedGeneration = max(acceptedGeneration ?? generation, generation)
    }

    mutating func begin(_ need: SessionRequirement, isAhead: Bool = false) -> Renewal {
        lastNumber += 1
        return Renewal(number: lastNumber, need: need, isAhead: isAhead)
    }

    // MARK: Changes

    mutating func read(_ tokens: SessionTokens?, subject: String? = nil, _ policy: RefreshPolicy) {
        if !isRead { stored = .unknown }
        unavailability = nil
        isRefreshRejected = false
        self.tokens = tokens
        self.subject = subject ?? tokens.map(Self.subject)
        refreshDate = policy.ahead > 0 ? tokens?.expiry?.addingTimeInterval(-policy.ahead) : nil
    }

    // MARK: The store

    /// Adopts the content of the store unless memory is newer.
    mutating func load(_ content: StoredSession?, _ policy: RefreshPolicy) {
        if !isRead { read(content?.tokens, subject: content?.subject, policy) }
        stored = .known([content])
    }

    /// - Returns: The problem to announce; `nil` if it was announced before.
    mutating func couldNotLoad(_ error: any Error, _ policy: RefreshPolicy, isDue: Bool = false) -> String? {
        if let error = error as? CredentialStoreError, error.kind == .deviceLocked || error.kind == .busy {
            unavailability = (error, (unavailability?.count ?? 0) + (isDue ? 0 : 1))
        } else if !isRead {
            read(nil, policy)
        }
        let problem = String(describing: error)
        defer { loadProblem = problem }
        return problem == loadProblem ? nil : problem
    }

    /// Forgets what was read from the store, or is stored there. Calls that were made before, such as the one for which the
    /// service is created, are sent without tokens.
    /// - Returns: The renewal that this ends.
    mutating func leaveStore(at now: Date, _ policy: RefreshPolicy) -> Renewal? {
        guard isRead else { return nil }
        let since = userSince
        defer { (stored, userSince) = (.unknown, since) }
        return replace(nil, at: now, policy)
    }

    var toStore: StoredSession? { tokens.map { StoredSession(tokens: $0, subject: subject) } }
    /// Whether the store needs no write.
    var isStored: Bool {
        switch stored {
        // What is in memory is not what the user has.
        case .unread: true
        case .unknown: false
        case .known(let contents): contents == [toStore]
        }
    }
    /// What the next write may replace; `nil` for everything.
    var replaceable: [StoredSession?]? {
        if followsStore, case .known(let contents) = stored { contents } else { nil }
    }
    /// Records what a write has left in the store.
    mutating func wrote(_ content: StoredSession?) {
        stored = .known([content])
        (failedWrites, writeProblem) = (0, nil)
    }
    /// The time until the next write of what could not be written, in seconds.
    var writePause: TimeInterval { pow(2, Double(min(failedWrites, 9) - 1)) }
    /// Records that a write has failed.
    /// - Parameter isDue: Whether another one is due already, so that the pause before it does not grow.
    /// - Returns: The problem to announce; `nil` if it was announced before.
    mutating func couldNotWrite(
        _ content: StoredSession?, _ error: CredentialStoreError, isDue: Bool = false
    ) -> String? {
        if case .known(let contents) = stored, !contents.contains(content) {
            stored = .known(contents + [content])
        }
        // Otherwise a login or a logout has come since.
        if content == toStore { followsStore = true }
        if !isDue { failedWrites += 1 }
        let problem = String(describing: error)
        defer { writeProblem = problem }
        return problem == writeProblem ? nil : problem
    }

    /// Whether another process has changed the store. If the last known content is unknown, as after a
    /// failed write, memory counts as newer.
    func isChanged(_ content: StoredSession?) -> Bool {
        if case .known(let known) = stored { !known.contains(content) } else { false }
    }

    private static func subject(of tokens: SessionTokens) -> String {
        MessageDigest(.sha256, of: tokens.user ?? tokens.refreshToken ?? tokens.accessToken).hexadecimal
    }

    /// Returns the current subject if new tokens are known to belong to the same user.
    private func subject(of new: SessionTokens?, isAnswer: Bool) -> String? {
        guard let new, new.user == tokens?.user else { return nil }
        let isRefresh = isAnswer && renewal?.need == .refresh
        return isRefresh || new.refreshToken != nil && new.refreshToken == tokens?.refreshToken
            ? subject : nil
    }

    /// Replaces the tokens; `nil` for a logout.
    /// - Parameter isAnswer: Whether the renewal in progress produced the tokens.
    /// - Returns: The renewal that this ends.
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
        followsStore = isAnswer && renewal?.need == .refresh
        if !followsStore { logins += 1 }
        isFromStore = false
        read(tokens, subject: subject(of: tokens, isAnswer: isAnswer), policy)
        // Otherwise tokens with a short lifetime would be refreshed with every call.
        if isAnswer, let date = refreshDate, date <= now {
            refreshDate = tokens?.expiry.flatMap { $0 > now ? $0 : nil }
        }
        let ended = settle(tokens == nil ? SessionRefusal(kind: .loginRequired) : nil)
        if isAnswer, ended?.need == .refresh, let last = refreshes.indices.last {
            refreshes[last].generation = generation
        }
        return ended
    }

    /// Adopts the tokens that another process stored. They are newer tokens of the same user, or another user's tokens.
    /// For another user, no call is retried.
    mutating func replace(_ content: StoredSession, at now: Date, _ policy: RefreshPolicy) -> Renewal? {
        let (before, since) = (subject, userSince)
        let renewal = replace(content.tokens, isAnswer: true, at: now, policy)
        (subject, isFromStore) = (content.subject ?? subject, true)
        stored = .known([content])
        if subject == before { userSince = since } else if userSince == since { userSince = .next() }
        return renewal
    }

    /// Adopts what another process has left in the store, instead of what could not replace it.
    /// - Returns: What has happened, and the renewal that this ends; `nil` if a login or a logout has come since.
    mutating func take(
        _ found: StoredSession?, insteadOf content: StoredSession?, at now: Date, _ policy: RefreshPolicy
    ) -> (event: SessionEvent, ended: Renewal?)? {
        guard content == toStore else { return nil }
        let before = subject
        let ended = found.map { replace($0, at: now, policy) } ?? replace(nil, at: now, policy)
        wrote(found)
        return (found == nil ? .loggedOut : subject == before ? .refreshed : .loggedIn, ended)
    }

    /// Adopts tokens of another process that have expired, and are refreshed next.
    mutating func take(_ content: StoredSession, _ policy: RefreshPolicy) {
        let before = subject
        read(content.tokens, subject: content.subject, policy)
        stored = .known([content])
        if subject != before { userSince = .next() }
    }

    /// Has another name in the store from now on.
    /// - Returns: Whether what is in memory, also that nobody is logged in, has to be written under it.
    mutating func moveStore() -> Bool {
        switch stored {
        case .unread:
            unavailability = nil
            return false
        case .known([nil]):
            stored = .unread
            return false
        case .known, .unknown:
            stored = .unknown
            return true
        }
    }

    /// Ends the renewal with a failure.
    mutating func fail(_ failure: SessionRefusal) -> Renewal? {
        guard renewal?.isAhead != true else {
            // The tokens are still valid, so no caller is affected.
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
        /// Valid for now, but due for a background refresh.
        case aging
        /// Expired, or being replaced.
        case stale
    }

    func freshness(at now: Date) -> Freshness {
        switch renewal {
        // Calls that need no login continue meanwhile; the login itself may depend on them.
        case let renewal? where renewal.need == .login: return .good
        case let renewal? where !renewal.isAhead: return .stale
        default: break
        }
        guard let tokens, let refreshDate, refreshDate <= now else { return .good }
        guard let expiry = tokens.expiry, expiry > now else { return .stale }
        return renewal == nil ? .aging : .good
    }
}
