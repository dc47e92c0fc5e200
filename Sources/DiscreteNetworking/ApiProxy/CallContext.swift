import Foundation

/// The state of a call in the pipeline: the current attempt and its data.
///
/// A value type, so that a step that was abandoned at its deadline, but may still run, modifies only its
/// own copy.
@dynamicMemberLookup
struct CallContext: Sendable {
    struct Fields: Sendable {
        /// The call in its current attempt.
        var call: APICall
        /// The service as registered.
        let instance: ServiceInstance
        /// The service in the environment of this attempt; see ``CallContext/begin(_:)``.
        var configured: ConfiguredService
        /// Whether the call goes to another origin than its service's, and gets none of its configuration.
        var isForeign = false
        var service: any Service { configured.service }
        var configuration: ServiceConfiguration { configured.configuration.value }
        /// The plugins of the proxy when the call started.
        let plugins: [any APIPlugin]
        /// What changes the bodies of this attempt; `nil` for no change.
        @Boxed var bodyTransform: (any BodyTransform)?
        /// The session's state that this attempt is sent with; `nil` if the service has no session.
        @Boxed var session: SessionSnapshot?
        /// The request of this attempt; `nil` until it is built.
        var request: Box<APIRequest>? {
            didSet { call = call.requested(request) }
        }
        /// The CSRF token of this attempt; `nil` if it needs none. Of generation 0 if none was fetched.
        @Boxed var csrf: CSRFToken?
        /// The generation of the CSRF token that was rejected; `nil` if none was.
        var rejectedCSRF: Int?
        /// The number of repeats because of a rejected CSRF token.
        var csrfRepeats = 0
        /// What the call has already waited for; it does not wait for the same requirement twice.
        var waitedFor: Set<SessionRequirement> = []
        /// How often it has waited for a requirement again, because the session's tokens expired again.
        var furtherWaits = 0
        var sessionWaits: Int { waitedFor.count + furtherWaits }
        /// When the call no longer waits for a network, by the clock of the proxy; `nil` before it has waited.
        var networkDeadline: TimeInterval?
        /// The number of repeats by the ``RetryPolicy``.
        var retries = 0
        /// The number of repeats by the ``FailoverPolicy``.
        var failovers = 0
        /// The hosts that are tried; `nil` if the service has only one, or before one is chosen.
        @Boxed var route: HostRoute?
        /// The slot that this attempt was sent with; `nil` for none.
        var slotID: Int?
        /// The identical request in flight that this attempt shares; `nil` if it has to be sent.
        @Boxed var membership: SharedExchange.Membership?
        /// The admission of this attempt by the endpoint's circuit breaker.
        @Boxed var admission: CircuitBreakerRegistry.Admission?
        /// Where the response is stored; `nil` if it is not stored.
        @Boxed var cachePlace: CachePlace?
        /// A stored response that the server may validate.
        @Boxed var toRevalidate: APIResponse?

        /// The environments of this attempt; `nil` if there are none.
        var pins: EnvironmentPins? { call.pins }
        /// The generations of the tokens that the request is built with.
        var tokens: TokenGenerations { TokenGenerations(session: generation, csrf: csrf?.generation) }
        /// The generation of the session's tokens.
        var generation: Int? { session?.generation }
        /// The rules for the response.
        var rules: CallRules { CallRules(call: call, configured: configured) }
        /// Whether a response is changed before it is read.
        var changesResponses: Bool { bodyTransform != nil || !plugins.isEmpty }
    }

    /// A request that was built with other tokens is too old.
    struct TokenGenerations: Equatable {
        let session: Int?
        let csrf: Int?
    }

    /// One element, in an array: every step passes the context on, so that a copy is one retain, and the first change of
    /// a copy copies the fields.
    private var fields: [Fields]

    init(_ call: APICall, _ instance: ServiceInstance, plugins: [any APIPlugin] = []) {
        fields = [Fields(call: call, instance: instance, configured: instance.configured, plugins: plugins)]
    }

    /// Begins the next attempt, whose request is built anew.
    mutating func advance() {
        self.call = self.call.nextAttempt()
        self.request = nil
    }

    subscript<Value>(dynamicMember field: KeyPath<Fields, Value>) -> Value { fields[0][keyPath: field] }

    subscript<Value>(dynamicMember field: WritableKeyPath<Fields, Value>) -> Value {
        get { fields[0][keyPath: field] }
        set { fields[0][keyPath: field] = newValue }
    }
}
