import Foundation

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
/// for each environment and each user, until a logout or a login. If the backend rejects a token, see ``rejects``, a fresh one
/// is fetched once for all calls that failed with the old one, and each of them is retried once. If it is rejected again, or
/// the token cannot be fetched, the call fails.
///
/// The token is a secret for ``Redaction`` under any name, and does not distinguish requests in caches and recordings.
///
/// Source: OWASP, Cross-Site Request Forgery Prevention Cheat Sheet.
public struct CSRFProtection: Sendable {
    /// Where the token comes from.
    enum TokenPlace: Sendable {
        /// From the cookie of a name.
        case cookie(String)
        /// From a fetch.
        case fetch
    }

    /// What a fetch is for.
    struct Order: Sendable {
        let service: ServiceIdentifier
        /// Whether the calls that wait for the token use the session.
        let usesSession: Bool
    }

    /// Fetches a token, or the cookie that holds it, over a dispatcher.
    typealias Fetch =
        @MainActor @Sendable (_ order: Order, _ dispatcher: any CallDispatcher) async throws -> String

    /// The header of the token.
    public let header: HTTPFields.Name
    let place: TokenPlace
    /// `nil` if the token comes from a cookie that some response sets.
    let fetch: Fetch?
    /// Returns whether a failure means that the token was missing or not accepted. Default:
    /// ``mentionsCSRF(_:)``.
    ///
    /// ```swift
    /// csrf.rejects = { $0.error.businessCode == "csrf_failed" }
    /// ```
    public var rejects: @Sendable (FailureContext) -> Bool = CSRFProtection.mentionsCSRF

    init(header: HTTPFields.Name, place: TokenPlace, fetch: Fetch?) {
        (self.header, self.place, self.fetch) = (header, place, fetch)
    }

    /// Repeats a cookie in a header, percent-decoded. Without the cookie, the header is not sent.
    ///
    /// The cookie is read from the ``ServiceConfiguration/cookies`` that are sent with the request. A rejected call is retried
    /// if a response has set another value meanwhile.
    /// - Parameters:
    ///   - cookie: The name of the cookie. Default: the name in axios and Angular.
    ///   - header: The header. Default: the header in axios and Angular.
    public init(cookie: String = "XSRF-TOKEN", header: HTTPFields.Name = "X-XSRF-TOKEN") {
        self.init(header: header, place: .cookie(cookie), fetch: nil)
    }

    /// Returns whether the backend says that it misses a CSRF token: with 419, or with 400, 403 or 422 and `csrf` or `xsrf` in a
    /// header's name or in the first 64 KiB of the body.
    public static func mentionsCSRF(_ failure: FailureContext) -> Bool {
        guard let response = failure.response else { return false }
        switch response.status {
        case 419: return true
        case 400, 403, 422:
            let names = response.headers.map(\.name.canonicalName).filter { $0 != "set-cookie" }
            return names.contains(where: Self.mentions)
                || mentions(String(decoding: response.body.prefix(64 << 10), as: UTF8.self).lowercased())
        default: return false
        }
    }

    private static func mentions(_ text: String) -> Bool { text.contains("csrf") || text.contains("xsrf") }

    /// The name of the cookie that holds the token; `nil` if none does.
    var cookie: String? { if case .cookie(let name) = place { name } else { nil } }

    /// Whether two are declared with the same names.
    func isSame(as other: CSRFProtection) -> Bool { header == other.header && cookie == other.cookie }
}

extension CSRFProtection: SecretBearing {
    /// The header; never a token.
    public var description: String { "CSRFProtection(\(header))" }
}
