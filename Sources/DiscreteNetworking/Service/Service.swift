import Foundation

/// The configuration and behavior shared by all endpoints of one backend.
///
/// ```swift
/// final class StorefrontService: Service {
///     let token = Locked<String?>(nil)
///     var baseURL: URL { URL(string: "https://api.example.com")! }
///     var apiVersion: String? { "v3" }
///     func extraParams(for call: APICall) -> Params { ["cid": "000001"] }
///     func extraHeaders(for call: APICall) -> [String: String] {
///         token.current.map { ["Authorization": "Bearer \($0)"] } ?? [:]
///     }
/// }
/// ```
///
/// Only ``baseURL`` has no default. Every member is evaluated for every request, off the main actor. Keep
/// mutable state in a ``Locked``.
///
/// The more specific value wins: a manager's param overrides an extra param of the same name. A manager's
/// header overrides an extra header, which overrides the encoding's `Content-Type`, which overrides a
/// default header. Then ``adapt(_:for:)`` runs, the proxy's ``ApiProxy/plugins``, ``bodyTransform(for:)``, and
/// ``signer(for:)`` last.
public protocol Service: Sendable {
    /// Creates the service. ``ServiceFactory`` calls this once, on first use.
    init()

    // MARK: URLs

    /// The base URL: scheme (`http` or `https`), host, and optionally port, path and query.
    var baseURL: URL { get }

    /// Hosts that may be reached over cleartext HTTP, as written in URLs: `"10.0.2.2"`, `"shop.internal"`.
    /// Default: none.
    ///
    /// All other hosts require HTTPS, except the loopback host (`localhost`, 127.0.0.0/8, `::1`): a
    /// cleartext request, or a redirect to one, fails with ``APIError/Kind/invalidRequest(reason:)`` and is
    /// not sent. A redirect from HTTPS to HTTP is never followed.
    var plainHTTPHosts: Set<String> { get }

    /// The path segment between the base URL and the method name, such as `"v3"`. Default: `nil`.
    var apiVersion: String? { get }

    /// Returns the URL of a call. Default: `baseURL / apiVersion / methodName`.
    ///
    /// A custom rule usually calls ``APICall/url(baseURL:apiVersion:)`` with other arguments.
    /// - Throws: Any error; the call fails with ``APIError/Kind/invalidRequest(reason:)``.
    func url(for call: APICall) throws -> URL

    // MARK: Requests

    /// Returns params to add to every call. Default: none.
    func extraParams(for call: APICall) -> Params

    /// Which of two params with the same name goes out: the manager's, or the one in ``extraParams(for:)``. Default:
    /// ``ParamPrecedence/manager``.
    var paramPrecedence: ParamPrecedence { get }

    /// Returns headers to add to every call. Default: none.
    func extraHeaders(for call: APICall) -> [String: String]

    /// Returns the HTTP authentication credential. Default: `nil`. An `Authorization` header set by the
    /// manager or by ``extraHeaders(for:)`` takes precedence.
    func credential(for call: APICall) -> HTTPCredential?

    /// The headers with the lowest precedence. Default: ``HTTPFields/standard`` (`Accept`,
    /// `Accept-Language`, `User-Agent`).
    var defaultHeaders: HTTPFields { get }

    /// Returns the encoding of the params. Default: query for GET, HEAD and DELETE, otherwise a JSON body;
    /// no body if there are no params.
    func encoding(for call: APICall) -> any ParamEncoding

    /// The encoder for ``BaseAPIManager/params(encoding:)``. Default: ``Params/makeEncoder()``.
    var jsonEncoder: JSONEncoder { get }
    /// The encoder for one call, where endpoints differ. Default: ``jsonEncoder``.
    func jsonEncoder(for call: APICall) -> JSONEncoder

    /// Modifies a request before each attempt to send it. Default: no change.
    /// - Throws: Any error; the call fails with ``APIError/Kind/invalidRequest(reason:)``.
    func adapt(_ request: inout APIRequest, for call: APICall) async throws

    /// Returns what changes the bodies of requests before they are signed, and of responses before they are read: for
    /// encryption and the like. Default: `nil`; bodies are sent and read as they are.
    ///
    /// Called once for each attempt. The same transform decodes the response, so it may hold a key of the attempt.
    func bodyTransform(for call: APICall) -> (any BodyTransform)?

    /// Returns the signer that runs after ``bodyTransform(for:)``, for each attempt. Default: `nil`.
    func signer(for call: APICall) -> (any RequestSigner)?

    // MARK: Exchanges

    /// The time limit for one attempt, in seconds; `.infinity` for no limit. Default: 20.
    var timeout: TimeInterval { get }

