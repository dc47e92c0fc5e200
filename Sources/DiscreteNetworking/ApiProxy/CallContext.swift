/// The state of a call in the pipeline: the current attempt and its data.
///
/// A value type, so that a step that was abandoned at its deadline, but may still run, modifies only its
/// own copy.
struct CallContext: Sendable {
    /// The call in its current attempt.
    var call: APICall
    let service: any Service
    /// The session's state that this attempt is sent with; `nil` if the service has no session.
    @Boxed var session: SessionSnapshot?
    /// The request of this attempt; `nil` until it is built.
    var request: Box<APIRequest>? {
        didSet { call = call.requested(request) }
    }
    /// What the call has already waited for; it does not wait for the same requirement twice.
    var waitedFor: Set<SessionRequirement> = []
    /// The number of repeats by the ``RetryPolicy``.
    var retries = 0
    /// The number of repeats by the ``FailoverPolicy``.
    var failovers = 0
    /// The hosts that are tried; `nil` if the service has only one, or before one is chosen.
    @Boxed var route: HostRoute?
    /// The admission of this attempt by the endpoint's circuit breaker.
    @Boxed var admission: CircuitBreakerRegistry.Admission?
    /// Where the response is stored; `nil` if it is not stored.
    @Boxed var cachePlace: CachePlace?
    /// A stored response that the server may validate.
    @Boxed var toRevalidate: APIResponse?

    /// The rules for its response.
    var rules: CallRules { CallRules(call: call, service: service) }

    init(_ call: APICall, _ service: any Service) {
        self.call = call
        self.service = service
    }
}
