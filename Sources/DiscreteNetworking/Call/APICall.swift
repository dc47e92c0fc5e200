import Foundation

/// The description of a call, as passed to services, generators and observers. Immutable: each attempt, and
/// each change of the params, is described by a copy.
public struct APICall: Sendable {
    /// The request ID that `loadData` returned.
    public private(set) var requestID: RequestID
    /// The identifier of the manager's service.
    public let serviceIdentifier: ServiceIdentifier
    /// The manager's method name, with unfilled placeholders.
    public let methodName: String
    /// The manager's HTTP method.
    public let requestType: HTTPMethod
    /// The manager's params, after ``BaseAPIManager/reform(_:)``. While the request is built,
    /// ``Service/url(for:)`` and ``Service/encoding(for:)`` see the extra params as well, without those
    /// that filled the path.
    public private(set) var params: Params
    /// The relative path: ``methodName`` with filled placeholders, percent-encoded (RFC 3986). Empty until
    /// the request is built.
    public private(set) var path = ""
    /// The number of the attempt, starting with 1.
    public private(set) var attempt = 1
    /// The manager's tag.
    public let tag: RequestTag?
    /// The manager's class.
    public let managerType: ManagerType
    /// The params that fill the placeholders, including those of the service; `nil` until the request is
    /// built.
    private(set) var pathParams: Params?
    /// The values sent that may be secret; `nil` until the request is built.
    private var sent: CallSecrets?
    /// The manager's overrides of its service's configuration.
    private(set) var overrides: Overrides
    /// The type that the response is decoded to.
    let outputType: any (Decodable & Sendable).Type
    /// When the call was made, which determines its user.
    private(set) var epoch = UserEpoch.now
    /// The refresh or login that this call is part of.
    let renewal = RenewalMark.current

    /// The configuration that a manager may set instead of its service.
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
        /// Whether to bypass stored responses. The new response is still stored.
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

    /// The values redacted in texts about the call, wherever a server repeats them.
    var secrets: CallSecrets { sent ?? CallSecrets(params, nil) }

    /// Whether an empty response can be decoded to the manager's output.
    public var outputMayBeEmpty: Bool { outputType is any EmptyDecodable.Type }
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

    /// Returns the call while its request is built.
    /// - Parameters:
    ///   - params: The params including the service's; `nil` for no change.
    ///   - path: The method name with filled placeholders; `nil` for no change.
    func assembled(params: Params? = nil, path: String? = nil) -> APICall {
        with {
            $0.params = params ?? $0.params
            $0.path = path ?? $0.path
        }
    }

    /// Returns the call after its request was built.
    /// - Parameter request: The request; `nil` to keep the recorded values of the last one.
    func requested(_ request: APIRequest?) -> APICall {
        guard let request else { return self }
        return with {
            $0.pathParams = Params(values: request.pathParams)
            $0.sent = CallSecrets(params, request)
        }
    }

    /// Returns the call for the user of an epoch; `nil` for the same user.
    func continued(for epoch: UserEpoch?) -> APICall { with { $0.epoch = epoch ?? $0.epoch } }

    /// Returns the call, bypassing stored responses.
    func ignoringCache() -> APICall { with { $0.overrides.ignoresCache = true } }

    /// Returns another call with the same request, to revalidate in the background.
    func revalidation() -> APICall {
        ignoringCache().with { $0.requestID = .next() }
    }
}

extension APICall: SecretBearing {
    /// The service, method name, request ID and attempt; never a param.
    public var description: String { "\(serviceIdentifier)/\(methodName) \(requestID), attempt \(attempt)" }
}
