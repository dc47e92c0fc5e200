import DiscreteNetworkingCore
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The cookies of a jar, in one environment.
final class JarPart: Sendable {
    /// The state, under one lock. A session's lock is taken before it, never after it.
    struct State: Sendable {
        var cookies = CookieStorage()
        var owner = CookieOwner.unknown
        /// The number of times the jar was emptied.
        var generation = 0
        var isRead: Bool
        /// The cookies that were read from the store, until the first exchange shows the user.
        var stored: CookieFile?
        /// Whether the next write replaces what another user, or nobody, has stored.
        var replacesOthers = false
        /// Whether the next write replaces everything stored.
        var replacesAll = false
        /// Whether the store was empty after this process last read or wrote it. If it is empty only now, another process has
        /// removed the cookies.
        var isKnownEmpty = false
        /// Whether a write has been enqueued and has not begun.
        var isSaveEnqueued = false
    }

    let state: Locked<State>
    let persistence: CookiePersistence?
    let now: @Sendable () -> Date
    /// `nil` without environments.
    let parts = Locked<EnvironmentParts<JarPart>?>(nil)

    init(
        store: (any CredentialStore)?, key: String, now: @escaping @Sendable () -> Date,
        onStoreFailure: (@Sendable (CredentialStoreError) -> Void)?
    ) {
        state = Locked(State(isRead: store == nil))
        persistence = store.map {
            CookiePersistence(store: $0, key: key, now: now, onFailure: onStoreFailure)
        }
        self.now = now
    }

    /// Creates the part of a jar for another environment than its first.
    init(part environment: String, of other: JarPart) {
        persistence = other.persistence?.neighbor(in: environment)
        state = Locked(State(isRead: persistence == nil))
        now = other.now
    }

    /// The cookies that have not expired, oldest first.
    var cookies: [HTTPCookie] {
        let now = now()
        let cookies = state.withLock { state in
            var cookies = state.cookies
            if let stored = state.stored { cookies.prepend(stored.cookies, at: now) }
            return cookies
        }
        return cookies.all.filter { !$0.isExpired(at: now) }.compactMap(\.httpCookie)
    }

    func add(_ cookie: HTTPCookie) -> Bool {
        let now = now()
        let isValid = state.withLock { $0.cookies.set(Cookie(cookie, at: now), at: now) }
        enqueueSave()
        return isValid
    }

    func removeAll() {
        state.withLock { state in
            state.empty()
            state.owner = .unknown
            (state.stored, state.isRead) = (nil, true)
            (state.replacesOthers, state.replacesAll) = (false, true)
        }
        enqueueSave()
    }

    // MARK: Exchanges

    /// What one exchange does with the jar. It has no effect after the jar was emptied.
    struct Turn: CookieKeeping {
        fileprivate let jar: JarPart
        /// `nil` for an exchange that has no cookies.
        let generation: Int?

        var place: CookiePlace { CookiePlace(jar: ObjectIdentifier(jar), generation: generation) }

        func header(for url: URL) -> String? { jar.header(for: url, generation) }
        func keep(_ lines: [String], from url: URL) { jar.keep(lines, from: url, generation) }
    }

    /// Returns the turn of an exchange.
    ///
    /// It has no cookies if the user of the request has left meanwhile, or if the session's store is locked, so that the user
    /// is unknown.
    /// - Parameters:
    ///   - snapshot: The tokens of the request; `nil` for a request without them.
    ///   - session: The session of the service; `nil` if it has none.
    func turn(for snapshot: SessionSnapshot?, of session: TokenSession?) async -> any CookieKeeping {
        await load()
        let now = now()
        guard let session = snapshot?.session ?? session else { return begin(.unknown, at: now) }
        return await session.withUser(of: snapshot) { subject, isTheirs in
            guard isTheirs else { return Turn(jar: self, generation: nil) }
            return begin(subject.map(CookieOwner.user) ?? .nobody, at: now)
        }
    }

    private func begin(_ owner: CookieOwner, at now: Date) -> Turn {
        let (generation, isToSave) = state.withLock { state in
            let (before, old) = (state.replacesOthers, state.owner)
            let generation = state.begin(owner, at: now)
            // What was added before the user was known is that user's.
            let isClaimed = state.owner != old && !state.cookies.changed.isEmpty
            return (generation, state.replacesOthers && !before || isClaimed)
        }
        if isToSave { enqueueSave() }
        return Turn(jar: self, generation: generation)
    }

    private func header(for url: URL, _ generation: Int?) -> String? {
        let now = now()
        return state.withLock { state in
            state.generation == generation ? state.cookies.header(for: url, at: now) : nil
        }
    }

    private func keep(_ lines: [String], from url: URL, _ generation: Int?) {
        guard !lines.isEmpty, generation != nil else { return }
        let now = now()
        let isSecure = CookieScope.isSecure(url)
        let cookies = lines.compactMap { SetCookie($0)?.cookie(from: url, now: now) }
        state.withLock { state in
            guard state.generation == generation else { return }
            for cookie in cookies { state.cookies.set(cookie, isSecure: isSecure, at: now) }
        }
        enqueueSave()
    }
}

extension JarPart.State {
    /// Empties the jar: of exchanges that have begun, nothing is sent or set any more.
    mutating func empty() {
        cookies = CookieStorage()
        generation += 1
    }

    /// Begins an exchange of a user, to whom the cookies belong from then on.
    /// - Parameter user: ``CookieOwner/unknown`` leaves the jar as it is.
    /// - Returns: The generation of the exchange.
    mutating func begin(_ user: CookieOwner, at now: Date) -> Int {
        if user != .unknown, user != owner {
            if case .user = owner {
                empty()
                replacesOthers = true
            }
            if user != .nobody { replacesOthers = true }
            owner = user
            cookies.changed.formUnion(cookies.all.map(\.id))
        }
        if let file = stored {
            stored = nil
            if owner == .unknown { owner = file.owner }
            if owner == file.owner {
                cookies.prepend(file.cookies, at: now)
                replacesOthers = false
            } else {
                replacesOthers = true
            }
        }
        return generation
    }
}

// MARK: Environments

extension JarPart: DividedByEnvironment, CookieMachinery {
    func makePart(in environment: String) -> JarPart { JarPart(part: environment, of: self) }
    func moveStore(to environment: String) { persistence?.move(to: environment) }

    func part(of environment: String?) -> any CookieMachinery {
        environment.map { part(in: $0) } ?? here
    }
}
