public import Foundation

/// An HTTP request, as passed to a transport.
public struct APIRequest: Sendable {
    /// The URL: `http` or `https`, with a host. A fragment is not sent.
    public var url: URL
    /// The method (RFC 9110 section 9).
    public var method: HTTPMethod
    /// The header fields, in order. `Content-Length` and `Transfer-Encoding` are set by the transport.
    public var headers: HTTPFields
    /// The body.
    public var body: RequestBody
    /// The credential for an authentication challenge that cannot be sent as a header.
    public var credential: HTTPCredential?
    /// The time limit for the exchange in seconds; `.infinity` for no limit. Enforced by ``ApiProxy``.
    public var timeout: TimeInterval
    /// The destination of the response body.
    public var destination: ResponseDestination
    /// How redirects are handled.
    public var redirectPolicy: RedirectPolicy
    /// Whether a cellular network may be used. Enforced by ``URLSessionTransport`` on Apple platforms, as the two
    /// properties below are.
    public var allowsCellularAccess = true
    /// Whether a network may be used that the system considers expensive.
    public var allowsExpensiveNetworkAccess = true
    /// Whether a network in Low Data Mode may be used.
    public var allowsConstrainedNetworkAccess = true
    /// Receives progress updates, on any thread.
    public var onProgress: (@Sendable (TransferProgress) -> Void)?
    /// The origin of the request, in a type of the module that made it; see ``origin``.
    package var context: (any Sendable)?
    /// The params in the path of the URL, to redact those with secret names.
    package var pathParams: [String: JSONValue] = [:]
    /// The hosts that allow cleartext HTTP, also for redirects.
    package var plainHTTP = CleartextPolicy()
    /// Where cookies come from and go, on each redirect anew; `nil` where there are none.
    package var cookies: (any CookieKeeping)?
    /// The parts of the request's identity besides its fields.
    package var terms = RequestIdentity.Terms()
    /// The fields that are excluded from the request's identity.
    package var varyingFields: VaryingFields { terms.varying }
    /// The header with a CSRF token, which is secret under any name; `nil` if there is none.
    package var csrfHeader: HTTPFields.Name?
    /// Whether the stream is read to its end without a pause, as for a download.
    package var isDownload = false
    /// Whether the stream is open for as long as its reader likes, so that others may not wait for its connection.
    package var isOpenEnded: Bool { destination == .stream && !isDownload }
    /// Whether the response is secret as a whole.
    package var hidesResponse = false
    /// How the encoding would write a param to an empty body, for a signature that is the only param.
    package var emptyBody: EmptyBody?

    package enum EmptyBody { case form, json }
    /// Whether secrets can be found in the body: it is neither compressed nor transformed.
    package var hasReadableBody: Bool { headers["Content-Encoding"] == nil && terms.plain == nil }
    /// The params in the body, to detect secret ones on a redirect to another origin.
    package var bodyParams: [String: JSONValue] = [:]

    /// Creates a request. Default: a GET without header fields, with a response of up to 64 MiB in memory
    /// and a timeout of 20 seconds.
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
    /// The method and URL, with secrets redacted. See also ``curlCommand(redaction:)``.
    public var description: String { "\(method) \(Redaction.standard.redacted(self))" }
}

/// Validation of requests, by the generator for every call and by transports that are used directly.
extension APIRequest {
    /// Checks that the method is a token and the URL an HTTP URL with a host.
    /// - Returns: The host.
    @discardableResult
    package func validateTarget() throws(InvalidRequestError) -> String {
        guard HTTPToken.isValid(method.rawValue) else {
            throw InvalidRequestError(
                "The method \(method.rawValue.debugDescription) is not a token (RFC 9110 section 9.1); use one such as GET."
            )
        }
        let scheme = url.scheme?.lowercased()
        guard scheme == "http" || scheme == "https", let host = url.host, !host.isEmpty else {
            throw InvalidRequestError(
                "The URL needs the scheme http or https and a host; see the service's URL rule.")
        }
        return host
    }
}
