public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The cookies of one backend (RFC 6265bis), on any transport.
///
/// ```swift
/// final class ForumService: Service {
///     let baseURL = URL(string: "https://forum.example.com")!
///     let configuration = ServiceConfiguration(
///         cookies: CookieJar(
///             store: KeychainCredentialStore(service: "com.example.forum")))
/// }
/// ```
/// Applies domain, path, `Secure`, expiry, the prefixes `__Host-` and `__Secure-`, and limits, also to redirects. A request
/// with a `Cookie` header of its own neither sends nor sets cookies of the jar.
///
/// Without a store, cookies live as long as the jar. With a store, cookies with an expiry are persistent. The store
/// names the user of the service's ``ServiceConfiguration/session``: another user, or nobody, gets none of the stored
/// cookies. Cookies that are set while nobody is logged in, such as a login's cookies, belong to the user who logs in
/// next and are stored from then on. A logout, or a login of another user, empties the jar. Services that share a jar
/// return the same session. A service without a session calls ``removeAll()``. Responses to requests sent before that
/// set no cookies.
///
/// In an ``EnvironmentService`` each environment has cookies of its own; all members are about the current one.
///
/// The limits are 50 cookies of a domain, 300 in all, 4096 bytes of a cookie, 8000 bytes of a `Cookie` header and 400 days.
///
/// A cookie for a public suffix, such as `com`, `co.uk` or `github.io`, is rejected. The suffixes are the most used ones, not
/// the Public Suffix List.
public final class CookieJar: Sendable {
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
    let parts = Locked<EnvironmentParts<CookieJar>?>(nil)

    /// Creates a jar.
    /// - Parameters:
    ///   - store: Stores the cookies that have an expiry; read on first use.
    ///   - key: The key of the cookies in the store, unique for each jar. Processes may share it if they share the session's
    ///     store too.
    ///   - now: Returns the current date.
    ///   - onStoreFailure: Called if the store cannot be read or written, once for a failure that repeats itself, on any
    ///     thread. The cookies stay in memory.
    public init(
        store: (any CredentialStore)? = nil, key: String = "cookies",
        now: @escaping @Sendable () -> Date = { Date() },
        onStoreFailure: (@Sendable (CredentialStoreError) -> Void)? = nil
    ) {
        state = Locked(State(isRead: store == nil))
        persistence = store.map {
            CookiePersistence(store: $0, key: key, now: now, onFailure: onStoreFailure)
        }
        self.now = now
    }

    /// Creates the part of a jar for another environment than its first.
    init(part environment: String, of other: CookieJar) {
        persistence = other.persistence?.neighbor(in: environment)
        state = Locked(State(isRead: persistence == nil))
        now = other.now
    }

    /// The cookies that have not expired, oldest first. Stored cookies are included after ``load()``.
    public var cookies: [HTTPCookie] { here.ownCookies }

    private var ownCookies: [HTTPCookie] {
        let now = now()
        let cookies = state.withLock { state in
            var cookies = state.cookies
            if let stored = state.stored { cookies.prepend(stored.cookies, at: now) }
            return cookies
        }
        return cookies.all.filter { !$0.isExpired(at: now) }.compactMap(\.httpCookie)
    }

    /// Adds a cookie, such as one of a web view, and replaces a cookie with the same name, domain and path. An expired cookie
    /// removes it.
    /// - Returns: `false` for a cookie that RFC 6265bis forbids: with a control character, a semicolon or more than 4096 bytes,
    ///   without a name, for a public suffix, or against the prefix of its name. It is not added.
    @discardableResult
    public func add(_ cookie: HTTPCookie) -> Bool { here.set(cookie) }

    private func set(_ cookie: HTTPCookie) -> Bool {
        let now = now()
        let isValid = state.withLock { $0.cookies.set(Cookie(cookie, at: now), at: now) }
        enqueueSave()
        return isValid
    }

    /// Removes all cookies, from the store asynchronously.
    public func removeAll() { here.empty() }

    func empty() {
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
        fileprivate let jar: CookieJar
        /// `nil` for an exchange that has no cookies.
        let generation: Int?

        /// Exchanges with different identities keep their cookies in different places.
        struct Identity: Hashable {
            let jar: ObjectIdentifier
            let generation: Int?
        }

        var identity: Identity { Identity(jar: ObjectIdentifier(jar), generation: generation) }

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
    func turn(for snapshot: SessionSnapshot?, of session: TokenSession?) async -> Turn {
        await loadOwn()
        let now = now()
        guard let session = snapshot?.session ?? session else { return begin(.unknown, at: now) }
        await session.loadHere()
        return session.state.withLock { user in
            guard user.isRead || user.tokens != nil, snapshot.map({ $0.subject == user.subject }) ?? true
            else {
                return Turn(jar: self, generation: nil)
            }
            return begin(user.subject.map(CookieOwner.user) ?? .nobody, at: now)
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

extension CookieJar.State {
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

extension CookieJar: SecretBearing {
    /// How many cookies there are; never a value.
    public var description: String { "CookieJar(\(cookies.count) cookies)" }
}
