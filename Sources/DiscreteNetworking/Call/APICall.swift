import Foundation

/// One call on its way, as services, generators and observers see it. It does not change: each attempt, and each change
/// of the params, is described by a copy.
public struct APICall: Sendable {
    /// The number that `loadData` returned.
    public private(set) var requestID: RequestID
    /// The service that the manager belongs to.
    public let serviceIdentifier: ServiceIdentifier
    /// The manager's method name, as written, `{placeholders}` and all.
    public let methodName: String
    /// The manager's HTTP method.
    public let requestType: HTTPMethod
    /// The manager's own params, after its subclass reformed them. While a request is assembled,
    /// ``Service/url(for:)`` and ``Service/encoding(for:)`` see the extra params too, and no longer
    /// those that filled the path.
    public private(set) var params: Params
    /// ``methodName`` as a relative path: placeholders filled, percent-encoded (RFC 3986). Empty until
    /// the request generator has filled it, before it asks for the URL.
    public private(set) var path = ""
    /// 1 for the first attempt; one more for each time the call was repeated.
    public private(set) var attempt = 1
    /// The manager's tag.
    public let tag: RequestTag?
    /// The manager's class.
    public let managerType: ManagerType
    /// The params that fill the placeholders, those of the service included; `nil` until there is a request.
    private(set) var pathParams: Params?
    /// What was sent that may be secret; `nil` until there is a request.
    private var sent: CallSecrets?
    /// What the manager says about its own requests.
    private(set) var overrides: Overrides
    /// What the response is decoded to.
    let outputType: any (Decodable & Sendable).Type
    /// When it was made, and so for whom.
    private(set) var epoch = UserEpoch.now
    /// The refresh or login that this call is a part of.
    let renewal = RenewalMark.current

    /// What a manager may set for itself instead of its service's rule.
    struct Overrides: Sendable {
        var headers: [String: String] = [:]
        var responseRules = ResponseRules()
        var encoding: (any ParamEncoding)?
        var timeout: TimeInterval?
        var sharesIdenticalRequests: Bool?
        var download: Download?
        var usesSession = true
        var requiresLogin = false
        var cache = CachePolicy.none
        /// Whether stored responses are left aside. The new one is stored all the same.
        var ignoresCache = false
        var retry: RetryPolicy?
        var waitsForNetwork = false
    }

    init(
        requestID: RequestID = .next(), serviceIdentifier: ServiceIdentifier, methodName: String,
        requestType: HTTPMethod, params: Params, tag: RequestTag? = nil, overrides: Overrides = Overrides(),
        outputType: any (Decodable & Sendable).Type, managerType: ManagerType
    ) {
        self.requestID = requestID
        self.serviceIdentifier = serviceIdentifier
        self.methodName = methodName
        self.requestType = requestType
        self.params = params
        self.tag = tag
        self.overrides = overrides
        self.outputType = outputType
        self.managerType = managerType
    }

    /// What is hidden in texts about the call, wherever a server repeats it.
    var secrets: CallSecrets { sent ?? CallSecrets(params, nil) }

    /// Whether a response without a body can be decoded to the manager's output.
    public var outputMayBeEmpty: Bool { outputType is any EmptyDecodable.Type }
}

// MARK: Copies

extension APICall {
    private func with(_ change: (inout APICall) -> Void) -> APICall {
        var copy = self
        change(&copy)
        return copy
    }

    /// The same call in its next attempt.
    func nextAttempt() -> APICall { with { $0.attempt += 1 } }

    /// The same call while its request is assembled.
    /// - Parameters:
    ///   - params: with the extra ones of the service; `nil` for those there are.
    ///   - path: the method name with its placeholders filled; `nil` for the one there is.
    func assembled(params: Params? = nil, path: String? = nil) -> APICall {
        with {
            $0.params = params ?? $0.params
            $0.path = path ?? $0.path
        }
    }

    /// The same call once its request is made.
    /// - Parameter request: `nil` for one that is no longer good; what is known of it stays.
    func requested(_ request: APIRequest?) -> APICall {
        guard let request else { return self }
        return with {
            $0.pathParams = Params(values: request.pathParams)
            $0.sent = CallSecrets(params, request)
        }
    }

    /// The same call for the user who has come at an epoch; `nil` for the one for whom it was made.
    func continued(for epoch: UserEpoch?) -> APICall { with { $0.epoch = epoch ?? $0.epoch } }

    /// The same call, answered by the server and not by a cache.
    func ignoringCache() -> APICall { with { $0.overrides.ignoresCache = true } }

    /// Another call that asks the server the same, in the background.
    func revalidation() -> APICall {
        ignoringCache().with { $0.requestID = .next() }
    }
}

extension APICall: SecretBearing {
    /// Service, method name as written, number and attempt; never a param.
    public var description: String { "\(serviceIdentifier)/\(methodName) \(requestID), attempt \(attempt)" }
}
