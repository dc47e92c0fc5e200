public import Foundation

/// An HTTP request, as passed to a transport.
///
/// ```swift
/// let request = APIRequest(
///     url: URL(string: "https://api.example.com/orders")!, method: .post,
///     headers: ["Content-Type": "application/json"],
///     body: .data(Data(#"{"id":7}"#.utf8)))
/// let response = try await URLSessionTransport().send(request)
/// print(response.status)
/// ```
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
    /// The timeout for the exchange in seconds; `.infinity` for no limit. Enforced by ``ApiProxy``.
    public var timeout: TimeInterval
    /// The destination of the response body.
    public var destination: ResponseDestination
    /// Whether a cellular network may be used. Enforced by ``URLSessionTransport`` on Apple platforms, as the two
    /// properties below are.
    public var allowsCellularAccess = true
    /// Whether a network may be used that the system considers expensive.
    public var allowsExpensiveNetworkAccess = true
    /// Whether a network in Low Data Mode may be used.
    public var allowsConstrainedNetworkAccess = true
    /// Receives progress updates, on any thread.
    public var onProgress: (@Sendable (TransferProgress) -> Void)?
    /// What the framework notes about the request. A transport that sends it has no need of them.
    package var notes = RequestNotes()

    /// Creates a request. Default: a GET without header fields, with a response of up to 64 MiB in memory
    /// and a timeout of 20 seconds.
    public init(
        url: URL, method: HTTPMethod = .get, headers: HTTPFields = [:], body: RequestBody = .none,
        credential: HTTPCredential? = nil,
        timeout: TimeInterval = 20, destination: ResponseDestination = .memory(limit: 64 * 1024 * 1024),
        onProgress: (@Sendable (TransferProgress) -> Void)? = nil
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
        self.credential = credential
        self.timeout = timeout
        self.destination = destination
        self.onProgress = onProgress
    }
}

extension APIRequest {
    /// Whether the stream is open for as long as its reader likes, so that others may not wait for its connection.
    package var isOpenEnded: Bool { destination == .stream && !notes.isDownload }
    /// Whether secrets can be found in the body: it is neither compressed nor transformed.
    package var hasReadableBody: Bool { headers["Content-Encoding"] == nil && notes.identity.plain == nil }
}

extension APIRequest: SecretBearing {
    /// The method and URL, with secrets redacted. See also ``curlCommand(redaction:)``.
    public var description: String { "\(method) \(Redaction.standard.redacted(self))" }
}

/// Validation of requests, by the generator for every call and by transports that are used directly.
extension APIRequest {
    /// Checks that the method is a token and the URL an HTTP URL with a host.
    /// - Returns: The host, and whether the scheme is `https`.
    @discardableResult
    package func validateTarget() throws(InvalidRequestError) -> (host: String, isSecure: Bool) {
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
        return (host, scheme == "https")
    }
}

/// The hosts that allow cleartext HTTP.
package struct CleartextPolicy: Sendable, Hashable {
    private let hosts: Set<String>

    /// - Parameter hosts: The names or addresses, in addition to the loopback host.
    package init(hosts: Set<String> = []) { self.hosts = Set(hosts.map(HostName.normal)) }

    /// Checks the scheme and host of a URL.
    /// - Throws: ``InvalidRequestError`` for an `http` URL if cleartext HTTP to its host is not allowed.
    package func check(_ url: URL) throws(InvalidRequestError) {
        guard url.scheme?.lowercased() == "http", let host = url.host else { return }
        try check(host: host)
    }

    /// Checks the host of an `http` URL.
    package func check(host: String) throws(InvalidRequestError) {
        let host = HostName.normal(host)
        guard hosts.contains(host) || HostName.isLoopback(host) else {
            throw InvalidRequestError(
                "Cleartext HTTP to \(host.debugDescription) is not allowed; use https, or add the host to the service's plainHTTPHosts."
            )
        }
    }
}
