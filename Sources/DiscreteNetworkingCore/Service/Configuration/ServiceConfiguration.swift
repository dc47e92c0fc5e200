public import Foundation

/// The plain values of a service: what all its endpoints share and no call changes.
///
/// ```swift
/// final class StorefrontService: Service {
///     let baseURL = URL(string: "https://api.example.com")!
///     let configuration = ServiceConfiguration(
///         timeout: 10, session: TokenSession(), cookies: CookieJar())
/// }
/// ```
///
/// The framework reads ``Service/configuration`` once, when the service is created, and keeps it: for an
/// ``EnvironmentService`` once for each environment. A later change has no effect.
public struct ServiceConfiguration: Sendable {
    // MARK: Exchanges

    /// The timeout for one attempt, in seconds; `.infinity` for no limit. Default: 20.
    public var timeout: TimeInterval

    /// The timeout for one call, in seconds, by the clock of the proxy: for all its attempts and hosts, and for what it
    /// waits for, together. Default: `nil`; no limit. See ``BaseAPIManager/deadline``.
    public var deadline: TimeInterval?

    /// The transport of this backend, with its own pins, certificate authorities, client certificate, ``HostResolution`` or
    /// `URLSessionConfiguration`. Default: `nil`; the proxy's.
    ///
    /// ```swift
    /// ServiceConfiguration(
    ///     transport: PlatformTransport.make(
    ///         tls: TLSPolicy(pinnedPublicKeys: ["sha256//…"])))
    /// ```
    ///
    /// Only for hosts of the service: redirects to another host, and calls to a whole URL elsewhere, use the proxy's.
    /// Not used if the proxy's transport replaces all servers, such as a stub or a recording; see
    /// ``Transport/replacesServiceTransport(for:)``.
    public var transport: (any Transport)?

    /// The other hosts of the backend, for when the one of ``Service/baseURL`` fails. Default: `nil`; for an
    /// ``EnvironmentService``, ``ServiceEndpoint/failover``.
    public var failover: FailoverPolicy?

    /// Hosts that may be reached over cleartext HTTP, as written in URLs: `"10.0.2.2"`, `"shop.internal"`.
    /// Default: none.
    ///
    /// All other hosts require HTTPS, except the loopback host (`localhost`, 127.0.0.0/8, `::1`): a
    /// cleartext request, or a redirect to one, fails with ``APIError/Kind/invalidRequest(reason:)`` and is
    /// not sent. A redirect from HTTPS to HTTP is never followed.
    public var plainHTTPHosts: Set<String>

    /// The maximum number of concurrent calls of this service, by any manager of a proxy; at least 1. Default: `nil`; no
    /// limit.
    ///
    /// Further calls wait, by ``Service/priority(for:)``, until an earlier call has its response. A stream has its
    /// response when it begins, a download when it is complete. The timeout of an attempt begins when it is sent, but
    /// the time of ``RetryPolicy/total`` goes on. A retried call waits again. Calls with a response from a cache do not
    /// count, nor do calls that share an exchange, wait for the session, belong to its refresh, or are made while a
    /// request is built. A call that waits for a refresh gives its slot to another call, and keeps its place among the
    /// waiting calls.
    public var concurrencyLimit: Int?

    /// How many calls of this service are sent in a period, by any manager of a proxy, besides the ``concurrencyLimit``.
    /// Default: `nil`; no limit, and the limits that the server sends are ignored.
    public var rateLimit: RateLimit?

    /// Whether identical GET requests in flight share one exchange. Default: `false`.
    public var sharesIdenticalRequests: Bool

    /// The maximum size of a response held in memory, in bytes after decompression. Default: 64 MiB.
    public var responseSizeLimit: Int

    // MARK: Users

    /// The session with the user's tokens. Default: `nil`. Services that share a login have the same session.
    ///
    /// Each environment of an ``EnvironmentService`` has its own tokens, also if its configurations have the same session.
    public var session: TokenSession?

    /// Where this backend's cookies are kept, and sent from. Default: `nil`; cookies are off.
    public var cookies: CookieJar?

    /// The token that the backend requires against cross-site request forgery. Default: `nil`; none is sent.
    ///
    /// Each environment of an ``EnvironmentService`` has its own tokens.
    public var csrf: CSRFProtection?

    // MARK: Requests and responses

    /// The headers with the lowest precedence. Default: ``HTTPFields/standard`` (`Accept`, `Accept-Language`,
    /// `User-Agent`).
    public var defaultHeaders: HTTPFields

    /// Which param is sent if two have the same name: the manager's, or the service's of ``Service/extraParams(for:)``.
    /// Default: ``ParamPrecedence/manager``.
    public var paramPrecedence: ParamPrecedence

    /// Where a request has the key of ``BaseAPIManager/idempotencyKey(with:)``. Default: ``IdempotencyKeyLocation/standard``.
    public var idempotencyKeyLocation: IdempotencyKeyLocation

