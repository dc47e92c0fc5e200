public import Foundation

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
/// Only ``baseURL`` has no default. ``configuration`` is read once. Every other member is evaluated for every request, off
/// the main actor. Keep mutable state in a ``Locked``. A manager that such a member makes goes over the proxy of the call; see
/// ``APICall/proxy``.
///
/// The more specific value wins: a manager's param overrides an extra param of the same name. A manager's
/// header overrides an extra header, which overrides the encoding's `Content-Type`, which overrides a
/// default header. Then ``adapt(_:for:)`` runs, the proxy's ``ApiProxy/plugins``, ``bodyTransform(for:)``, and
/// ``signer(for:)`` last.
public protocol Service: Sendable {
    /// Creates the service. ``ServiceFactory`` calls this once, on first use.
    init()

    /// The plain values of the service, such as timeout, transport and session. Read once, when the service is created;
    /// for an ``EnvironmentService``, once for each environment. Default: the defaults of ``ServiceConfiguration``.
    var configuration: ServiceConfiguration { get }

    // MARK: URLs

    /// The base URL: scheme (`http` or `https`), host, and optionally port, path and query.
    var baseURL: URL { get }

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

    /// Returns headers to add to every call. Default: none.
    func extraHeaders(for call: APICall) -> [String: String]

    /// Returns the HTTP authentication credential. Default: `nil`. An `Authorization` header set by the
    /// manager or by ``extraHeaders(for:)`` takes precedence.
    func credential(for call: APICall) -> HTTPCredential?

    /// Returns the encoding of the params. Default: query for GET, HEAD and DELETE, otherwise a JSON body;
    /// no body if there are no params.
    func encoding(for call: APICall) -> any ParamEncoding

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

    /// Returns the priority of a call among the waiting calls. Default: ``CallPriority/normal``.
    ///
    /// If eight calls in a row were sent before an older one, the call that has waited longest is sent next.
    func priority(for call: APICall) -> CallPriority

    /// Returns how to handle redirects. Default: ``RedirectPolicy/follow``.
    func redirectPolicy(for call: APICall) -> RedirectPolicy

    // MARK: Responses

    /// Returns whether a status code is a success. Default: 200 to 299, and 304 if the output can be empty.
    func accepts(status: Int, for call: APICall) -> Bool

    /// Returns the envelope of a response. Default: `nil`; the whole body is the payload.
    func envelope(for call: APICall) -> Envelope?

    // MARK: Users

    /// Returns why the backend rejected the token of a failed call; `nil` if the failure has another cause.
    /// Default: ``SessionProblem/byChallenge(_:)``, then ``SessionProblem/byStatus(_:_:)``: 401 is an
    /// expired token.
    ///
    /// Called once for each failed attempt of a call that uses the ``ServiceConfiguration/session``, which then refreshes the
    /// token or asks for a login; and for a refresh that fails. ``intercept(_:)`` is called for `nil`, and for what the session could
    /// not solve.
    func sessionProblem(in failure: FailureContext) -> SessionProblem?

    // MARK: Failures

    /// Returns what to do about a failure of any endpoint. Default: ``FailureDisposition/report``.
    ///
    /// Called for every failure after the service was found, except those the session handles: building
    /// and sending the request, status, business code, decoding, and the response validator. Not called for
    /// a canceled call.
    func intercept(_ failure: FailureContext) async -> FailureDisposition

    /// The text about a failure for the user of the app; see ``APIError/userMessage``. Default: the backend's message
    /// where there is one, otherwise a text of ``UserMessages/standard``, in English or Simplified Chinese.
    ///
    /// ```swift
    /// func userMessage(for error: APIError, languages: [String]) -> String {
    ///     UserMessages.standard.adding("fr", [.offline: "Vous êtes hors ligne."])
    ///         .message(for: error, in: languages)
    /// }
    /// ```
    /// - Parameter languages: The languages that the user prefers, as language tags (RFC 5646).
    func userMessage(for error: APIError, languages: [String]) -> String

    /// Returns the retry policy for failures that ``intercept(_:)`` reports. Default:
    /// ``RetryPolicy/never``.
    func retryPolicy(for call: APICall) -> RetryPolicy

    /// Returns the circuit breaker policy of an endpoint. Default: `nil`; the endpoint is always called.
    func circuitBreakerPolicy(for call: APICall) -> CircuitBreakerPolicy?

    // MARK: Caching

    /// Returns the parts of a request that differ from call to call without changing its meaning. Default: none. The
    /// varying fields of the ``RequestSigner`` and of each ``APIPlugin`` are excluded in any case.
    ///
    /// All other parts of a request that the server receives distinguish it in caches, in request
    /// coalescing and in recordings.
    func varyingFields(for call: APICall) -> VaryingFields

    /// Returns an additional part of the cache key. Default: empty. Only its digest is stored.
    ///
    /// The key contains the user of the session, not the tokens, so cached responses outlive a refresh. A service that
    /// sends its own tokens can do the same: list their header in ``varyingFields(for:)`` and return the user's
    /// identifier here.
    func cacheIdentity(for call: APICall) -> String
}
