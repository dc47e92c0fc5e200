package import Foundation

/// What holds for a call in one environment: the manager's value if it has one, otherwise the service's. Nothing else chooses
/// between the two.
///
/// What a service says about a call that it sees, its attempt included, is asked when it is needed; all else is decided once.
package final class CallPlan: Sendable {
    package let configured: ConfiguredService
    /// Whether the call goes to another origin than its service's, and gets none of its configuration.
    let isForeign: Bool
    /// Whether a ``CallCarrier`` sends the requests: the limits of the app's own calls do not apply.
    let isCarried: Bool
    /// Whether the response comes from a server, not from a sample.
    let reachesServer: Bool
    /// Whether the manager has a cache policy and the response fits in memory.
    package let isCacheable: Bool
    /// Whether the call is never sent.
    package let isForCacheOnly: Bool
    /// The timeout of an attempt, in seconds. Of a file or a stream only if the manager has one.
    package let timeout: TimeInterval
    let sharesIdenticalRequests: Bool
    /// Whether the call may have to wait for a login or a refresh before it is sent.
    let mayHaveToWait: Bool
    /// Whether the service or the endpoint limits concurrent calls.
    let isLimited: Bool
    /// Whether the call counts for that limit, and waits for a slot.
    let needsSlot: Bool
    /// The limit of calls in a period, of the endpoint or else of the service; `nil` for none.
    let rateLimit: RateLimit?
    /// Whether the call has a timeout for all its attempts together.
    package let hasDeadline: Bool
    /// Whether the method is unsafe, and the service has a protection.
    let mayNeedCSRFToken: Bool
    /// The size from which on the body is compressed; `nil` if it is not.
    let compressionSize: Int?
    private let constants: APICall.Constants

    package var service: any Service { configured.service }
    package var configuration: ServiceConfiguration { configured.configuration.value }
    package var cacheVersion: String { configured.configuration.value.cacheVersion }
    private var overrides: APICall.Overrides { constants.overrides }

    init(_ call: APICall, _ configured: ConfiguredService, isForeign: Bool = false) {
        // Neither this nor the overrides are copied: they have many fields.
        let configuration = configured.configuration
        self.configured = configured
        self.isForeign = isForeign
        let constants = call.constants
        self.constants = constants
        timeout = constants.overrides.timeout ?? configuration.value.timeout
        isCarried = constants.overrides.carrier != nil
        reachesServer = constants.overrides.sample == nil
        isCacheable = !constants.overrides.cache.storesNothing && call.reasonNotToStore == nil
        isForCacheOnly = call.isForCacheOnly
        // The system decides when it sends a request that outlives the app, and how long that takes.
        let isOwn = reachesServer && !isCarried
        sharesIdenticalRequests =
            isOwn
            && constants.overrides.sharesIdenticalRequests
                ?? configuration.value.sharesIdenticalRequests
        mayHaveToWait =
            reachesServer && (configured.session != nil || constants.overrides.requiresLogin)
        isLimited =
            reachesServer
            && (configuration.value.concurrencyLimit != nil
                || constants.overrides.concurrencyLimit != nil)
        needsSlot = isLimited && !isCarried
        rateLimit = isOwn ? constants.overrides.rateLimit ?? configuration.value.rateLimit : nil
        hasDeadline =
            !isCarried
            && (constants.overrides.deadline != nil || constants.overrides.deadlineScope != nil
                || configuration.value.deadline != nil)
        mayNeedCSRFToken = reachesServer && configuration.value.csrf != nil && !call.requestType.isSafe
        compressionSize =
            reachesServer
            ? (constants.overrides.compression ?? configuration.value.requestCompression).minimumSize
            : nil
    }

    package func priority(of call: APICall) -> CallPriority {
        overrides.priority ?? service.priority(for: call)
    }

    func retry(of call: APICall) -> RetryPolicy { overrides.retry ?? service.retryPolicy(for: call) }

    // MARK: Bodies and responses

    func encoding(of call: APICall) -> any ParamEncoding { overrides.encoding ?? service.encoding(for: call) }

    /// `nil` if the bodies are not changed: a sample is written as the output needs it.
    func bodyTransform(of call: APICall) -> (any BodyTransform)? {
        guard overrides.sample == nil,
            let transform = overrides.bodyTransform ?? service.bodyTransform(for: call),
            !(transform is PlainBodies)
        else { return nil }
        return transform
    }

    func redirects(of call: APICall) -> RedirectPolicy {
        overrides.responseRules.redirects ?? service.redirectPolicy(for: call)
    }

    package func accepts(status: Int, of call: APICall) -> Bool {
        overrides.responseRules.statuses?.contains(status) ?? service.accepts(status: status, for: call)
    }

    /// `nil` if the body is the payload.
    package func envelope(of call: APICall) -> Envelope? {
        let envelope = overrides.responseRules.envelope ?? service.envelope(for: call)
        return envelope?.layers.isEmpty == true ? nil : envelope
    }

    package func decoder(of call: APICall) -> JSONDecoder {
        overrides.responseRules.jsonDecoder ?? configuration.jsonDecoder
    }

    /// Returns the faster decoder with the strategies of a decoder; `nil` if the service does not use it.
    func fastDecoder(like decoder: JSONDecoder) -> FastJSONDecoder? {
        guard configuration.usesFastJSONDecoder else { return nil }
        if let known = configuration.fastJSONDecoder, known.isMade(of: decoder) { return known }
        return FastJSONDecoder(decoder)
    }

    /// Returns the decoder of a payload that is not JSON; `nil` for JSON.
    /// - Parameter isEnveloped: Whether the payload is a part of a JSON text.
    func payloadDecoder(of type: MediaType?, isEnveloped: Bool) -> (any PayloadDecoder)? {
        let own = overrides.responseRules.decoders
        guard !isEnveloped else { return own["*/*"]?() }
        for decoders in [own, configuration.decoders] where !decoders.isEmpty {
            let keys = [type?.name, type?.suffixType, "*/*"].compactMap(\.self)
            if let make = keys.lazy.compactMap({ decoders[$0] }).first { return make() }
        }
        return type?.isPropertyList == true ? PropertyListDecoder() : nil
    }
}

extension APICall {
    /// Whether the response is a file or a stream.
    var isTransfer: Bool { constants.overrides.download != nil || transfer != nil }

    /// Whether the call is never sent.
    var isForCacheOnly: Bool { constants.overrides.cache.mode == .cacheOnly && !isSample }

    /// Why no response of the call is ever stored; `nil` if responses may be.
    package var reasonNotToStore: MissReason? {
        if isTransfer { return .notCacheable("files and streams are not stored") }
        if isSample { return .notCacheable("a sample replaces the response of \(managerType)") }
        if constants.overrides.hidesResponses || outputType == TokenResponse.self {
            return .notCacheable("the responses of \(managerType) are secret")
        }
        guard constants.overrides.cache.storesNothing else { return nil }
        return .notCacheable("\(managerType) has no cache policy; override its cachePolicy")
    }
}
