public import Foundation

/// How to handle redirects (RFC 9110 section 15.4).
///
/// With any policy, redirects are followed only to `http` or `https`, and at most 20 times; otherwise the
/// exchange fails with ``TransportError/Kind/redirectRefused``. A redirect from `https` to `http`, or to a
/// cleartext host that is not in ``ServiceConfiguration/plainHTTPHosts``, fails with
/// ``APIError/Kind/invalidRequest(reason:)``.
///
/// A `Location` with userinfo (`https://user:password@host/`) is rejected in the same way (RFC 9110 section
/// 4.2.4), unless it is the request's own and leads to the same origin.
///
/// Within an origin (scheme, host and port, RFC 6454) the next request has the same header fields. To
/// another origin, only these are sent: `Accept`, `Accept-Encoding`, `Accept-Language`, `Cache-Control`,
/// `Content-Encoding`, `Content-Language`, `Content-Type`, `If-Match`, `If-Modified-Since`,
/// `If-None-Match`, `If-Range`, `If-Unmodified-Since`, `Range` and `User-Agent`, unless the proxy's
/// ``Redaction`` defines them as secret; and the body, unless the method becomes GET.
///
/// A body with a secret (params or form parts with a secret name, or such names found in its data) is sent
/// to another origin only if ``decide(_:)`` allows it; otherwise the call fails with
/// ``TransportError/Kind/redirectRefused``. Other data, files and streams cannot be inspected and are sent.
public enum RedirectPolicy: Sendable {
    /// Follows redirects: 303 as a GET, 301 and 302 of a POST as a GET, all others with the same method and
    /// body.
    case follow
    /// Does not follow redirects: the redirect is the response.
    case refuse
    /// Follows a redirect if the closure returns `true`; otherwise the redirect is the response.
    case decide(@Sendable (Redirect) -> Bool)
}

/// A redirect that may be followed.
public struct Redirect: Sendable {
    /// The status code of the redirect.
    public let status: Int
    /// The URL of the redirected request.
    public let source: URL
    /// The request that would be sent, complete with its header fields and body.
    public let request: APIRequest

    package init(status: Int, source: URL, request: APIRequest) {
        self.status = status
        self.source = source
        self.request = request
    }
}

extension Redirect: SecretBearing {
    /// The status and target, with secrets redacted.
    public var description: String { "\(status) to \(request)" }
}
