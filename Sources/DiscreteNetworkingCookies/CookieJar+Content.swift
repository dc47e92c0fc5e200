public import DiscreteNetworkingCore
public import DiscreteNetworkingHTTP
public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

extension CookieJar {
    /// Creates a jar.
    /// - Parameters:
    ///   - store: Stores the cookies that have an expiry; read on first use.
    ///   - key: The key of the cookies in the store, unique for each jar. Processes may share it if they share the session's
    ///     store too.
    ///   - now: Returns the current date.
    ///   - onStoreFailure: Called if the store cannot be read or written, once for a failure that repeats itself, on any
    ///     thread. The cookies stay in memory.
    public convenience init(
        store: (any CredentialStore)? = nil, key: String = "cookies",
        now: @escaping @Sendable () -> Date = { Date() },
        onStoreFailure: (@Sendable (CredentialStoreError) -> Void)? = nil
    ) {
        self.init(JarPart(store: store, key: key, now: now, onStoreFailure: onStoreFailure))
    }

    /// The cookies that have not expired, oldest first. Stored cookies are included after ``load()``.
    public var cookies: [HTTPCookie] { here?.cookies ?? [] }

    /// Adds a cookie, such as one of a web view, and replaces a cookie with the same name, domain and path. An expired cookie
    /// removes it.
    /// - Returns: `false` for a cookie that RFC 6265bis forbids: with a control character, a semicolon or more than 4096 bytes,
    ///   without a name, for a public suffix, or against the prefix of its name. It is not added.
    @discardableResult
    public func add(_ cookie: HTTPCookie) -> Bool { here?.add(cookie) ?? false }

    /// Removes all cookies, from the store asynchronously.
    public func removeAll() { here?.removeAll() }

    /// Reads the store unless it has been read. Each call does so before it is sent.
    public func load() async { await here?.load() }

    /// Waits until the store has the current cookies; call it before the program ends.
    /// - Throws: The store's error. The cookies stay in memory and are written with the next change.
    public func save() async throws(CredentialStoreError) { try await here?.save() }

    /// The part of the current environment. Nothing but the initializer above makes a jar.
    private var here: JarPart? { machinery.part(of: nil) as? JarPart }
}

extension CookieJar: SecretBearing {
    /// How many cookies there are; never a value.
    public var description: String { "CookieJar(\(cookies.count) cookies)" }
}