    /// Whether bodies of requests are compressed. Default: ``RequestCompression/off``.
    public var requestCompression: RequestCompression

    /// The encoder for ``BaseAPIManager/params(encoding:encoder:)``. Default: ``Params/makeEncoder()``.
    public var jsonEncoder: JSONEncoder

    /// The decoder for outputs. Its strategies are read with the configuration. Default: ``Params/makeDecoder()``, which reads
    /// dates in the format that requests write. Foundation's `.iso8601` rejects fractional seconds before iOS 26 and macOS 26.
    public var jsonDecoder: JSONDecoder

    /// Whether outputs are decoded by a ``FastJSONDecoder`` with the strategies of the decoder. Default: `true`.
    ///
    /// The decoder itself would give the same outputs and errors, but takes longer. An `init(from:)` may run twice for
    /// one output, the second time by the decoder itself; if it counts or stores something, set this to `false`.
    public var usesFastJSONDecoder: Bool
    /// The same for all calls, because to read the strategies takes as long as to decode a small object. `nil` before the
    /// configuration is in force.
    private(set) var fastJSONDecoder: FastJSONDecoder?

    /// The decoders of outputs that are not JSON, by media type. Default: none.
    ///
    /// ```swift
    /// ServiceConfiguration(decoders: ["application/xml": { XMLDecoder() }])
    /// ```
    /// `"application/xml"` also decodes `application/rss+xml` and similar types (RFC 6839). `"*/*"` decodes every
    /// response that has no type, or a type without a decoder here. Other responses are decoded as a property list if
    /// their type is `application/x-plist`, and otherwise as JSON. A payload in an ``Envelope`` is JSON.
    public var decoders: [String: @Sendable () -> any PayloadDecoder]

    /// The version of cached responses. Responses stored under another version are not used. Default: empty.
    public var cacheVersion: String

    /// The policies of modules above, at most one of a type.
    private(set) var policies: [any Policy] = []

    /// The policy of a type. Its module declares a member of its own with it.
    package subscript<Value: Policy>(type: Value.Type) -> Value? {
        get { policies.lazy.compactMap { $0 as? Value }.first }
        set {
            policies.removeAll { $0 is Value }
            if let newValue { policies.append(newValue) }
        }
    }

    /// Creates a configuration. Each argument is described at its property.
    public init(
        timeout: TimeInterval = 20, deadline: TimeInterval? = nil, transport: (any Transport)? = nil,
        failover: FailoverPolicy? = nil,
        plainHTTPHosts: Set<String> = [], concurrencyLimit: Int? = nil, rateLimit: RateLimit? = nil,
        sharesIdenticalRequests: Bool = false, responseSizeLimit: Int = 64 * 1024 * 1024,
        session: TokenSession? = nil, cookies: CookieJar? = nil,
        csrf: CSRFProtection? = nil, defaultHeaders: HTTPFields = .standard,
        paramPrecedence: ParamPrecedence = .manager,
        idempotencyKeyLocation: IdempotencyKeyLocation = .standard,
        requestCompression: RequestCompression = .off,
        jsonEncoder: JSONEncoder? = nil, jsonDecoder: JSONDecoder? = nil, usesFastJSONDecoder: Bool = true,
        decoders: [String: @Sendable () -> any PayloadDecoder] = [:], cacheVersion: String = ""
    ) {
        self.timeout = timeout
        self.deadline = deadline
        self.transport = transport
        self.failover = failover
        self.plainHTTPHosts = plainHTTPHosts
        self.concurrencyLimit = concurrencyLimit
        self.rateLimit = rateLimit
        self.sharesIdenticalRequests = sharesIdenticalRequests
        self.responseSizeLimit = responseSizeLimit
        self.session = session
        self.cookies = cookies
        self.csrf = csrf
        self.defaultHeaders = defaultHeaders
        self.paramPrecedence = paramPrecedence
        self.idempotencyKeyLocation = idempotencyKeyLocation
        self.requestCompression = requestCompression
        self.jsonEncoder = jsonEncoder ?? .standard
        self.jsonDecoder = jsonDecoder ?? .standard
        self.usesFastJSONDecoder = usesFastJSONDecoder
        self.decoders = decoders
        self.cacheVersion = cacheVersion
    }

    /// Reads the strategies of the decoder.
    mutating func readStrategies() {
        fastJSONDecoder = usesFastJSONDecoder ? FastJSONDecoder(jsonDecoder) : nil
    }
}

extension JSONDecoder {
    /// Created once; a decoder may be shared as long as it is not modified.
    static let standard = Params.makeDecoder()
}

extension JSONEncoder {
    /// Created once; an encoder may be shared as long as it is not modified.
    static let standard = Params.makeEncoder()
}
