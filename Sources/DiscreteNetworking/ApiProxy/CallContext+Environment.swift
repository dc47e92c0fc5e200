import Foundation

/// The environment of an attempt.
extension CallContext {
    /// Begins an attempt, in the current environment of the service, or in that of the work that the call is part of.
    ///
    /// What was prepared in another environment is dropped.
    /// - Parameter redaction: Which headers are for the service only.
    @inline(never)
    mutating func begin(_ redaction: Redaction) {
        let old = self.pins
        let pins = EnvironmentPins(for: self.call, self.instance.service)
        if old != nil || pins != nil {
            old?.end()
            self.call = self.call.entering(pins)
            if pins?.isSame(as: old) != true {
                self.request = nil
                self.cachePlace = nil
                self.route = nil
                self.waitedFor = []
            }
            if !self.isForeign {
                self.configured = EnvironmentPins.$current.withValue(pins) { self.instance.configured }
            }
        }
        leaveServiceIfForeign(redaction)
    }

    /// Continues an attempt in a task of its own.
    mutating func resume() {
        guard let pins = self.pins else { return }
        self.call = self.call.entering(pins.renewed())
    }

    /// The session of the service; `nil` if there is none.
    var tokenSession: TokenSession? { self.configured.session }

    /// The endpoint in its environment, which has a circuit breaker of its own.
    var endpoint: CircuitBreakerRegistry.Place {
        .init(
            service: self.call.serviceIdentifier, environment: self.pins?.name,
            methodName: self.call.methodName)
    }

    /// Whether the app has switched the environment since the attempt began.
    var hasLeftEnvironment: Bool {
        guard let pins = self.pins else { return false }
        return EnvironmentPins(for: self.call, self.instance.service)?.isSame(as: pins) != true
    }

    /// A call to another origin than its service's gets none of the service's configuration, in no later attempt either.
    private mutating func leaveServiceIfForeign(_ redaction: Redaction) {
        guard let url = self.call.overrides.url, !self.isForeign else { return }
        let hosts = EnvironmentPins.$current.withValue(self.pins) { self.configured.hosts }
        guard !hosts.contains(where: url.isSameOrigin) else { return }
        self.call = self.call.toForeignHost(redaction)
        self.isForeign = true
        self.configured = ForeignHost.configured
    }
}

/// The service of calls to another origin: only defaults. Their URL is complete, so that the base URL is not used.
private struct ForeignHost: Service {
    static let configured = ServiceInstance(ForeignHost()).configured
    var baseURL = URL(fileURLWithPath: "/")
}
