public import Foundation

/// The error of a failed call.
///
/// ```swift
/// do {
///     product = try await ProductManager().load(with: ["id": 7])
/// } catch {                              // error is an APIError
///     switch error.kind {
///     case .business(let code, let message): show(message ?? "\(code)")
///     case .notReachable, .timedOut: showRetry()
///     default: show(error.localizedDescription)
///     }
/// }
/// ```
///
/// Its descriptions never contain a secret; see ``Redaction``.
public struct APIError: Error, Sendable {
    /// The category of the error.
    public var kind: Kind { fields.value.kind }
    /// The identifier of the manager's service.
    public var serviceIdentifier: ServiceIdentifier { call.serviceIdentifier }
    /// The manager's method name, with unfilled placeholders: `products/{id}`.
    public var methodName: String { call.methodName }
    /// The method name with its values: `products/404`. Percent-encoded, with secrets redacted;
    /// placeholders of secrets and those without a value are kept.
    public var endpoint: String { fields.value.endpoint }
    /// The request ID of the call.
    public var requestID: RequestID { call.requestID }
    /// The response; `nil` if none was received.
    public var response: APIResponse? { fields.value.response }
    /// The request of the last attempt, after redirects if there is a response; `nil` if none was built. ``kind`` says whether
    /// it was sent.
    ///
    /// ```swift
    /// print(error.request?.curlCommand() ?? "nothing was sent")
    /// ```
    public var request: APIRequest? { response?.request ?? call.builtRequest }
    /// The underlying error: for ``Kind/swallowed``, the error that the service or an interceptor
    /// handled; for a call that waited for its session, the error of the login or the reason for waiting; for a request that
    /// could not be built, the error of a call that a hook made.
    public var underlying: APIError? { fields.value.underlying }

    /// The business code of the response's envelope if it does not mean success: the code of
    /// ``Kind/business(code:message:)``, or the code that was sent with an error status.
    public var businessCode: JSONValue? {
        if case .business(let code, _) = kind { code } else { failureReport?.code }
    }

    /// The message of the response's envelope for ``businessCode``.
    public var businessMessage: String? {
        if case .business(_, let message) = kind { message } else { failureReport?.message }
    }

    private var failureReport: APIResponse.Report? {
        response?.reported.flatMap { $0.isSuccess ? nil : $0 }
    }

    /// The call in its last attempt.
    var call: APICall { fields.value.call }

    /// A description that replaces the general one of its kind.
    var hint: String?
    /// Tells the user of the app, in the words of the call's service.
    private var tellUser: UserText? { fields.value.tellUser }
    /// The redaction of its texts: values with a secret name, and values that the call has sent with one.
    package var redaction: Redaction { fields.value.names.hiding(fields.value.secrets) }

    /// Stored behind one reference, because every step of a call that can fail reserves space for an error.
    private struct Fields: Sendable {
        let kind: Kind
        let call: APICall
        let endpoint: String
        let response: APIResponse?
        let underlying: APIError?
        let target: RequestLocation?
        let names: Redaction
        let secrets: CallSecrets
        let tellUser: UserText?
    }

    private let fields: Box<Fields>

    /// Where the failed request went, and with which timeout in seconds; `nil` if none was built.
    var target: RequestLocation? { fields.value.target }
    /// The method of the call.
    var requestType: HTTPMethod { call.requestType }

    typealias UserText = @Sendable (APIError, _ languages: [String]) -> String

    init(
        _ kind: Kind, call: APICall, response: APIResponse? = nil, underlying: APIError? = nil,
        hint: String? = nil, redaction: Redaction, tellUser: UserText? = nil
    ) {
        self.hint = hint
        fields = Box(
            Fields(
                kind: kind, call: call, endpoint: call.endpoint(redaction), response: response,
                underlying: underlying, target: call.target, names: redaction, secrets: call.secrets,
                tellUser: tellUser))
    }
}

extension APIError {
    /// One or two sentences for the user of the app, in their language: the backend's message if there is one,
    /// otherwise a short text about the failure; see ``Service/userMessage(for:languages:)``. `localizedDescription`
    /// is for developers.
    public var userMessage: String { userMessage(in: Locale.preferredLanguages) }

