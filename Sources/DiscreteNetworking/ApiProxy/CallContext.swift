/// What the pipeline notes about a call on its way: the attempt it is in, and what that needs.
///
/// A value, so that a step which was given up at its deadline, and may still be running, changes only its own copy.
struct CallContext: Sendable {
    /// The call in its present attempt.
    var call: APICall
    let service: any Service
    /// What this attempt goes out with, where the service has a session.
    var session: SessionSnapshot?
    /// What this attempt sends, once it is made.
    var request: APIRequest? {
        didSet { call = call.requested(request) }
    }
    /// What the call has waited for already: it does not wait for the same twice.
    var waitedFor: Set<SessionRequirement> = []
    /// How often it was repeated because of the ``RetryPolicy``.
    var retries = 0
    /// What this attempt hands in to the endpoint's circuit breaker.
    var admission: CircuitBreakerRegistry.Admission?
    /// Where the response to this attempt's request is stored; `nil` where it is not.
    var cachePlace: CachePlace?
    /// A stored response to this attempt's request that the server may say is still good.
    var toRevalidate: APIResponse?

    /// What holds for its response.
    var rules: CallRules { CallRules(call: call, service: service) }

    init(_ call: APICall, _ service: any Service) {
        self.call = call
        self.service = service
    }
}
