import Foundation

/// One HTTP request, ready for a transport.
public struct APIRequest: Sendable {
    /// Where it goes: `http` or `https`, with a host. A fragment is not sent.
    public var url: URL
    /// The method (RFC 9110 section 9).
    public var method: HTTPMethod
    /// The header fields, in order. `Content-Length` and `Transfer-Encoding` are the transport's.
    public var headers: HTTPFields
    /// The body.
    public var body: RequestBody
    /// What answers a challenge of the server, where that cannot be a header.
    public var credential: HTTPCredential?
    /// Seconds the exchange may take in all; `.infinity` for no limit. ``ApiProxy`` enforces it.
    public var timeout: TimeInterval
    /// Where the response's body goes.
    public var destination: ResponseDestination
    /// What to do about a redirect.
    public var redirectPolicy: RedirectPolicy
    /// Told how far the transfer has come, on any thread.
    public var onProgress: (@Sendable (TransferProgress) -> Void)?
    /// Who made the request, in a type of the module that did; ``origin`` reads it.
    package var context: (any Sendable)?
    /// The params that filled the path of the URL, so that those with secret names are hidden in it.
    package var pathParams: [String: JSONValue] = [:]
    /// Where it may go by plain HTTP, on a redirect too.
    package var plainHTTP = CleartextPolicy()
    /// What besides its fields says which request this is.
    package var terms = RequestIdentity.Terms()
    /// What of it changes from call to call without making another request.
    package var varyingFields: VaryingFields { terms.varying }
    /// What its encoding would make of a param in the body, for a signature that comes to be the only one.
    package var emptyBody: EmptyBody?

    package enum EmptyBody { case form, json }
    /// What its body was made of, so that one with a secret name among it stays with its origin.
    package var bodyParams: [String: JSONValue] = [:]

    /// A request; by default a GET without headers of its own, whose response may have 64 MB in memory within 20
    /// seconds.
    public init(
        url: URL, method: HTTPMethod = .get, headers: HTTPFields = [:], body: RequestBody = .none,
        credential: HTTPCredential? = nil,
        timeout: TimeInterval = 20, destination: ResponseDestination = .memory(limit: 64 * 1024 * 1024),
        redirectPolicy: RedirectPolicy = .follow, onProgress: (@Sendable (TransferProgress) -> Void)? = nil
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
        self.credential = credential
        self.timeout = timeout
        self.destination = destination
        self.redirectPolicy = redirectPolicy
        self.onProgress = onProgress
    }
}

extension APIRequest: SecretBearing {
    /// Method and URL, without any secret. ``curlCommand(redaction:)`` shows more.
    public var description: String { "\(method) \(Redaction.standard.redacted(self))" }
}

/// What must not go on the wire, because it would be another request than it seems, or none. The generator asks
/// for every call; a transport asks again for those who use it directly.
extension APIRequest {
    /// The method is a token, and the URL one of HTTP with a host.
    package func validateTarget() throws(InvalidRequest) {
        guard HTTPToken.isValid(method.rawValue) else {
            throw InvalidRequest(
                "The method \(method.rawValue.debugDescription) is not a token (RFC 9110 section 9.1).")
        }
        let scheme = url.scheme?.lowercased()
        guard scheme == "http" || scheme == "https", url.host?.isEmpty == false else {
            throw InvalidRequest(
                "The URL needs the scheme http or https and a host; see the service's URL rule.")
        }
    }
}
