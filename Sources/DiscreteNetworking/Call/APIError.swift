import Foundation

/// Why a call failed, and which.
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
/// Its texts never hold a secret; see ``Redaction``.
public struct APIError: Error, Sendable {
    /// What went wrong.
    public let kind: Kind
    /// The service of the manager.
    public let serviceIdentifier: ServiceIdentifier
    /// The manager's method name, as written: `products/{id}`.
    public let methodName: String
    /// The same with its values: `products/404`. Percent-encoded, secrets hidden; a place without a value stays.
    public let endpoint: String
    /// The call.
    public let requestID: RequestID
    /// The response, where one came.
    public let response: APIResponse?
    /// What the service or an interceptor took care of, where ``kind`` is ``Kind/intercepted``; where a call waited
    /// for its session in vain, what the login failed with, or else why it waited.
    public var underlying: APIError? { chain.first }

    /// The code of the service's envelope, where it is not one of success: that of ``Kind/business(code:message:)``,
    /// and that which a backend sends beside an error status.
    public var businessCode: JSONValue? {
        if case .business(let code, _) = kind { code } else { failureReport?.code }
    }

    /// The message that the service's envelope has for ``businessCode``.
    public var businessMessage: String? {
        if case .business(_, let message) = kind { message } else { failureReport?.message }
    }

    private var failureReport: APIResponse.Report? {
        response?.reported.flatMap { $0.isSuccess ? nil : $0 }
    }

    /// An array, because a struct cannot hold itself.
    private let chain: [APIError]
    /// What to do about it, in place of what is said of every error of its kind.
    var hint: String?
    /// Tells the user of the app, in the words of the call's service.
    private let tellUser: UserText?
    private let names: Redaction
    private let secrets: CallSecrets
    /// What is hidden in its texts: what has a secret name, and what the call has sent under one.
    var redaction: Redaction { names.hiding(secrets) }

    typealias UserText = @Sendable (APIError, _ languages: [String]) -> String

    init(
        _ kind: Kind, call: APICall, response: APIResponse? = nil, underlying: APIError? = nil,
        hint: String? = nil, redaction: Redaction, tellUser: UserText? = nil
    ) {
        self.kind = kind
        serviceIdentifier = call.serviceIdentifier
        methodName = call.methodName
        endpoint = call.endpoint(redaction)
        requestID = call.requestID
        self.response = response
        chain = underlying.map { [$0] } ?? []
        self.hint = hint
        self.tellUser = tellUser
        names = redaction
        secrets = call.secrets
    }
}

extension APIError {
    /// One or two sentences for the user of the app, in their language: the backend's message where there is one, otherwise
    /// a short text for what happened; see ``Service/userMessage(for:languages:)``. ``localizedDescription`` is for
    /// developers.
    public var userMessage: String { userMessage(in: Locale.preferredLanguages) }

    /// The same in the first of some languages that there are texts for, otherwise in English.
    /// - Parameter languages: language tags (RFC 5646), the preferred one first.
    public func userMessage(in languages: [String]) -> String {
        tellUser?(self, languages) ?? UserMessages.standard.message(for: self, in: languages)
    }

    /// What went wrong, in the order of the pipeline.
    public enum Kind: Sendable, Hashable {
        /// An interceptor did not let the call go out.
        case vetoed
        /// The validator refused the params. Nothing was sent.
        case invalidParams(reason: String)
        /// No service is registered under the manager's identifier.
        case serviceNotRegistered
        /// The services ask for each other in their `init`, so that none can be made: from the first back to itself.
        case serviceCycle([ServiceIdentifier])
        /// There is no network. Nothing was sent.
        case notReachable
        /// The endpoint is not called for a while. Nothing was sent.
        case degraded(until: Date?)
        /// The request could not be built, or may not be sent: by plain HTTP, for one.
        case invalidRequest(reason: String)
        /// The answer did not come in time.
        case timedOut
        /// The call was cancelled, or its manager released; the text says which.
        case cancelled
        /// The exchange failed on the wire.
        case transport(TransportError)
        /// A file or stream of a transfer failed on this side.
        case transfer(TransferFailure)
        /// The service does not accept the status of the response. Where its envelope says more, that is in
        /// ``APIError/businessCode`` and ``APIError/businessMessage``.
        case http(status: Int)
        /// The service's envelope has a code that is not a success.
        case business(code: JSONValue, message: String?)
        /// The payload is not what the manager's output says.
        case decoding(DecodingFailure)
        /// The validator refused the response.
        case invalidResponse(reason: String)
        /// The call waited for new tokens of its session, and there are none. Nothing was sent where there is
        /// no ``APIError/underlying``.
        case refreshFailed(RefreshFailure)
        /// The call needs a login, and nobody has logged in; or the user for whom it was made has logged out
        /// meanwhile, or another one has logged in.
        case loginRequired
        /// The login failed by another error than an ``APIError``. Only as the ``APIError/underlying`` of
        /// ``loginRequired``.
        case loginFailed(reason: String)
        /// The call needs a login, and the user did not want to.
        case loginCancelled
        /// The service swallowed the failure, or an interceptor held the result back.
        case intercepted
    }

    /// Where and why decoding failed.
    public struct DecodingFailure: Sendable, Hashable {
        /// Keys and indices from the top of the body.
        public let path: [String]
        /// What was expected and what was found.
        public let reason: String
        /// Whether the reason may quote the value that is there.
        var mayQuote = false
    }
}

extension APIError.Kind {
    /// What went wrong on the wire.
    init(_ error: TransportError) {
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
