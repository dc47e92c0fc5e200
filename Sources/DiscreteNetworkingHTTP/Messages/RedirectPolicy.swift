import Foundation

/// What to do when a server answers with a redirect (RFC 9110 section 15.4).
///
/// Whatever the policy, a redirect is only followed to `http` or `https`, and at most 20 times; one that is
/// not is ``TransportError/Kind/redirectRefused``. One from `https` to `http`, or to a host that is not among
/// ``Service/plainHTTPHosts``, is ``APIError/Kind/invalidRequest(reason:)``.
///
/// A `Location` with userinfo (`https://user:password@host/`) is refused in the same way (RFC 9110 section 4.2.4), unless
/// it is that of the request and leads to the same origin.
///
/// Within an origin (scheme, host and port, RFC 6454) the next request has the headers of the first. To another
/// origin go, of its headers, only these: `Accept`, `Accept-Encoding`, `Accept-Language`, `Cache-Control`,
/// `Content-Encoding`, `Content-Language`, `Content-Type`, `If-Match`, `If-Modified-Since`, `If-None-Match`,
/// `If-Range`, `If-Unmodified-Since`, `Range` and `User-Agent`, and of these none that the proxy's ``Redaction``
/// names. Nothing else is sent but the URL that the server named, the method, and, unless the method becomes GET,
/// the body.
///
/// A body that holds a secret (params or parts of a form with a secret name, or such names found in its bytes)
/// goes to another origin only where ``decide(_:)`` says so; otherwise the call fails with
/// ``TransportError/Kind/redirectRefused``. Of other bytes, of a file, and of a stream nobody can say what they hold:
/// they are sent, unless the policy refuses.
public enum RedirectPolicy: Sendable {
    /// Follow: 303 as a GET, 301 and 302 of a POST as a GET, all others with method and body as they were.
    case follow
    /// Do not follow: the redirect is the response.
    case refuse
    /// Follow where the closure says so; otherwise the redirect is the response.
    case decide(@Sendable (Redirect) -> Bool)
}

/// A redirect about to be followed.
public struct Redirect: Sendable {
    /// The status code of the response that redirects.
    public let status: Int
    /// The URL that was asked.
    public let source: URL
    /// The request that would be sent next: all of it, with the headers that go along and the body.
    public let request: APIRequest

    package init(status: Int, source: URL, request: APIRequest) {
        self.status = status
        self.source = source
        self.request = request
    }
}

extension Redirect: SecretBearing {
    /// Status and target, without any secret.
    public var description: String { "\(status) to \(request)" }
}
