public import DiscreteNetworkingHTTP

/// The token that a backend requires in a header of unsafe requests, against cross-site request forgery (CSRF, XSRF).
///
/// ```swift
/// // axios, Angular, Laravel, Spring: the value of the cookie XSRF-TOKEN
/// // goes into the header X-XSRF-TOKEN.
/// ServiceConfiguration(cookies: CookieJar(), csrf: CSRFProtection())
/// // Django
/// ServiceConfiguration(
///     cookies: CookieJar(),
///     csrf: CSRFProtection(cookie: "csrftoken", header: "X-CSRFToken"))
/// // Superset, Flask: an endpoint responds with {"result": "…"}.
/// ServiceConfiguration(
///     cookies: CookieJar(),
///     csrf: CSRFProtection(
///         endpoint: "security/csrf_token/", at: "result", header: "X-CSRFToken")
/// )
/// ```
///
/// The header is sent with all methods but GET, HEAD, OPTIONS and TRACE, and only to the origins of ``Service/baseURL`` and of
/// the hosts of a ``FailoverPolicy``; neither a redirect nor a whole URL takes it elsewhere. With it goes a `Referer` with the
/// origin of the request, which Django and Flask require over HTTPS. A header of the same name that the manager or the service
/// has set stays as it is.
///
/// A token from an endpoint is fetched when the first call needs it, once for all calls that wait for it, and is kept in memory:
/// for each environment, host and user, until a logout or a login. If the backend rejects a token, see ``rejects``, a fresh one
/// is fetched once for all calls that failed with the old one, and each of them is retried once. If it is rejected again, or
/// the token cannot be fetched, the call fails.
///
/// The token is a secret for ``Redaction`` under any name, and does not distinguish requests in caches and recordings.
///
/// Source: OWASP, Cross-Site Request Forgery Prevention Cheat Sheet.
public struct CSRFProtection: Policy {
    /// The header of the token.
    public let header: HTTPFields.Name
    /// The name of the cookie that holds the token; `nil` if none does.
    package let cookie: String?
    /// Returns whether a failure means that the token was missing or not accepted. Default:
    /// ``mentionsCSRF(_:)``.
    ///
    /// ```swift
    /// csrf.rejects = { $0.error.businessCode == "csrf_failed" }
    /// ```
    public var rejects: @Sendable (FailureContext) -> Bool
    package let machinery: Machinery

    package init(
        header: HTTPFields.Name, cookie: String?, rejects: @escaping @Sendable (FailureContext) -> Bool,
        machinery: Machinery
    ) {
        self.header = header
        self.cookie = cookie
        self.rejects = rejects
        self.machinery = machinery
    }

    /// Whether two are declared with the same names.
    func isSame(as other: CSRFProtection) -> Bool { header == other.header && cookie == other.cookie }
}

extension CSRFProtection: SecretBearing {
    /// The header; never a token.
    public var description: String { "CSRFProtection(\(header))" }
}
