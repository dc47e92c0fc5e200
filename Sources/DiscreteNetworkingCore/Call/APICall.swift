package import Foundation

/// The description of a call, as passed to services, generators and observers. Immutable: each attempt, and
/// each change of the params, is described by a copy.
///
/// ```swift
/// final class ShopService: Service {
///     var baseURL: URL { URL(string: "https://api.example.com")! }
///
///     func extraHeaders(for call: APICall) -> [String: String] {
///         call.requestType == .get ? [:] : ["X-Request": "\(call.requestID)"]
///     }
/// }
/// ```
public struct APICall: Sendable {
    /// The request ID that `loadData` returned.
    public private(set) var requestID: RequestID
    /// The identifier of the manager's service.
    public var serviceIdentifier: ServiceIdentifier { constants.serviceIdentifier }
    /// The manager's method name, with unfilled placeholders.
    public var methodName: String { constants.methodName }
    /// The manager's HTTP method.
    public var requestType: HTTPMethod { constants.requestType }
    /// The manager's params, after ``BaseAPIManager/reform(_:)``. While the request is built, ``Service/url(for:)`` and
    /// ``Service/encoding(for:)`` see the extra params as well, without the params that filled the path.
    public internal(set) var params: Params
    /// The relative path: ``methodName`` with filled placeholders, percent-encoded (RFC 3986). Empty until
    /// the request is built.
    public internal(set) var path = ""
    /// The number of the attempt, starting with 1.
    public private(set) var attempt = 1
    /// The manager's tag.
    public var tag: RequestTag? { constants.tag }
    /// What identifies the operation in all attempts; `nil` if the backend does not receive it. See
    /// ``BaseAPIManager/idempotencyKey(with:)``.
    public var idempotencyKey: IdempotencyKey? { constants.overrides.idempotencyKey }
    /// The manager's class.
    public var managerType: ManagerType { constants.managerType }
    /// The request of the current attempt; `nil` until it is built.
    var request: Box<APIRequest>?
    /// The manager's overrides of its service's configuration.
    package var overrides: Overrides { constants.overrides }
    /// Whether to bypass the cached responses. The new response is still stored.
    package private(set) var ignoresCache = false
    /// The type that the response is decoded to.
    package var outputType: any (Decodable & Sendable).Type { constants.outputType }
    /// The same, if it is a file or a stream.
    var transfer: (any TransferredOutput.Type)? { constants.transfer }
    /// When the call was made, which determines its user.
    private(set) var epoch = UserEpoch.now
    /// The refresh or login that this call is part of.
    package var renewal: RenewalMark? { constants.renewal }
    /// The proxy of the call; `nil` if it was released.
    var dispatcher: (any CallDispatcher)? { constants.dispatcher }
    /// The chain of calls that led to this one, outermost first. Each call made the next one in a hook.
    var callers: [String] { constants.callers }
    /// The environments of the work that this call is part of; empty if it is part of none.
    var environments: [any AnyScopedEnvironment] { constants.environments }
    /// The environments of the current attempt; `nil` if there are none.
    private(set) var scope: EnvironmentScope?

    /// The fields that are the same in every attempt.
    ///
    /// A class, and not a struct in a box: the compiler writes 8 KB of code to copy a struct with so many fields.
    final class Constants: Sendable {
        let serviceIdentifier: ServiceIdentifier
        let methodName: String
        let requestType: HTTPMethod
        let tag: RequestTag?
        let managerType: ManagerType
        let overrides: Overrides
        let outputType: any (Decodable & Sendable).Type
        let transfer: (any TransferredOutput.Type)?
        /// Not retained: an error or an event that has a call would keep its proxy.
        weak let dispatcher: (any CallDispatcher)?
        let callers: [String]
        let renewal: RenewalMark?
        let environments: [any AnyScopedEnvironment]

