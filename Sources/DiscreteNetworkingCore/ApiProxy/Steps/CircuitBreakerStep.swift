import Foundation

/// Asks the circuit breaker of the endpoint for admission, and records the result. In the list only if there is a policy, or a
/// service has degraded an endpoint.
///
/// It does not see what the validator says of the response: an app may reject what the endpoint correctly responds. A call that
/// goes on at another host, or with another CSRF token, is one attempt for it.
struct CircuitBreakerStep: CallStep {
    static let place = StepPlace.admission
    let pending: PendingCall
    let policy: CircuitBreakerPolicy?

    func run(_ attempt: inout Attempt, _ rest: CallSteps) async throws(Interruption) -> APIResponse {
        guard let admission = try admission(attempt) else { return try await rest(&attempt) }
        // `nil` if the result does not depend on the endpoint.
        var failed: Bool?
        defer {
            pending.proxy.breakers.record(admission, failed: failed, at: pending.proxy.clock.uptime)
        }
        do throws(Interruption) {
            let response = try await rest(&attempt)
            failed = false
            return response
        } catch {
            // Before its request is built, the call has not come to the endpoint.
            if case .failed(let error) = error, attempt.request != nil {
                failed = CircuitBreaker.isFailure(error.kind)
            }
            throw error
        }
    }

    /// - Returns: `nil` without a policy.
    private func admission(
        _ attempt: Attempt
    ) throws(Interruption) -> CircuitBreakerRegistry.Admission? {
        let proxy = pending.proxy
        let verdict = proxy.breakers.admit(
            attempt.endpoint, policy: policy, at: proxy.clock.uptime)
        switch verdict {
        case .go(let admission): return admission
        case .degraded(let seconds):
            throw .failed(proxy.error(.degraded(until: proxy.clock.now + seconds), of: attempt.call))
        }
    }
}