    /// The transport of this backend, with its own pins, certificate authorities, client certificate or
    /// `URLSessionConfiguration`. Default: `nil`; the proxy's. A service returns the same one each time.
    ///
    /// ```swift
    /// let transport: (any Transport)? = PlatformTransport.make(tls: TLSPolicy(pinnedPublicKeys: ["sha256//…"]))
    /// ```
    ///
    /// Only for hosts of the service: redirects to another host, and calls to a whole URL elsewhere, use the proxy's.
    /// Not used if the proxy's transport stands for all servers, such as a stub or a recording; see
    /// ``Transport/replacesServiceTransport(for:)``.
    var transport: (any Transport)? { get }

    /// The maximum number of concurrent calls of this service, by any manager of a proxy; at least 1. Default: `nil`; no
    /// limit.
    ///
    /// Further calls wait, by ``priority(for:)``, until an earlier one has its response: that of a stream when it begins,
    /// that of a download when it is complete. The time limit of an attempt begins when it is sent; that of a
    /// ``RetryPolicy/total`` goes on. A retried call waits anew. Calls that are answered from a cache, share an exchange,
    /// wait for the session, belong to its refresh, or are made while a request is built, do not count. A call that waits
    /// for a refresh gives its place in flight to another call, and keeps its place among those that wait. If the limit
    /// changes, the value that was read last applies to all calls that wait.
    var concurrencyLimit: Int? { get }

    /// Returns the priority of a call among those that wait. Default: ``CallPriority/normal``.
    ///
    /// After eight calls in a row that were sent before an older one, the call that has waited longest is sent.
    func priority(for call: APICall) -> CallPriority

    /// Whether identical GET requests in flight share one exchange. Default: `false`.
    var sharesIdenticalRequests: Bool { get }

    /// Returns how to handle redirects. Default: ``RedirectPolicy/follow``.
    func redirectPolicy(for call: APICall) -> RedirectPolicy

    /// The maximum size of a response held in memory, in bytes after decompression. Default: 64 MiB.
    var responseSizeLimit: Int { get }

    // MARK: Responses

    /// Returns whether a status code is a success. Default: 200 to 299, and 304 if the output can be empty.
    func accepts(status: Int, for call: APICall) -> Bool

    /// Returns the envelope of a response. Default: `nil`; the whole body is the payload.
    func envelope(for call: APICall) -> Envelope?

    /// The decoder for a manager's output. Default: ``Params/makeDecoder()``, which reads dates in the
    /// format that requests write. Foundation's `.iso8601` rejects fractional seconds before iOS 26 and
    /// macOS 26.
    var jsonDecoder: JSONDecoder { get }
    /// The decoder for one call, where endpoints differ. Default: ``jsonDecoder``.
    func jsonDecoder(for call: APICall) -> JSONDecoder

    // MARK: Users

    /// The session with the user's tokens. Default: `nil`. Services that share a login return the same
    /// session.
    var session: TokenSession? { get }

    /// Where this backend's cookies are kept, and sent from. Default: none, no cookie is taken or sent. A service returns
    /// the same jar each time.
    var cookies: CookieJar? { get }

    /// Returns why the backend rejected the token of a failed call; `nil` if the failure has another cause.
    /// Default: ``SessionProblem/byChallenge(_:)``, then ``SessionProblem/byStatus(_:_:)``: 401 is an
    /// expired token.
    func sessionProblem(in failure: APIFailure) -> SessionProblem?

    /// Returns what the ``session`` does about a failure, before ``intercept(_:)`` is called. Default:
    /// holds the call if ``sessionProblem(in:)`` returns a problem that a refresh or a login can solve,
    /// otherwise ``FailureDisposition/report``.
    ///
    /// Implement this to override the session's handling. Failures that are reported here, or that the
    /// session could not solve, are passed to ``intercept(_:)``.
    ///
    /// ```swift
    /// func sessionDisposition(for failure: APIFailure) -> FailureDisposition { .report }   // intercept decides all
    /// ```
    func sessionDisposition(for failure: APIFailure) -> FailureDisposition

    // MARK: Failures

    /// Returns what to do about a failure of any endpoint. Default: ``FailureDisposition/report``.
    ///
    /// Called for every failure after the service was found, except those the ``session`` handles: building
    /// and sending the request, status, business code, decoding, and the response validator. Not called for
    /// a canceled call.
    func intercept(_ failure: APIFailure) async -> FailureDisposition

    /// What the user of the app is told about a failure; see ``APIError/userMessage``. Default: the backend's message
    /// where there is one, otherwise a text of ``UserMessages/standard``, in English or Simplified Chinese.
    ///
    /// ```swift
    /// func userMessage(for error: APIError, languages: [String]) -> String {
    ///     UserMessages.standard.adding("fr", [.offline: "Vous êtes hors ligne."]).message(for: error, in: languages)
    /// }
    /// ```
    /// - Parameter languages: those that the user prefers, as language tags (RFC 5646).
    func userMessage(for error: APIError, languages: [String]) -> String