        fileprivate init(
            _ serviceIdentifier: ServiceIdentifier, _ methodName: String, _ requestType: HTTPMethod,
            _ tag: RequestTag?, _ managerType: ManagerType, _ overrides: consuming Overrides,
            _ outputType: any (Decodable & Sendable).Type, _ dispatcher: (any CallDispatcher)?
        ) {
            self.serviceIdentifier = serviceIdentifier
            self.methodName = methodName
            self.requestType = requestType
            self.tag = tag
            self.managerType = managerType
            self.outputType = outputType
            transfer = outputType as? any TransferredOutput.Type
            if overrides.download == nil { overrides.download = transfer?.standardDownload }
            self.overrides = overrides
            self.dispatcher = dispatcher
            let context = CallContext.current
            callers = context.callers
            renewal = context.renewal
            environments = context.activeEnvironments
        }

        /// The same with other overrides or environments.
        fileprivate init(
            _ other: Constants, _ overrides: Overrides, in environments: [any AnyScopedEnvironment]
        ) {
            serviceIdentifier = other.serviceIdentifier
            methodName = other.methodName
            requestType = other.requestType
            tag = other.tag
            managerType = other.managerType
            self.overrides = overrides
            outputType = other.outputType
            transfer = other.transfer
            dispatcher = other.dispatcher
            callers = other.callers
            renewal = other.renewal
            self.environments = environments
        }
    }

    private(set) var constants: Constants

    /// The configuration that a manager may set instead of its service.
    package struct Overrides: Sendable {
        /// The complete URL of the call; `nil` if the service builds it.
        package var url: URL?
        /// The manager's header fields. Invalid ones are reported when the request is built.
        var headers: Result<HTTPFields, InvalidRequestError> = .success([:])
        var responseRules = ResponseRules()
        var bodyTransform: (any BodyTransform)?
        var compression: RequestCompression?
        var sample: ActiveSample?
        var encoding: (any ParamEncoding)?
        package var timeout: TimeInterval?
        var deadline: TimeInterval?
        var deadlineScope: DeadlineScope?
        var sharesIdenticalRequests: Bool?
        package var download: Download?
        package var usesSession = true
        /// Whether responses are secret as a whole.
        var hidesResponses = false
        var requiresLogin = false
        package var cache = CachePolicy.none
        var retry: RetryPolicy?
        var network = NetworkPolicy.any
        var concurrencyLimit: Int?
        package var rateLimit: RateLimit?
        var priority: CallPriority?
        var idempotencyKey: IdempotencyKey?
        /// What sends the requests in place of the proxy; `nil` for the proxy.
        var carrier: (any CallCarrier)?

        /// The overrides that the request depends on.
        fileprivate var forReplay: Overrides {
            var kept = Overrides()
            (kept.url, kept.headers, kept.encoding) = (url, headers, encoding)
            (kept.responseRules, kept.bodyTransform) = (responseRules, bodyTransform)
            (kept.compression, kept.timeout) = (compression, timeout)
            (kept.usesSession, kept.requiresLogin) = (usesSession, requiresLogin)
            (kept.hidesResponses, kept.idempotencyKey) = (hidesResponses, idempotencyKey)
            return kept
        }
    }

    init(
        requestID: RequestID = .next(), serviceIdentifier: ServiceIdentifier, methodName: String,
        requestType: HTTPMethod, params: Params, tag: RequestTag? = nil,
        overrides: consuming Overrides = Overrides(),
        outputType: any (Decodable & Sendable).Type, managerType: ManagerType,
        dispatcher: (any CallDispatcher)? = nil
    ) {
        self.requestID = requestID
        self.params = params
        constants = Constants(
            serviceIdentifier, methodName, requestType, tag, managerType, overrides, outputType, dispatcher)
    }

    /// The values redacted in texts about the call, wherever a server echoes them.
    var secrets: CallSecrets { CallSecrets(params, request?.value) }

    /// The request of the current attempt, or of the last one that built one.
    var builtRequest: APIRequest? { request?.value.kept }

    /// Where the request of the current attempt goes, for error texts; `nil` until it is built.
    var target: RequestLocation? { (request?.value).map(RequestLocation.init) }

    /// The params that fill the placeholders, including extra params of the service; `nil` until the request is built.
    var pathParams: Params? { (request?.value.notes.pathParams).map { Params(values: $0) } }

