import Foundation

/// Fail-over between the hosts of a service.
extension CallPipeline {
    /// Chooses the host of an attempt, unless a fail-over has.
    @inline(never)
    func chooseHost(_ context: inout CallContext) {
        guard context.route == nil, context.configuration.failover != nil else { return }
        context.route = HostRoute(context.call, context.configured) { [context] in
            choose($0, among: $1, context)
        }
    }

    /// Sends a call whose host failed to another one, unless that could repeat what is not idempotent.
    /// - Returns: Whether there is another attempt.
    func failsOver(after error: APIError, _ context: inout CallContext) -> Bool {
        guard var route = context.route else { return false }
        // The next attempt after a failure that is reported, and repeated, starts anew.
        context.route = nil
        guard let failure = HostFailure(error.kind), let request = context.request?.value,
            (try? route.alias())?.covers(request.url) == true
        else { return false }
        let call = context.call
        proxy.hosts.fail(route.choice, of: call.serviceIdentifier, route.policy, at: proxy.clock.uptime)
        let failed = route.current
        guard failure != .interrupted || request.method.isIdempotent,
            route.goOn(after: failure, choose: { [context] in choose($0, among: $1, context) })
        else { return false }
        context.route = route
        context.failovers += 1
        pending.events.emit(.failedOver(from: failed, to: route.current, error), of: call)
        return true
    }

    /// Records that the host of an attempt has answered.
    func recordHost(of answer: Answer, _ context: CallContext) {
        guard let route = context.route else { return }
        if case .failure(let failure) = answer, failure.response == nil { return }
        proxy.hosts.succeed(route.choice.host, of: context.call.serviceIdentifier)
    }

    private func choose(
        _ policy: FailoverPolicy, among hosts: [URL], _ context: CallContext
    ) -> HostRegistry.Choice {
        let identifier = context.call.serviceIdentifier
        return proxy.hosts.choose(among: hosts, of: identifier, policy, at: proxy.clock.uptime) { host in
            guard let path = policy.healthCheck else { return }
            let check = HealthCheck(
                of: host.appendingPathComponent(path), context.configuration,
                over: proxy.follower(for: context.configured))
            Task { @concurrent [hosts = proxy.hosts] in
                if await check.succeeds() { hosts.succeed(host, of: identifier) }
            }
        }
    }
}

/// The request that asks a host that failed whether it works again.
private struct HealthCheck: Sendable {
    private let request: APIRequest
    private let follower: RedirectFollower

    init(of url: URL, _ configuration: ServiceConfiguration, over follower: RedirectFollower) {
        var request = APIRequest(
            url: url, headers: configuration.defaultHeaders, timeout: configuration.timeout,
            destination: .memory(limit: configuration.responseSizeLimit), redirectPolicy: .refuse)
        request.plainHTTP = CleartextPolicy(hosts: configuration.plainHTTPHosts)
        self.request = request
        self.follower = follower
    }

    func succeeds() async -> Bool {
        let exchange = SharedExchange()
        guard (try? request.plainHTTP.check(request.url)) != nil, let waiter = exchange.join() else {
            return false
        }
        exchange.start(request, over: follower)
        guard case .success(let response) = await exchange.outcome(for: waiter, within: request.timeout)
        else {
            return false
        }
        return 200..<300 ~= response.status
    }
}
