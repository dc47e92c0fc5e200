import Foundation

/// What to do when a server answers with a redirect (RFC 9110 section 15.4).
///
/// Whatever the policy, a redirect is only followed to `http` or `https`, and at most 20 times; one that is
/// not is ``TransportError/Kind/redirectRefused``. One from `https` to `http`, or to a host that is not among
/// ``Service/plainHTTPHosts``, is ``APIError/Kind/invalidRequest(reason:)``. Credentials (`Authorization`,
/// `Cookie` and headers with secret-like names) stay with the origin they were meant for.
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
    /// The request that would be sent next.
    public let request: APIRequest
}
