import Foundation

/// One call on its way, as services, generators and observers see it.
public struct APICall: Sendable {
    /// The number that `loadData` returned.
    public internal(set) var requestID: RequestID
    /// The service that the manager belongs to.
    public let serviceIdentifier: ServiceIdentifier
    /// The manager's method name, as written, `{placeholders}` and all.
    public let methodName: String
    /// The manager's HTTP method.
    public let requestType: HTTPMethod
    /// The manager's own params, after its subclass reformed them. While a request is assembled,
    /// ``Service/url(for:)`` and ``Service/encoding(for:)`` see the extra params too, and no longer
    /// those that filled the path.
    public internal(set) var params: Params
    /// ``methodName`` as a relative path: placeholders filled, percent-encoded (RFC 3986). Empty until
    /// the request generator has filled it, before it asks for the URL.
    public internal(set) var path = ""
    /// 1 for the first attempt; one more for each time the service had the call repeated.
    public internal(set) var attempt = 1
    /// The manager's tag.
    public let tag: RequestTag?
    /// What the manager says about its own requests.
    var overrides: Overrides
    /// What the response is decoded to.
    let outputType: any (Decodable & Sendable).Type
    /// When it was made, and so for whom.
    var epoch = UserEpoch.now
    /// The refresh or login that this call is a part of.
    var renewal = RenewalMark.current
    /// What this attempt goes out with, where its service has a session.
    var pass: SessionSnapshot?
    /// What this attempt sends, once it is made.
    var request: APIRequest?
    /// What the call has waited for already: it does not wait for the same twice.
    var waitedFor: Set<SessionRequirement> = []
    /// How often it was repeated because of the ``RetryPolicy``.
    var retries = 0
    /// What this attempt hands in to the endpoint's breaker.
    var admission: CircuitBreakerRegistry.Admission?
    /// Where the answer to this attempt's request is kept; `nil` where it is not.
    var cachePlace: CachePlace?
    /// What is kept of an earlier answer to this attempt's request, and may still be good.
    var toRevalidate: APIResponse?
    /// The manager's class.
    public let managerType: BaseAPIManager.Type

    /// What a manager may set for itself instead of its service's rule.
    struct Overrides: Sendable {
        var headers: [String: String] = [:]
        var encoding: (any ParamEncoding)?
        var timeout: TimeInterval?
        var sharesIdenticalRequests: Bool?
        var download: Download?
        var usesSession = true
        var requiresLogin = false
        var cache = CachePolicy.none
        /// What is kept is not used; what comes is kept.
        var ignoresCache = false
        var retry: RetryPolicy?
        var waitsForNetwork = false
    }

    /// Whether a response without a body can be decoded to the manager's output.
    public var outputMayBeEmpty: Bool { outputType is any EmptyDecodable.Type }
}

extension APICall: SecretBearing {
    /// Service, method name as written, number and attempt; never a param.
    public var description: String { "\(serviceIdentifier)/\(methodName) \(requestID), attempt \(attempt)" }
}
