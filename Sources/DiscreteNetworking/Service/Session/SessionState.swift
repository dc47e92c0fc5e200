import Foundation

/// A refresh or a login on its way, and who waits for it.
struct Renewal: Sendable {
    /// Told `nil` where the call may be repeated, and otherwise what it ends with.
    typealias Waiter = Promise<APIError.Kind?>

    let number: Int
    var need: SessionNeed
    /// Began in the background, while the tokens were still good, and nobody has failed since.
    var isAhead = false
    var task: Task<Void, Never>?
    var deadline: Deadlines.Token?
    var waiters: [ObjectIdentifier: Waiter] = [:]
}

/// What a ``TokenSession`` knows, and how it decides. Under one lock, and without any effect.
struct SessionState: Sendable {
    var tokens: SessionTokens?
    /// Whether ``tokens`` says what the store does, or something newer.
    var isRead = false
    /// How often the tokens have changed, or failed to.
    private(set) var generation = 0
    /// How the last change failed; `nil` where it did not.
    private(set) var lastFailure: APIError.Kind?
    var renewal: Renewal?
    /// The generation that the last logout began: no call of the user before it is repeated for the one after.
    private var firstAfterLogout = 0
    private var lastNumber = 0
    /// When the refreshes of the last ``RefreshPolicy/window`` began.
    private var refreshes: [Date] = []
    /// From when on the next call refreshes before anybody says that the token is expired.
    private var refreshDate: Date?

    enum Answer {
        /// There is nothing to wait for.
        case settled(APIError.Kind?)
        /// For the renewal that is on its way.
        case wait
        /// For a new one.
        case begin
    }

    /// What a call has to do that needs something.
    /// - Parameter generation: how old the tokens are that it has used.
    func answer(to generation: Int) -> Answer {
        if generation < firstAfterLogout { return .settled(.loginRequired) }
        if renewal != nil { return .wait }
        return generation < self.generation ? .settled(lastFailure) : .begin
    }

    /// Makes room for a refresh among those of the last window.
    mutating func admitRefresh(at now: Date, _ policy: RefreshPolicy) -> Bool {
        // Dates in the future are from before the clock was set back.
        refreshes.removeAll { $0 > now || now.timeIntervalSince($0) >= policy.window }
        guard refreshes.count < policy.limit else { return false }
        refreshes.append(now)
        return true
    }

    mutating func begin(_ need: SessionNeed, isAhead: Bool = false) -> Renewal {
        lastNumber += 1
        return Renewal(number: lastNumber, need: need, isAhead: isAhead)
    }

    // MARK: Changes

    mutating func read(_ tokens: SessionTokens?, _ policy: RefreshPolicy) {
        isRead = true
        self.tokens = tokens
        refreshDate = policy.ahead > 0 ? tokens?.expiry?.addingTimeInterval(-policy.ahead) : nil
    }

    /// New tokens, or a logout.
    /// - Parameter failure: what calls with older tokens end with; `nil` where they are repeated.
    /// - Returns: the renewal that this makes superfluous.
    mutating func replace(
        _ tokens: SessionTokens?, failure: APIError.Kind?, at now: Date, _ policy: RefreshPolicy
    ) -> Renewal? {
        read(tokens, policy)
        // Tokens that are short-lived from the start would be refreshed with every call.
        if let date = refreshDate, date <= now {
            refreshDate = tokens?.expiry.flatMap { $0 > now ? $0 : nil }
        }
        defer { if tokens == nil { firstAfterLogout = generation } }
        return settle(failure)
    }

    /// The renewal brought nothing.
    mutating func fail(_ failure: APIError.Kind) -> Renewal? {
        guard renewal?.isAhead != true else {
            // Nobody has to know: the tokens are still good.
            refreshDate = tokens?.expiry
            defer { renewal = nil }
            return renewal
        }
        return settle(failure)
    }

    private mutating func settle(_ failure: APIError.Kind?) -> Renewal? {
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
