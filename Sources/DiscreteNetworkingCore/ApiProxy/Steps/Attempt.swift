import Foundation

/// An attempt of a call: what its steps hand on, and what one attempt leaves to the next. What belongs to one policy has a slot;
/// see ``subscript(_:)``.
///
/// A value: a step that was given up at its deadline, but may still run, has a copy of its own.
package struct Attempt: Sendable {
    private struct Fields: Sendable {
        var call: APICall
        var plan: CallPlan
        let instance: ServiceInstance
        var session: SessionSnapshot?
        var request: Box<APIRequest>?
        var follower: RedirectFollower
        var isConditional = false
        var bodyTransform: (any BodyTransform)?
        var mayHaveActed = false
        var slots = Slots()
        #if DEBUG
            var step: (any CallStep.Type)?
        #endif
    }

    /// One element, in an array: the async frame of each step has room for a reference only, and the first change of a copy
    /// copies the fields. With the fields in their place, a call makes 39 allocations instead of 37, of 14.2 KB instead of
    /// 11.3, and a memory hit 35 instead of 32; `Benchmarks --row stub manager 1 1 URL` counts them. An `Array` copies all fields
    /// for one of them.
    private var fields: ContiguousArray<Fields>

    init(_ call: APICall, _ instance: ServiceInstance, over follower: RedirectFollower) {
        fields = [
            Fields(
                call: call, plan: CallPlan(call, instance.configured), instance: instance, follower: follower)
        ]
    }

    /// The call in this attempt.
    package var call: APICall {
        get { fields[0].call }
        set { fields[0].call = newValue }
    }

    // What another module asks of each call, so that it copies no more of it than that.
    package var cachePolicy: CachePolicy { fields[0].call.constants.overrides.cache }
    package var ignoresCache: Bool { fields[0].call.ignoresCache }

    /// What holds for the call in the environment of this attempt.
    package private(set) var plan: CallPlan {
        get { fields[0].plan }
        set { fields[0].plan = newValue }
    }

    private var instance: ServiceInstance { fields[0].instance }

    /// The session of the environment in which the call was made; `nil` if there is none, or only one environment.
    var homeSession: TokenSession? { instance.session(at: call) }

    /// The session's state that it is sent with; `nil` if the service has no session.
    package var session: SessionSnapshot? {
        get { fields[0].session }
        set { fields[0].session = newValue }
    }

    /// The request; `nil` until it is built. See ``take(_:)``.
    package var request: Box<APIRequest>? {
        get { fields[0].request }
        set { fields[0].request = newValue }
    }

    /// What sends the request: the follower of the proxy, until a step chooses another.
    package var follower: RedirectFollower {
        get { fields[0].follower }
        set { fields[0].follower = newValue }
    }

    /// Whether the server may respond that a cached response is still valid (304), without a body.
    package var isConditional: Bool {
        get { fields[0].isConditional }
        set { fields[0].isConditional = newValue }
    }

    /// What changes the bodies; `nil` for no change.
    package private(set) var bodyTransform: (any BodyTransform)? {
        get { fields[0].bodyTransform }
        set { fields[0].bodyTransform = newValue }
    }

    /// Whether the server may have done in an earlier attempt what the call asks for.
    private(set) var mayHaveActed: Bool {
        get { fields[0].mayHaveActed }
        set { fields[0].mayHaveActed = newValue }
    }

    #if DEBUG
        /// The step that runs; `nil` between the steps.
        var step: (any CallStep.Type)? {
            get { fields[0].step }
            set { fields[0].step = newValue }
        }
    #endif

    /// Whether the user of the request has left while it was built or a transfer was paused.
    package var hasLostUser: Bool { self.session.map { !$0.session.isUser(of: call) } ?? false }

    /// Whether the request was made for the session's current user.
    package var isForUserOfNow: Bool {
        guard let session = self.session else { return true }
        return session.session.state.withLock { $0.isUser(of: call) && $0.subject == session.subject }
    }

    /// Has the request that the attempt sends.
    package mutating func take(_ request: Box<APIRequest>) {
        self.request = request
        call.request = request
    }

    /// Has no request any more, because it was built of something else than it would be now.
    package mutating func dropRequest() {
        self.request = nil
        endStates(.request)
    }

    /// Asks what changes the bodies.
    mutating func takeBodyTransform() { self.bodyTransform = self.plan.bodyTransform(of: call) }

    /// Notes that the server has accepted the tokens.
    func acceptTokens() { self.session?.accept() }

    /// Describes a failure for the service.
    package func failure(_ error: APIError) -> FailureContext {
        FailureContext(call: call, error: error, request: self.request)
    }
}