    /// The maximum number of repeats that ``intercept(_:)`` may request for one call. Default: 3. Repeats
    /// by the ``session`` and the retry policy are not counted.
    var retryLimit: Int { get }

    /// Returns the retry policy for failures that ``intercept(_:)`` reports. Default:
    /// ``RetryPolicy/never``.
    func retry(for call: APICall) -> RetryPolicy

    /// The other hosts of the backend, for when the one of ``baseURL`` fails. Default: `nil`; there are none.
    var failover: FailoverPolicy? { get }

    /// Returns the circuit breaker policy of an endpoint. Default: `nil`; the endpoint is always called.
    func breaker(for call: APICall) -> BreakerPolicy?

    // MARK: Caching

    /// Returns the parts of a request that differ from call to call without changing its meaning. Default:
    /// none; the fields that the signer writes are excluded in any case.
    ///
    /// All other parts of a request that the server receives distinguish it in caches, in request
    /// coalescing and in recordings.
    func varyingFields(for call: APICall) -> VaryingFields

    /// Returns an additional part of the cache key. Default: empty. Only its digest is stored.
    ///
    /// The user of the ``session`` is part of the key, not the tokens, so stored responses outlive a
    /// refresh. A service that sends its own tokens can do the same: list their header in
    /// ``varyingFields(for:)`` and return the user's identifier here.
    func cacheIdentity(for call: APICall) -> String

    /// The version of stored responses; responses stored under another version are not used. Default:
    /// empty.
    var cacheVersion: String { get }
}

extension Service {
    public var plainHTTPHosts: Set<String> { [] }
    public var apiVersion: String? { nil }
    public func url(for call: APICall) throws -> URL {
        try call.url(baseURL: baseURL, apiVersion: apiVersion)
    }
    public func extraParams(for call: APICall) -> Params { [:] }
    public var paramPrecedence: ParamPrecedence { .manager }
    public func extraHeaders(for call: APICall) -> [String: String] { [:] }
    public func credential(for call: APICall) -> HTTPCredential? { nil }
    public var defaultHeaders: HTTPFields { .standard }
    public func encoding(for call: APICall) -> any ParamEncoding {
        standardParamEncoding(for: call.requestType)
    }
    public var jsonEncoder: JSONEncoder { Params.makeEncoder() }
    public func jsonEncoder(for call: APICall) -> JSONEncoder { jsonEncoder }
    public func adapt(_ request: inout APIRequest, for call: APICall) async throws {}
    public func bodyTransform(for call: APICall) -> (any BodyTransform)? { nil }
    public func signer(for call: APICall) -> (any RequestSigner)? { nil }
    public var timeout: TimeInterval { 20 }
    public var transport: (any Transport)? { nil }
    public var concurrencyLimit: Int? { nil }
    public func priority(for call: APICall) -> CallPriority { .normal }
    public var sharesIdenticalRequests: Bool { false }
    public func redirectPolicy(for call: APICall) -> RedirectPolicy { .follow }
    public var responseSizeLimit: Int { 64 * 1024 * 1024 }
    public func accepts(status: Int, for call: APICall) -> Bool {
        200..<300 ~= status || (status == 304 && call.outputMayBeEmpty)
    }
    public func envelope(for call: APICall) -> Envelope? { nil }
    public var jsonDecoder: JSONDecoder { .standard }
    public func jsonDecoder(for call: APICall) -> JSONDecoder { jsonDecoder }
    public var session: TokenSession? { nil }
    public var cookies: CookieJar? { nil }
    public func sessionProblem(in failure: APIFailure) -> SessionProblem? {
        SessionProblem.byChallenge(failure) ?? SessionProblem.byStatus(failure)
    }
    public func intercept(_ failure: APIFailure) async -> FailureDisposition { .report }
    public func userMessage(for error: APIError, languages: [String]) -> String {
        UserMessages.standard.message(for: error, in: languages)
    }
    public var retryLimit: Int { 3 }
    public func retry(for call: APICall) -> RetryPolicy { .never }
    public var failover: FailoverPolicy? { nil }
    public func breaker(for call: APICall) -> BreakerPolicy? { nil }
    public func varyingFields(for call: APICall) -> VaryingFields { .none }
    public func cacheIdentity(for call: APICall) -> String { "" }
    public var cacheVersion: String { "" }

    public func sessionDisposition(for failure: APIFailure) -> FailureDisposition {
        guard let session, failure.call.overrides.usesSession, let problem = sessionProblem(in: failure)
        else {
            return .report
        }
        switch problem {
        case .expired: return .holdUntilRefreshed(session)
        case .illegal: return .holdUntilLoggedIn(session)
        case .forbidden: return failure.session?.tokens == nil ? .holdUntilLoggedIn(session) : .report
        }
    }
}

extension JSONDecoder {
    /// Created once; a decoder may be shared as long as it is not modified.
    fileprivate static let standard = Params.makeDecoder()
}
