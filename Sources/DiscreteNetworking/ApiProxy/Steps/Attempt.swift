import Foundation

/// An attempt of a call: what its steps hand on, and what one attempt leaves to the next.
///
/// A value: a step that was given up at its deadline, but may still run, has a copy of its own.
@dynamicMemberLookup
struct Attempt: Sendable {
    struct Fields: Sendable {
        /// The call in this attempt.
        var call: APICall
        /// What holds for the call in the environment of this attempt.
        fileprivate(set) var plan: CallPlan
        fileprivate let instance: ServiceInstance
        /// Removes the partial data of a temporary download when no step has the attempt any more; `nil` for all else.
        fileprivate let leftovers: TemporaryPartialFile?

        // MARK: This attempt

        /// The session's state that it is sent with; `nil` if the service has no session.
        @Boxed var session: SessionSnapshot?
        /// The CSRF token; `nil` if it needs none. Of generation 0 if none was fetched.
        @Boxed var csrf: CSRFToken?
        /// The request; `nil` until it is built. See ``Attempt/take(_:)``.
        var request: Box<APIRequest>?
        /// What sends the request: the follower of the proxy, until a step chooses another.
        var follower: RedirectFollower
        /// The tokens that the request was built with.
        var builtWith: TokenGenerations?
        /// Whether the server may respond that a cached response is still valid (304), without a body.
        var isConditional = false
        /// What changes the bodies; `nil` for no change.
        @Boxed var bodyTransform: (any BodyTransform)?
        /// Where the response is stored; `nil` if it is not stored.
        @Boxed var cachePlace: CachePlace?
        /// The identical request in flight that it shares; `nil` if it has to be sent.
        @Boxed var membership: SharedExchange.Membership?
        /// The slot that it was sent with; `nil` for none.
        var slotID: Int?

        // MARK: All attempts

        /// The hosts that are tried; `nil` if the service has only one, or before one is chosen.
        @Boxed var route: HostRoute?
        /// The generation of the CSRF token that was rejected; `nil` if none was.
        var rejectedCSRF: Int?
        /// Whether the call was retried because of a rejected CSRF token.
        var isRepeatedForCSRF = false
        /// Whether a server did not accept the compressed body.
        var isUncompressed = false
        /// What the call has already waited for; it does not wait for the same requirement twice.
        var waitedFor: Set<SessionRequirement> = []
        /// How often it has waited for a requirement again, because the session's tokens expired again.
        var furtherWaits = 0
        /// The permits of a call that was not sent with them yet; see ``RateLimitStep``.
        var permits: RateLimiter.Permits = [:]
        /// Whether the server may have done in an earlier attempt what the call asks for.
        var mayHaveActed = false
        /// When the call no longer waits for a network, by the clock of the proxy; `nil` before it has waited.
        var networkDeadline: TimeInterval?
    }

    /// A request that was built with other tokens is too old.
    struct TokenGenerations: Equatable {
        let session: Int?
        let csrf: Int?
    }

    /// One element, in an array: a copy is one retain, the first change of a copy copies the fields, and the async frame of
    /// each step has room for a reference only.
    private var fields: [Fields]

    @inline(never)
    init(_ call: APICall, _ instance: ServiceInstance, over follower: RedirectFollower) {
        let download = call.overrides.download
        fields = [
            Fields(
                call: call, plan: CallPlan(call, instance.configured), instance: instance,
                leftovers: download.flatMap {
                    $0.isTemporary ? TemporaryPartialFile($0.destination) : nil
                }, follower: follower)
        ]
    }

    subscript<Value>(dynamicMember field: KeyPath<Fields, Value>) -> Value { fields[0][keyPath: field] }

    subscript<Value>(dynamicMember field: WritableKeyPath<Fields, Value>) -> Value {
        get { fields[0][keyPath: field] }
        set { fields[0][keyPath: field] = newValue }
    }

    // A field that is computed, or lent to the app's code, is read by its key path from a copy of all fields. These are not.

    var call: APICall {
        get { fields[0].call }
        set { fields[0].call = newValue }
    }
    var session: SessionSnapshot? {
        get { fields[0].session }
        set { fields[0].session = newValue }
    }
    var sessionBox: Box<SessionSnapshot>? { fields[0].$session }
    var csrf: CSRFToken? {
        get { fields[0].csrf }
        set { fields[0].csrf = newValue }
    }
    var bodyTransform: (any BodyTransform)? {
        get { fields[0].bodyTransform }
        set { fields[0].bodyTransform = newValue }
    }
    var cachePlace: CachePlace? {
        get { fields[0].cachePlace }
        set { fields[0].cachePlace = newValue }
    }
    var membership: SharedExchange.Membership? {
        get { fields[0].membership }
        set { fields[0].membership = newValue }
    }
    var route: HostRoute? {
        get { fields[0].route }
        set { fields[0].route = newValue }
    }

