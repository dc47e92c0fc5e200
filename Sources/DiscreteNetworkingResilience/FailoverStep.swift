public import DiscreteNetworkingCore
public import Foundation

extension FailoverPolicy {
    /// Creates a policy; see the properties for each value.
    public init(to hosts: [URL], pause: TimeInterval = 60, healthCheck: String? = nil) {
        self.init(
            hosts: hosts, pause: pause, healthCheck: healthCheck,
            machinery: Machinery(StepMaker<Self> { FailoverStep(pending: $1, policy: $0) }))
    }
}

/// Sends a call to another host if its host fails, unless a non-idempotent request could take effect twice; see
/// ``FailoverPolicy``.
struct FailoverStep: CallStep {
    static let place = StepPlace.host
    static var uses: [any AttemptState.Type] { [HostRoute.self, ChosenHost.self] }
    let pending: PendingCall
    let policy: FailoverPolicy

    private var proxy: ApiProxy { pending.proxy }

    func run(_ attempt: inout Attempt, _ rest: CallSteps) async throws(Interruption) -> APIResponse {
        while true {
            chooseHost(&attempt)
            do throws(Interruption) {
                let response = try await rest(&attempt)
                noteAnswer(attempt)
                return response
            } catch {
                guard case .failed(let failure) = error else { throw error }
                if failure.response != nil { noteAnswer(attempt) }
                guard shouldRepeat(after: failure, &attempt) else { throw error }
                pending.advance(&attempt, after: failure)
                if attempt.hasLeftEnvironment { throw .outdated }
            }
        }
    }

    /// Chooses the host of an attempt, unless a failover has.
    private func chooseHost(_ attempt: inout Attempt) {
        guard attempt.route == nil else { return }
        let route = HostRoute(attempt.call, attempt.plan.configured, policy) { [attempt] in
            choose($0, among: $1, attempt)
        }
        attempt.route = route
        // It was built for the first host.
        if route?.isAtFirst == false { attempt.dropRequest() }
    }

    /// Records that the host of an attempt has responded.
    private func noteAnswer(_ attempt: Attempt) {
        guard let route = attempt.route else { return }
        proxy.hosts.succeed(route.choice.host, of: attempt.call.serviceIdentifier)
    }

    /// - Returns: Whether there is an attempt at another host.
    private func shouldRepeat(after error: APIError, _ attempt: inout Attempt) -> Bool {
        guard var route = attempt.route, !Task.isCancelled else { return false }
        // An attempt after a reported failure, such as a retry, chooses its host again.
        attempt.route = nil
        guard let failure = HostFailure(error.kind), let request = attempt.request?.value,
            (try? route.chosen.alias())?.covers(request.url) == true
        else { return false }
        let call = attempt.call
        proxy.hosts.fail(route.choice, of: call.serviceIdentifier, route.policy, at: proxy.clock.uptime)
        let failed = route.current
        guard failure != .interrupted || request.method.isIdempotent || call.idempotencyKey != nil,
            route.failOver(after: failure, choose: { [attempt] in choose($0, among: $1, attempt) })
        else { return false }
        attempt.route = route
        pending.emit(.failedOver(from: failed, to: route.current, error), of: call)
        return true
    }

    private func choose(
        _ policy: FailoverPolicy, among hosts: [URL], _ attempt: Attempt
    ) -> HostRegistry.Choice {
        let identifier = attempt.call.serviceIdentifier
        return proxy.hosts.choose(among: hosts, of: identifier, policy, at: proxy.clock.uptime) { host in
            guard let path = policy.healthCheck else { return }
            let check = HealthCheck(of: host.appendingPathComponent(path), attempt.plan.configured, proxy)
            Task { @concurrent [hosts = proxy.hosts] in
                if await check.succeeds() { hosts.succeed(host, of: identifier) }
            }
        }
    }
}
