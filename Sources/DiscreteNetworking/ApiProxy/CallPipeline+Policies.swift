import Foundation

/// Step 7, and the repeats that nobody has to ask for.
extension CallPipeline {
    /// Whether the endpoint is called at the moment.
    /// - Returns: why not.
    func degradation(of context: inout CallContext) -> APIError? {
        let (call, service) = (context.call, context.service)
        let verdict = proxy.breakers.admit(
            call.serviceIdentifier, call.methodName, policy: service.breaker(for: call),
            at: proxy.clock.uptime)
        switch verdict {
        case .go(let admission):
            context.admission = admission
            return nil
        case .degraded(let seconds):
            return proxy.error(.degraded(until: proxy.clock.now + seconds), of: call)
        }
    }

    /// Tells the breaker how an attempt went.
    /// - Parameter failed: `nil` where it says nothing about the endpoint.
    func record(failed: Bool?, of context: inout CallContext) {
        guard let admission = context.admission else { return }
        context.admission = nil
        proxy.breakers.record(admission, failed: failed, at: proxy.clock.uptime)
    }

    /// Whether the network is there, after waiting for it where the manager does.
    enum NetworkCheck { case isThere, wasWaitedFor, isNotThere }

    func network(for request: APIRequest, of context: CallContext) async -> NetworkCheck {
        guard proxy.follower.transport.needsNetwork(for: request.url), let host = request.url.host,
            !proxy.reachability.isReachable(host: host)
        else { return .isThere }
        guard context.call.overrides.waitsForNetwork else { return .isNotThere }
        await wait(context) { await proxy.reachability.waitUntilReachable(host: host) }
        return .wasWaitedFor
    }

    /// When a failure that the service leaves to the caller is tried again.
    func retryDelay(
        after error: APIError, of context: inout CallContext
    ) -> TimeInterval? {
        let call = context.call
        let policy = call.overrides.retry ?? context.service.retry(for: call)
        guard
            let seconds = policy.delay(
                after: error, method: call.requestType, attempt: context.retries + 1,
                elapsed: proxy.clock.uptime - pending.startTime, now: proxy.clock.now, random: proxy.random)
        else { return nil }
        context.retries += 1
        pending.events.emit(.repeated(after: seconds, error), of: call)
        return seconds
    }
}