    /// The generations of the tokens that the attempt is sent with.
    @inline(never)
    var tokens: TokenGenerations {
        TokenGenerations(session: self.session?.generation, csrf: self.csrf?.generation)
    }

    /// Whether the user of the request has left while it was built or a transfer was paused.
    @inline(never)
    var hasLostUser: Bool { self.session.map { !$0.session.isUser(of: self.call) } ?? false }

    // Not inlined, as some steps below: each change of the fields may copy them, and the async frame of a step would
    // reserve space for every copy.

    /// Has the request that the attempt sends, with its tokens.
    @inline(never)
    mutating func take(_ request: Box<APIRequest>) {
        self.builtWith = self.tokens
        self.request = request
        self.call.request = request
    }

    /// Asks what changes the bodies.
    @inline(never)
    mutating func takeBodyTransform() { self.bodyTransform = self.plan.bodyTransform(of: self.call) }

    /// Notes that the server has accepted the tokens.
    @inline(never)
    func acceptTokens() { self.session?.accept() }

    /// Describes a failure for the service.
    @inline(never)
    func failure(_ error: APIError) -> FailureContext {
        FailureContext(call: self.call, error: error, request: self.request?.value)
    }
}

// MARK: Attempts

extension Attempt {
    /// Begins the next attempt, which builds a new request.
    /// - Parameter error: Why the last one failed.
    @inline(never)
    mutating func advance(after error: APIError) {
        if error.mayHaveActed { self.mayHaveActed = true }
        self.call = self.call.nextAttempt()
        self.request = nil
    }

    // MARK: Environment

    /// The environments of this attempt; `nil` if there are none.
    var scope: EnvironmentScope? { self.call.scope }

    /// The endpoint in its environment, which has a circuit breaker of its own.
    var endpoint: CircuitBreakerRegistry.Place {
        .init(
            service: self.call.serviceIdentifier, environment: scope?.name, methodName: self.call.methodName)
    }

    /// Whether the app has switched the environment since the attempt began.
    var hasLeftEnvironment: Bool {
        guard let scope else { return false }
        return EnvironmentScope.of(self.call, self.instance.service)?.isSame(as: scope) != true
    }

    /// Begins an attempt, in the current environment of the service, or in the environment of the work that the call is
    /// part of.
    ///
    /// Everything that was prepared in another environment is dropped.
    /// - Parameter redaction: Which headers are for the service only.
    @inline(never)
    mutating func begin(_ redaction: Redaction) {
        let old = scope
        let isScoped = self.instance.hasEnvironments || !self.call.environments.isEmpty
        let new = isScoped ? EnvironmentScope.of(self.call, self.instance.service) : nil
        if old != nil || new != nil {
            old?.end()
            self.call = self.call.entering(new)
            if new?.isSame(as: old) != true {
                // The steps that would replace them are not in the list of an environment without a session or a limit.
                self.session = nil
                self.csrf = nil
                self.membership = nil
                self.slotID = nil
                giveBackPermits()
                self.request = nil
                self.cachePlace = nil
                self.route = nil
                self.waitedFor = []
            }
            if !self.plan.isForeign {
                self.plan = CallContext.$current.withValue(.with { $0.environments = new }) {
                    CallPlan(self.call, self.instance.configured)
                }
            }
        }
        if let url = self.call.overrides.url { leaveService(ifForeign: url, redaction) }
    }

    /// Gives up permits that nothing was sent with.
    mutating func giveBackPermits() {
        for (limiter, permit) in self.permits.values { limiter.giveBack(permit) }
        if !self.permits.isEmpty { self.permits = [:] }
    }

    /// A call to another origin than its service's gets none of the service's configuration, in no later attempt either.
    private mutating func leaveService(ifForeign url: URL, _ redaction: Redaction) {
        guard !self.plan.isForeign else { return }
        let hosts = CallContext.$current.withValue(.with { $0.environments = scope }) {
            self.plan.configured.hosts
        }
        guard !hosts.contains(where: url.isSameOrigin) else { return }
        self.call = self.call.toForeignHost(redaction)
        self.plan = CallPlan(self.call, ForeignHost.configured, isForeign: true)
    }
}

/// The service of calls to another origin: only defaults. Their URL is complete, so that the base URL is not used.
private struct ForeignHost: Service {
    static let configured = ServiceInstance(ForeignHost()).configured
    var baseURL = URL(fileURLWithPath: "/")
}