    /// Whether the manager's sample is the response; see ``BaseAPIManager/sample``.
    public var isSample: Bool { constants.overrides.sample != nil }

    /// Whether an empty response can be decoded to the manager's output.
    public var outputMayBeEmpty: Bool {
        outputType is any EmptyDecodable.Type || outputType is any EmptyOutput.Type
    }
}

// MARK: Copies

extension APICall {
    private func with(_ change: (inout APICall) -> Void) -> APICall {
        var copy = self
        change(&copy)
        return copy
    }

    /// Returns the call in its next attempt.
    func nextAttempt() -> APICall { with { $0.attempt += 1 } }

    /// Returns the call after its request was built.
    /// - Parameter request: The request; `nil` to keep the recorded values of the last one.
    func requested(_ request: Box<APIRequest>?) -> APICall { with { $0.request = request ?? $0.request } }

    /// Returns the call in the environments of its next attempt.
    func entering(_ scope: EnvironmentScope?) -> APICall { with { $0.scope = scope } }

    /// Returns the call as part of work in some environments; as it is without any.
    package func part(ofWorkIn scope: EnvironmentScope?) -> APICall {
        guard let scope else { return self }
        return with { $0.constants = Constants(constants, overrides, in: scope.all) }
    }

    /// Returns the call for the user of an epoch; `nil` for the same user.
    func continued(for epoch: UserEpoch?) -> APICall { with { $0.epoch = epoch ?? $0.epoch } }

    /// Returns the call without its session and without secret headers, for a host that is not the service's.
    func toForeignHost(_ redaction: Redaction) -> APICall {
        overriding {
            $0.usesSession = false
            $0.requiresLogin = false
            $0.headers = $0.headers.map { headers in
                HTTPFields(headers.filter { !redaction.isSecret(header: $0.name.rawName) })
            }
        }
    }

    /// Returns the call without what only its pipeline needs: its request, body, sample and transforms, which may be large.
    /// - Parameter forReplay: Whether to keep what another call needs to send the same request.
    package func recorded(forReplay: Bool = false) -> APICall {
        overriding { $0 = forReplay ? $0.forReplay : Overrides() }.with { $0.request = nil }
    }

    /// Returns the call, bypassing the cached responses.
    package func ignoringCache() -> APICall { with { $0.ignoresCache = true } }

    /// Returns the call, which joins no request that was sent before.
    func unshared() -> APICall { overriding { $0.sharesIdenticalRequests = false } }

    /// Returns the call with a sample as its response.
    func answered(by sample: ActiveSample) -> APICall {
        overriding {
            $0.sample = sample
            // A sample is for nobody: it needs no login, and reads no token.
            $0.usesSession = false
            $0.requiresLogin = false
        }
    }

    private func overriding(_ change: (inout Overrides) -> Void) -> APICall {
        var overrides = overrides
        change(&overrides)
        return with { $0.constants = Constants(constants, overrides, in: environments) }
    }

    /// Returns another call to the same endpoint, for the user of now.
    func again(with params: Params, adding fields: HTTPFields) -> APICall {
        var overrides = overrides
        overrides.headers = overrides.headers.map { headers in
            var headers = headers
            headers.merge(fields)
            return headers
        }
        if overrides.idempotencyKey != nil { overrides.idempotencyKey = IdempotencyKey() }
        return APICall(
            serviceIdentifier: serviceIdentifier, methodName: methodName, requestType: requestType,
            params: params, tag: tag, overrides: overrides, outputType: outputType,
            managerType: managerType, dispatcher: dispatcher)
    }

    /// Returns another call with the same request, to revalidate in the background.
    func revalidation() -> APICall {
        ignoringCache().with { $0.requestID = .next() }
    }
}

extension APICall: SecretBearing {
    /// The service, method name, request ID and attempt; never a param.
    public var description: String {
        let name =
            methodName.utf8.contains(UInt8(ascii: "?"))
            ? PathTemplate.text(of: methodName, [:], .standard) : methodName
        return "\(serviceIdentifier)/\(name) \(requestID), attempt \(attempt)"
    }
}
