package import DiscreteNetworkingHTTP

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
/// with a `Cookie` header of its own neither sends nor sets cookies of the jar. The initializer is in `DiscreteNetworkingCookies`.
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
    package let machinery: any CookieMachinery

    package init(_ machinery: any CookieMachinery) { self.machinery = machinery }
}

/// The cookies of a jar: in one environment of an ``EnvironmentService``, or in all.
package protocol CookieMachinery: KeptInMemory {
    /// Keeps a part for an environment.
    /// - Parameter name: Returns the name of the current environment.
    func declare(in environment: String, name: @escaping @Sendable () -> String)

    /// The part of an environment; of the current one without a name.
    func part(of environment: String?) -> any CookieMachinery

    /// Returns the part of an exchange. It has no cookies if the user of the request has left meanwhile.
    /// - Parameters:
    ///   - snapshot: The tokens of the request; `nil` for a request without them.
    ///   - session: The session of the service; `nil` if it has none.
    func turn(for snapshot: SessionSnapshot?, of session: TokenSession?) async -> any CookieKeeping

    func removeAll()
}

extension CookieJar: KeptInMemory {
    package func keepInMemory(_ storage: MemoryStorage) { machinery.keepInMemory(storage) }
}
