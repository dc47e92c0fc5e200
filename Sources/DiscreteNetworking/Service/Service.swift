import Foundation

/// Everything the endpoints of one backend share.
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
/// Only ``baseURL`` has no default. Every member is asked anew for every request, off the main actor;
/// what changes while the app runs lives in a ``Locked``.
///
/// Where two of these say different things, the more particular one wins: a manager's own param beats
/// an extra param of the same name, and a header of the manager beats an extra header, which beats the
/// encoding's `Content-Type`, which beats a default header. ``adapt(_:for:)`` comes after them, and
/// ``signer(for:)`` last.
public protocol Service: Sendable {
    /// Called once, by ``ServiceFactory``, on first use.
    init()

    /// Scheme (`http` or `https`), host, and optionally port, path and query.
    var baseURL: URL { get }

    /// Hosts that may be asked by plain HTTP, as they stand in URLs: `"10.0.2.2"`, `"shop.internal"`. Default: none.
    ///
    /// Everything else goes by HTTPS, but for this machine itself (`localhost`, 127.0.0.0/8, `::1`): a plain
    /// request, and a redirect to one, is ``APIError/Kind/invalidRequest(reason:)`` and not sent. A redirect from
    /// HTTPS to HTTP is never followed, whatever the host.
    var plainHTTPHosts: Set<String> { get }

    /// What stands between the base URL and the method name, such as `"v3"`. Default: nothing.
    var apiVersion: String? { get }

    /// The URL rule. Default: `baseURL / apiVersion / methodName`.
    ///
    /// A rule of your own is usually ``APICall/url(baseURL:apiVersion:)`` with other arguments.
    /// - Throws: any error; the call fails with ``APIError/Kind/invalidRequest(reason:)``.
    func url(for call: APICall) throws -> URL

    /// Params that go out with every call. Default: none.
    func extraParams(for call: APICall) -> Params

    /// Which of two params with the same name goes out: the manager's, or the one in ``extraParams(for:)``. Default:
    /// ``ParamPrecedence/manager``.
    var paramPrecedence: ParamPrecedence { get }

    /// Headers that go out with every call. Default: none.
    func extraHeaders(for call: APICall) -> [String: String]

    /// Who calls, for servers that ask by HTTP authentication. Default: nobody. An `Authorization` header of
    /// the manager or in ``extraHeaders(for:)`` beats it.
    func credential(for call: APICall) -> HTTPCredential?

    /// Headers below all others in rank. Default: ``HTTPFields/standard`` (`Accept`,
    /// `Accept-Language`, `User-Agent`).
    var defaultHeaders: HTTPFields { get }

    /// Where params go. Default by method: GET, HEAD and DELETE in the query, others as JSON; without params there is
    /// no body.
    func encoding(for call: APICall) -> any ParamEncoding

    /// The last look at a request before it is sent, for each attempt. Default: leaves it alone.
    /// - Throws: any error; the call fails with ``APIError/Kind/invalidRequest(reason:)``.
    func adapt(_ request: inout APIRequest, for call: APICall) async throws

    /// Who signs a request, after ``adapt(_:for:)``, for each attempt. Default: nobody.
    func signer(for call: APICall) -> (any RequestSigner)?

    /// Seconds one attempt may take in all. Default: 20. `.infinity` means no limit.
    var timeout: TimeInterval { get }

    /// Whether identical GETs in flight at once share one exchange. Default: `false`.
    var sharesIdenticalRequests: Bool { get }

    /// What to do about a redirect. Default: ``RedirectPolicy/follow``.
    func redirectPolicy(for call: APICall) -> RedirectPolicy

    /// The most bytes a response may have in memory, after decompression. Default: 64 MiB.
    var responseSizeLimit: Int { get }

    /// Whether an HTTP status is a success. Default: 200 to 299, and 304 where the output can be empty.
    func accepts(status: Int, for call: APICall) -> Bool

    /// The wrapping around the payload of a response. Default: none, the body is the payload.
    func envelope(for call: APICall) -> Envelope?

    /// Encodes the values that managers turn into params with ``BaseAPIManager/params(encoding:)``.
    /// Default: ``Params/makeEncoder()``.
    var jsonEncoder: JSONEncoder { get }
    /// The encoder for one call, where endpoints differ. Default: ``jsonEncoder``.
    func jsonEncoder(for call: APICall) -> JSONEncoder

    /// Decodes a payload to a manager's output. Default: ``Params/makeDecoder()``, which reads the dates that requests
    /// are written with. Foundation's own `.iso8601` refuses fractions of a second before iOS 26 and macOS 26.
    var jsonDecoder: JSONDecoder { get }
    /// The decoder for one call, where endpoints differ. Default: ``jsonDecoder``.
    func jsonDecoder(for call: APICall) -> JSONDecoder

