public import Foundation

/// What holds if a service does not say otherwise. Each default implementation notes that it ran; see ``DefaultProbe``.
extension Service {
    public var configuration: ServiceConfiguration {
        DefaultProbe.note(.configuration)
        return ServiceConfiguration()
    }
    public var apiVersion: String? {
        DefaultProbe.note(.apiVersion)
        return nil
    }
    public func url(for call: APICall) throws -> URL {
        DefaultProbe.note(.url)
        return try call.url(baseURL: baseURL, apiVersion: apiVersion)
    }
    public func extraParams(for call: APICall) -> Params {
        DefaultProbe.note(.extraParams)
        return [:]
    }
    public func extraHeaders(for call: APICall) -> [String: String] {
        DefaultProbe.note(.extraHeaders)
        return [:]
    }
    public func credential(for call: APICall) -> HTTPCredential? {
        DefaultProbe.note(.credential)
        return nil
    }
    public func encoding(for call: APICall) -> any ParamEncoding {
        DefaultProbe.note(.encoding)
        return standardParamEncoding(for: call.requestType)
    }
    public func adapt(_ request: inout APIRequest, for call: APICall) async throws {
        DefaultProbe.note(.adapt)
    }
    public func bodyTransform(for call: APICall) -> (any BodyTransform)? {
        DefaultProbe.note(.bodyTransform)
        return nil
    }
    public func signer(for call: APICall) -> (any RequestSigner)? {
        DefaultProbe.note(.signer)
        return nil
    }
    public func priority(for call: APICall) -> CallPriority {
        DefaultProbe.note(.priority)
        return .normal
    }
    public func redirectPolicy(for call: APICall) -> RedirectPolicy {
        DefaultProbe.note(.redirectPolicy)
        return .follow
    }
    public func accepts(status: Int, for call: APICall) -> Bool {
        DefaultProbe.note(.accepts)
        return 200..<300 ~= status || (status == 304 && call.outputMayBeEmpty)
    }
    public func envelope(for call: APICall) -> Envelope? {
        DefaultProbe.note(.envelope)
        return nil
    }
    public func sessionProblem(in failure: FailureContext) -> SessionProblem? {
        DefaultProbe.note(.sessionProblem)
        return SessionProblem.byChallenge(failure) ?? SessionProblem.byStatus(failure)
    }
    public func intercept(_ failure: FailureContext) async -> FailureDisposition {
        DefaultProbe.note(.intercept)
        return .report
    }
    public func userMessage(for error: APIError, languages: [String]) -> String {
        DefaultProbe.note(.userMessage)
        return UserMessages.standard.message(for: error, in: languages)
    }
    public func retryPolicy(for call: APICall) -> RetryPolicy {
        DefaultProbe.note(.retryPolicy)
        return .never
    }
    public func circuitBreakerPolicy(for call: APICall) -> CircuitBreakerPolicy? {
        DefaultProbe.note(.circuitBreakerPolicy)
        return nil
    }
    public func varyingFields(for call: APICall) -> VaryingFields {
        DefaultProbe.note(.varyingFields)
        return .none
    }
    public func cacheIdentity(for call: APICall) -> String {
        DefaultProbe.note(.cacheIdentity)
        return ""
    }
}