// MARK: Attempts

extension Attempt {
    /// Begins the next attempt, which builds a new request.
    /// - Parameter error: Why the last one failed.
    mutating func advance(after error: APIError) {
        if error.mayHaveActed { self.mayHaveActed = true }
        call = call.nextAttempt()
        restart()
    }

    /// Begins the attempt again, as after a wait.
    mutating func restart() {
        self.request = nil
        endStates(.attempt)
    }

    // MARK: Environment

    /// The environments of this attempt; `nil` if there are none.
    package var scope: EnvironmentScope? { call.scope }

    /// The endpoint in its environment, which has a circuit breaker and a rate limit of its own.
    package var endpoint: EndpointPlace {
        EndpointPlace(
            service: call.serviceIdentifier, environment: scope?.name, methodName: call.methodName)
    }

    /// All endpoints of the service, in its environment.
    package var allEndpoints: EndpointPlace {
        EndpointPlace(service: call.serviceIdentifier, environment: scope?.name)
    }

    /// Whether the app has switched the environment since the attempt began.
    package var hasLeftEnvironment: Bool {
        guard let scope else { return false }
        return EnvironmentScope.of(call, self.instance.service)?.isSame(as: scope) != true
    }

    /// Begins an attempt, in the current environment of the service, or in the environment of the work that the call is
    /// part of.
    ///
    /// Everything that was prepared in another environment is dropped.
    /// - Parameter redaction: Which headers are for the service only.
    package mutating func begin(_ redaction: Redaction) {
        let old = scope
        let isScoped = self.instance.hasEnvironments || !call.environments.isEmpty
        let new = isScoped ? EnvironmentScope.of(call, self.instance.service) : nil
        if old != nil || new != nil {
            old?.end()
            call = call.entering(new)
            if new?.isSame(as: old) != true {
                // The steps that would replace them are not in the list of an environment without a session or a limit.
                (self.session, self.request) = (nil, nil)
                endStates(.environment)
            }
            if !self.plan.isForeign {
                self.plan = CallContext.$current.withValue(.with { $0.environments = new }) {
                    CallPlan(call, self.instance.configured)
                }
            }
        }
        if let url = call.overrides.url { leaveService(ifForeign: url, redaction) }
    }

    /// A call to another origin than its service's gets none of the service's configuration, in no later attempt either.
    private mutating func leaveService(ifForeign url: URL, _ redaction: Redaction) {
        guard !self.plan.isForeign else { return }
        let hosts = CallContext.$current.withValue(.with { $0.environments = scope }) {
            self.plan.configured.hosts
        }
        guard !hosts.contains(where: url.isSameOrigin) else { return }
        call = call.toForeignHost(redaction)
        self.plan = CallPlan(call, ForeignHost.configured, isForeign: true)
    }
}

/// The service of calls to another origin: only defaults. Their URL is complete, so that the base URL is not used.
private struct ForeignHost: Service {
    static let configured = ServiceInstance(ForeignHost()).configured
    var baseURL = URL(fileURLWithPath: "/")
}

// MARK: Slots

extension Attempt {
    /// The state of a type; `nil` if no step has left one.
    ///
    /// A step uses only what it names in ``CallStep/uses``: a debug build stops otherwise.
    package subscript<State: AttemptState>(type: State.Type) -> State? {
        get {
            checkUse(of: type)
            return fields[0].slots[type]
        }
        set {
            checkUse(of: type)
            fields[0].slots[type] = newValue
        }
    }

    /// Ends the states that last no longer than a lifetime.
    mutating func endStates(_ lifetime: SlotLifetime) { fields[0].slots.end(lifetime) }

    private func checkUse(of type: any AttemptState.Type) {
        #if DEBUG
            if let text = undeclaredUse(of: type) { assertionFailure(text) }
        #endif
    }

    #if DEBUG
        /// Returns what is wrong if the step that runs uses a state; `nil` if it may.
        func undeclaredUse(of type: any AttemptState.Type) -> String? {
            guard let step = self.step, !step.uses.contains(where: { $0 == type }) else { return nil }
            return "\(step) uses \(type) without naming it"
        }
    #endif
}
