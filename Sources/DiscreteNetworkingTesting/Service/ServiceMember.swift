import DiscreteNetworkingCore

/// A member of ``/DiscreteNetworking/Service`` with a default implementation, for
/// ``assertOverrides(of:_:madeBy:fileID:file:line:)``.
public struct ServiceMember: Sendable {
    let member: ServiceDefault
    /// The member as a service declares it.
    let declaration: String
    /// Calls the member.
    let call: @Sendable (any Service) async -> Void

    private init(
        _ member: ServiceDefault, _ declaration: String,
        call: @escaping @Sendable (any Service) async -> Void
    ) {
        self.member = member
        self.declaration = declaration
        self.call = call
    }

    // MARK: URLs

    /// ``/DiscreteNetworking/Service/configuration``
    public static let configuration = ServiceMember(
        .configuration, "let configuration = ServiceConfiguration(…)"
    ) { _ = $0.configuration }

    /// ``/DiscreteNetworking/Service/apiVersion``
    public static let apiVersion = ServiceMember(.apiVersion, "var apiVersion: String? { … }") {
        _ = $0.apiVersion
    }

    /// ``/DiscreteNetworking/Service/url(for:)``
    public static let url = ServiceMember(.url, "func url(for call: APICall) throws -> URL { … }") {
        _ = try? $0.url(for: .neutral)
    }

    // MARK: Requests

    /// ``/DiscreteNetworking/Service/extraParams(for:)``
    public static let extraParams = ServiceMember(
        .extraParams, "func extraParams(for call: APICall) -> Params { … }"
    ) { _ = $0.extraParams(for: .neutral) }

    /// ``/DiscreteNetworking/Service/extraHeaders(for:)``
    public static let extraHeaders = ServiceMember(
        .extraHeaders, "func extraHeaders(for call: APICall) -> [String: String] { … }"
    ) { _ = $0.extraHeaders(for: .neutral) }

    /// ``/DiscreteNetworking/Service/credential(for:)``
    public static let credential = ServiceMember(
        .credential, "func credential(for call: APICall) -> HTTPCredential? { … }"
    ) { _ = $0.credential(for: .neutral) }

    /// ``/DiscreteNetworking/Service/encoding(for:)``
    public static let encoding = ServiceMember(
        .encoding, "func encoding(for call: APICall) -> any ParamEncoding { … }"
    ) { _ = $0.encoding(for: .neutral) }

    /// ``/DiscreteNetworking/Service/adapt(_:for:)``
    public static let adapt = ServiceMember(
        .adapt, "func adapt(_ request: inout APIRequest, for call: APICall) async throws { … }"
    ) { service in
        var request = APIRequest(url: service.baseURL)
        try? await service.adapt(&request, for: .neutral)
    }

    /// ``/DiscreteNetworking/Service/bodyTransform(for:)``
    public static let bodyTransform = ServiceMember(
        .bodyTransform, "func bodyTransform(for call: APICall) -> (any BodyTransform)? { … }"
    ) { _ = $0.bodyTransform(for: .neutral) }

    /// ``/DiscreteNetworking/Service/signer(for:)``
    public static let signer = ServiceMember(
        .signer, "func signer(for call: APICall) -> (any RequestSigner)? { … }"
    ) { _ = $0.signer(for: .neutral) }

    // MARK: Exchanges and responses

    /// ``/DiscreteNetworking/Service/priority(for:)``
    public static let priority = ServiceMember(
        .priority, "func priority(for call: APICall) -> CallPriority { … }"
    ) { _ = $0.priority(for: .neutral) }

    /// ``/DiscreteNetworking/Service/redirectPolicy(for:)``
    public static let redirectPolicy = ServiceMember(
        .redirectPolicy, "func redirectPolicy(for call: APICall) -> RedirectPolicy { … }"
    ) { _ = $0.redirectPolicy(for: .neutral) }

    /// ``/DiscreteNetworking/Service/accepts(status:for:)``
    public static let accepts = ServiceMember(
        .accepts, "func accepts(status: Int, for call: APICall) -> Bool { … }"
    ) { _ = $0.accepts(status: 200, for: .neutral) }

    /// ``/DiscreteNetworking/Service/envelope(for:)``
    public static let envelope = ServiceMember(
        .envelope, "func envelope(for call: APICall) -> Envelope? { … }"
    ) { _ = $0.envelope(for: .neutral) }

    // MARK: Users and failures

    /// ``/DiscreteNetworking/Service/sessionProblem(in:)``
    public static let sessionProblem = ServiceMember(
        .sessionProblem, "func sessionProblem(in failure: FailureContext) -> SessionProblem? { … }"
    ) { _ = $0.sessionProblem(in: .neutral) }

    /// ``/DiscreteNetworking/Service/intercept(_:)``
    public static let intercept = ServiceMember(
        .intercept, "func intercept(_ failure: FailureContext) async -> FailureDisposition { … }"
    ) { _ = await $0.intercept(.neutral) }

    /// ``/DiscreteNetworking/Service/userMessage(for:languages:)``
    public static let userMessage = ServiceMember(
        .userMessage, "func userMessage(for error: APIError, languages: [String]) -> String { … }"
    ) { _ = $0.userMessage(for: FailureContext.neutral.error, languages: ["en"]) }

    /// ``/DiscreteNetworking/Service/retryPolicy(for:)``
    public static let retryPolicy = ServiceMember(
        .retryPolicy, "func retryPolicy(for call: APICall) -> RetryPolicy { … }"
    ) { _ = $0.retryPolicy(for: .neutral) }

    /// ``/DiscreteNetworking/Service/circuitBreakerPolicy(for:)``
    public static let circuitBreakerPolicy = ServiceMember(
        .circuitBreakerPolicy, "func circuitBreakerPolicy(for call: APICall) -> CircuitBreakerPolicy? { … }"
    ) { _ = $0.circuitBreakerPolicy(for: .neutral) }

    // MARK: Caching

    /// ``/DiscreteNetworking/Service/varyingFields(for:)``
    public static let varyingFields = ServiceMember(
        .varyingFields, "func varyingFields(for call: APICall) -> VaryingFields { … }"
    ) { _ = $0.varyingFields(for: .neutral) }

    /// ``/DiscreteNetworking/Service/cacheIdentity(for:)``
    public static let cacheIdentity = ServiceMember(
        .cacheIdentity, "func cacheIdentity(for call: APICall) -> String { … }"
    ) { _ = $0.cacheIdentity(for: .neutral) }

    /// All members, for a test of this list.
    static let all = [
        configuration, apiVersion, url, extraParams, extraHeaders, credential, encoding, adapt, bodyTransform,
        signer, priority, redirectPolicy, accepts, envelope, sessionProblem, intercept, userMessage,
        retryPolicy, circuitBreakerPolicy, varyingFields, cacheIdentity,
    ]
}
