import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The cookies of one backend (RFC 6265), on any transport.
///
/// ```swift
/// final class ForumService: Service {
///     let baseURL = URL(string: "https://forum.example.com")!
///     let cookies: CookieJar? = CookieJar(store: KeychainCredentialStore(service: "com.example.forum"))
/// }
/// ```
/// Applies domain, path, `Secure` and expiry, also to redirects; cookies of a `Cookie` header that the manager or the
/// service sets come first. Without a store, cookies live as long as the jar; with a store, cookies with an expiry are
/// persistent. A logout of the service's ``Service/session``, or a login of another user, empties the jar; a service without
/// a session calls ``removeAll()``. Responses to requests sent before that set no cookies.
///
/// Does not use a public suffix list: a cookie for a domain of one label, such as `com`, is rejected, one for `co.uk` is not.
public final class CookieJar: Sendable {
    private struct State: Sendable {
        /// Oldest first.
        var cookies: [HTTPCookie] = []
        /// One more each time the jar was emptied.
        var generation = 0
        /// Whose cookies they are, where the service has a session and somebody has logged in.
        var subject: String?
        var isRead: Bool
    }

    /// What no server makes more of.
    static let countLimit = 300

    private let state: Locked<State>
    private let store: (any CredentialStore)?
    private let key: String
    private let queue = DiskQueue("CookieJar")
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - store: Stores the cookies that have an expiry; read on first use.
    ///   - key: The key of the cookies in the store, unique for each jar.
    ///   - now: Returns the current date.
    public init(
        store: (any CredentialStore)? = nil, key: String = "cookies",
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        state = Locked(State(isRead: store == nil))
        self.store = store
        self.key = key
        self.now = now
    }

    /// The cookies that have not expired, oldest first. Stored cookies are included after ``load()``.
    public var cookies: [HTTPCookie] {
        let now = now()
        return state.current.cookies.filter { !$0.isExpired(at: now) }
    }

    /// Adds a cookie, such as one of a web view, and replaces a cookie with the same name, domain and path. An expired cookie
    /// removes it.
    public func add(_ cookie: HTTPCookie) {
        let now = now()
        state.withLock { Self.add(cookie, to: &$0, at: now) }
        save(after: {})
    }

    /// Removes all cookies, from the store asynchronously.
    public func removeAll() {
        state.withLock { Self.empty(&$0) }
        save(after: {})
    }

    /// Reads the store unless it has been read. Each call does so before it is sent.
    public func load() async {
        guard let store, !state.withLock({ $0.isRead }) else { return }
        let key = key
        let now = now()
        await queue.run { [state] in
            guard !state.withLock({ $0.isRead }) else { return }
            // What cannot be read counts as no cookie: a server gives new ones.
            let data = (try? store.read(key)).flatMap { $0 }
            let kept = data.flatMap { try? JSONDecoder().decode([StoredCookie].self, from: $0) } ?? []
            state.withLock { state in
                guard !state.isRead else { return }
                let newer = state.cookies
                state.cookies = []
                for cookie in kept.compactMap(\.cookie) + newer { Self.add(cookie, to: &state, at: now) }
                state.isRead = true
            }
        }
    }

    /// Waits until the store has the current cookies; call it before the program ends.
    public func save() async {
        await withCheckedContinuation { continuation in save { continuation.resume() } }
    }

    private func save(after done: @escaping @Sendable () -> Void) {
        guard let store else { return done() }
        let key = key
        queue.enqueue { [state] in
            let kept = state.current.cookies.compactMap(StoredCookie.init)
            // A store that fails leaves the cookies in memory; a server gives new ones after a restart.
            if !kept.isEmpty, let data = try? JSONEncoder().encode(kept) {
                try? store.write(data, for: key)
            } else {
                try? store.remove(key)
            }
            done()
        }
    }

    // MARK: Exchanges

    /// What one exchange does with the jar: nothing any more once the jar was emptied.
    struct Turn: CookieKeeping {
        fileprivate let jar: CookieJar
        fileprivate let generation: Int

        func header(for url: URL) -> String? { jar.header(for: url, generation) }
        func keep(_ lines: [String], from url: URL) { jar.keep(lines, from: url, generation) }
    }

    /// - Parameter subject: the session's user for whom the exchange is; of another one than before nothing is left.
    func turn(of subject: String?) async -> Turn {
        await load()
        let (generation, isEmptied) = state.withLock { state in
            guard let subject, subject != state.subject else { return (state.generation, false) }
            let isAnother = state.subject != nil
            if isAnother { Self.empty(&state) }
            state.subject = subject
            return (state.generation, isAnother)
        }
        if isEmptied { save(after: {}) }
        return Turn(jar: self, generation: generation)
    }

    private func header(for url: URL, _ generation: Int) -> String? {
        let now = now()
        let cookies = state.withLock { $0.generation == generation ? $0.cookies : [] }
            .filter { !$0.isExpired(at: now) && CookieScope.covers($0, url) }
        guard !cookies.isEmpty else { return nil }
        // Longer paths first, otherwise the older ones; a stable sort keeps those in their order.
        return cookies.enumerated()
            .sorted { ($1.element.path.count, $0.offset) < ($0.element.path.count, $1.offset) }
            .map { "\($0.element.name)=\($0.element.value)" }.joined(separator: "; ")
    }

    private func keep(_ lines: [String], from url: URL, _ generation: Int) {
        guard !lines.isEmpty else { return }
        let now = now()
        let cookies = lines.compactMap { SetCookie($0)?.cookie(from: url, now: now) }
        state.withLock { state in
            guard state.generation == generation else { return }
            for cookie in cookies { Self.add(cookie, to: &state, at: now) }
        }
        save(after: {})
    }

    // MARK: State

    private static func add(_ cookie: HTTPCookie, to state: inout State, at now: Date) {
        let index = state.cookies.firstIndex {
            $0.name == cookie.name && $0.domain.lowercased() == cookie.domain.lowercased()
                && $0.path == cookie.path
        }
        switch (index, cookie.isExpired(at: now)) {
        case (let index?, true): state.cookies.remove(at: index)
        case (let index?, false): state.cookies[index] = cookie
        case (nil, false): state.cookies.append(cookie)
        case (nil, true): break
        }
        if state.cookies.count > countLimit { state.cookies.removeFirst() }
    }

    private static func empty(_ state: inout State) {
        state.cookies = []
        state.generation += 1
        state.subject = nil
        state.isRead = true
    }
}

extension CookieJar: SecretBearing {
    /// How many cookies there are; never a value.
    public var description: String { "CookieJar(\(cookies.count) cookies)" }
}

extension HTTPCookie {
    fileprivate func isExpired(at now: Date) -> Bool { expiresDate.map { $0 <= now } ?? false }
}

/// What a store keeps of a cookie.
private struct StoredCookie: Codable {
    let name, value, domain, path: String
    let isSecure: Bool
    let expires: Date

    /// `nil` for a cookie of this run only.
    init?(_ cookie: HTTPCookie) {
        guard let expires = cookie.expiresDate else { return nil }
        (name, value, domain, path) = (cookie.name, cookie.value, cookie.domain, cookie.path)
        isSecure = cookie.isSecure
        self.expires = expires
    }

    var cookie: HTTPCookie? {
        var properties: [HTTPCookiePropertyKey: Any] = [
            .name: name, .value: value, .domain: domain, .path: path, .expires: expires,
        ]
        if isSecure { properties[.secure] = "TRUE" }
        return HTTPCookie(properties: properties)
    }
}