    /// The tokens of this backend's user. Default: none. Services that share a login return the same one.
    var session: TokenSession? { get }

    /// What the backend has against the token of a failed call; `nil` where the failure has another cause.
    /// Default: ``SessionProblem/byChallenge(_:)``, then ``SessionProblem/byStatus(_:_:)``: 401 is an expired
    /// token.
    func sessionProblem(in failure: APIFailure) -> SessionProblem?

    /// What the ``session`` does about a failure, before ``intercept(_:)`` is asked. Default: hold the call where
    /// ``sessionProblem(in:)`` finds a problem that a refresh or a login may help, otherwise
    /// ``FailureDisposition/report``.
    ///
    /// A service that wants it otherwise says so here: what is reported, or what the session has tried in vain, is for
    /// ``intercept(_:)`` to decide.
    ///
    /// ```swift
    /// func sessionDisposition(for failure: APIFailure) -> FailureDisposition { .report }   // intercept decides all
    /// ```
    func sessionDisposition(for failure: APIFailure) -> FailureDisposition

    /// What to do about a failure, once for all endpoints. Default: ``FailureDisposition/report``.
    ///
    /// It sees everything that goes wrong after the service was found, but for what the ``session`` helps: building,
    /// sending, status, business code, decoding, the response validator. A cancelled call is not asked about.
    func intercept(_ failure: APIFailure) async -> FailureDisposition

    /// What the user of the app is told about a failure; see ``APIError/userMessage``. Default: the backend's message where
    /// there is one, otherwise a text of ``UserMessages/standard``, in English or Simplified Chinese.
    ///
    /// ```swift
    /// func userMessage(for error: APIError, languages: [String]) -> String {
    ///     UserMessages.standard.adding("fr", [.offline: "Vous êtes hors ligne."]).message(for: error, in: languages)
    /// }
    /// ```
    /// - Parameter languages: those that the user prefers, as language tags (RFC 5646).
    func userMessage(for error: APIError, languages: [String]) -> String

    /// How often a call is repeated because ``intercept(_:)`` says so. Default: 3. What the ``session`` and the retry
    /// policy repeat does not count.
    var retryLimit: Int { get }

    /// How failures are repeated that ``intercept(_:)`` leaves to the caller. Default: not at all.
    func retry(for call: APICall) -> RetryPolicy

    /// When an endpoint that keeps failing is not called for a while. Default: never.
    func breaker(for call: APICall) -> BreakerPolicy?

    /// What of a request changes from call to call without making another request. Default: nothing; what the signer
    /// writes is known beside it.
    ///
    /// All else that a server can see of two requests keeps them apart in the caches and in the sharing of identical
    /// requests, and in recordings.
    func varyingFields(for call: APICall) -> VaryingFields

    /// What keeps the responses of a call apart, besides the request itself. Default: empty. It is stored as a digest.
    ///
    /// The tokens of a ``session`` count as its user, so what is kept outlives a refresh. A service that sends tokens of
    /// its own may do the same: it names their header in ``varyingFields(for:)`` and gives the user's number here.
    func cacheIdentity(for call: APICall) -> String

    /// Responses that were kept under another version are not used. Default: empty.
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
    public func adapt(_ request: inout APIRequest, for call: APICall) async throws {}
    public func signer(for call: APICall) -> (any RequestSigner)? { nil }
    public var timeout: TimeInterval { 20 }
    public var sharesIdenticalRequests: Bool { false }
    public func redirectPolicy(for call: APICall) -> RedirectPolicy { .follow }
    public var responseSizeLimit: Int { 64 * 1024 * 1024 }
    public func accepts(status: Int, for call: APICall) -> Bool {
        200..<300 ~= status || (status == 304 && call.outputMayBeEmpty)
    }
    public func envelope(for call: APICall) -> Envelope? { nil }
    public var jsonEncoder: JSONEncoder { Params.makeEncoder() }
    public func jsonEncoder(for call: APICall) -> JSONEncoder { jsonEncoder }
    public var jsonDecoder: JSONDecoder { .standard }
    public func jsonDecoder(for call: APICall) -> JSONDecoder { jsonDecoder }
    public var session: TokenSession? { nil }
    public func sessionProblem(in failure: APIFailure) -> SessionProblem? {
        SessionProblem.byChallenge(failure) ?? SessionProblem.byStatus(failure)
    }
    public func intercept(_ failure: APIFailure) async -> FailureDisposition { .report }
    public func userMessage(for error: APIError, languages: [String]) -> String {
        UserMessages.standard.message(for: error, in: languages)
    }
    public var retryLimit: Int { 3 }
    public func retry(for call: APICall) -> RetryPolicy { .never }
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
    /// Made once: a decoder is safe to share as long as nobody changes it.
    fileprivate static let standard = Params.makeDecoder()
}
