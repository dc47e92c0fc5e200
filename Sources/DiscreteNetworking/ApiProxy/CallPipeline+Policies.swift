import Foundation

/// Step 7, and automatic retries.
extension CallPipeline {
    /// Starts an attempt: asks the circuit breaker for admission.
    /// - Returns: The error if the endpoint is degraded.
    @inline(never)
    func degradation(of context: inout CallContext) -> APIError? {
        pending.latest = context.call
        // A call that goes on at another host is still the same for its endpoint.
        guard context.admission == nil else { return nil }
        let (call, service) = (context.call, context.service)
        let verdict = proxy.breakers.admit(
            context.endpoint, policy: service.breaker(for: call), at: proxy.clock.uptime)
        switch verdict {
        case .go(let admission):
            context.admission = admission
            return nil
        case .degraded(let seconds):
            return proxy.error(.degraded(until: proxy.clock.now + seconds), of: call)
        }
    }

    /// Records the result of an attempt with the circuit breaker.
    /// - Parameter failed: `nil` if the result does not depend on the endpoint.
    @inline(never)
    func record(failed: Bool?, of context: inout CallContext) {
        guard let admission = context.admission else { return }
        context.admission = nil
        proxy.breakers.record(admission, failed: failed, at: proxy.clock.uptime)
    }

    /// Returns the delay before retrying a failure that the service reported; `nil` for no retry.
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
        pending.forgetTurn()
        pending.events.emit(.repeated(after: seconds, error), of: call)
        return seconds
    }
}