    /// The same in the first of some languages that there are texts for, otherwise in English.
    /// - Parameter languages: language tags (RFC 5646), the preferred one first.
    public func userMessage(in languages: [String]) -> String {
        tellUser?(self, languages) ?? UserMessages.standard.message(for: self, in: languages)
    }

    /// The category of an error, in the order of the pipeline. Later versions may add cases: a `switch` needs a `default`.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive(warn)
    #endif
    public enum Kind: Sendable, Hashable {
        /// An interceptor vetoed the call.
        case vetoed
        /// The validator rejected the params. Nothing was sent.
        case invalidParams(reason: String)
        /// No service is registered for the manager's identifier.
        case serviceNotRegistered
        /// Services look up each other in their `init`. The cycle starts and ends with the same service.
        case serviceCycle([ServiceIdentifier])
        /// The service declares properties that have no effect, such as a session of another type. Nothing was sent.
        case invalidService(reason: String)
        /// The call was made in a hook of a call that was made in a hook, and so on, more than `limit` deep: usually a hook
        /// that calls its own service for each call. Nothing was sent.
        case nestedTooDeeply(limit: Int)
        /// The call must not be sent (``CachePolicy/Mode/cacheOnly``), and no cached response can be used. Or the
        /// manager stores nothing: ``MissReason/notCacheable(_:)``.
        case notCached(MissReason)
        /// There is no network connection. Nothing was sent.
        case notReachable
        /// The endpoint is degraded until a date. Nothing was sent.
        case degraded(until: Date?)
        /// The request could not be built or must not be sent, for example because of cleartext HTTP.
        case invalidRequest(reason: String)
        /// The timeout was exceeded.
        case timedOut
        /// The call was not over at its ``BaseAPIManager/deadline``; for what it waited then.
        case deadlineExceeded(waitingFor: CallWait)
        /// The call was canceled, or its manager was released; the description tells which.
        case cancelled
        /// The transport failed.
        case transport(TransportError)
        /// A local file or stream of a transfer failed.
        case transfer(TransferFailure)
        /// The service does not accept the status code. An envelope in the response provides
        /// ``APIError/businessCode`` and ``APIError/businessMessage``.
        case http(status: Int)
        /// The business code of the service's envelope is not a success.
        case business(code: JSONValue, message: String?)
        /// The payload cannot be decoded to the manager's output.
        case decoding(DecodingFailure)
        /// The validator rejected the response.
        case invalidResponse(reason: String)
        /// The call waited for new tokens, but the refresh failed. Nothing was sent if
        /// ``APIError/underlying`` is `nil`.
        case refreshFailed(RefreshFailure)
        /// It is not known who is logged in: the credential store cannot be read at the moment, as before the first unlock of a
        /// device. Nothing was sent. The next call works as soon as the store can be read; see ``SessionEvent/storeRead``.
        case sessionUnavailable(reason: String)
        /// The call needs a login, but the user is not logged in; or its user has logged out or changed in
        /// the meantime.
        case loginRequired
        /// The login failed with an error other than ``APIError``. Only used as the ``APIError/underlying``
        /// error of ``loginRequired``.
        case loginFailed(reason: String)
        /// The call needs a login, but the user canceled it.
        case loginCancelled
        /// The service handled the failure, or an interceptor withheld the outcome.
        case swallowed
    }

    /// Whether hooks called one another without end.
    var isOfNesting: Bool { if case .nestedTooDeeply = kind { true } else { false } }

    /// Where and why decoding failed.
    public struct DecodingFailure: Sendable, Hashable {
        /// The keys and indices from the top of the body.
        public let path: [String]
        /// What was expected and what was found.
        public let reason: String
        /// Whether the reason may contain the value.
        var mayQuote = false
    }
}

extension APIResponse {
    /// The failure that an ``APIPlugin`` recovered from with this output; `nil` for a response of the server. After a
    /// recovery, the response has the status of the failed response, or 0 if there was none.
    public var recoveredFailure: APIError? { recovery as? APIError }
}

extension APIError.Kind {
    /// Creates a kind from a transport error.
    package init(_ error: TransportError) {
        self =
            switch error.kind {
            case .timedOut: .timedOut
            case .cancelled: .cancelled
            case .notConnectedToInternet: .notReachable
            case .plainHTTPRefused: .invalidRequest(reason: error.message)
            default: .transport(error)
            }
    }
}
