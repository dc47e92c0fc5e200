public import DiscreteNetworkingCore
public import Foundation

extension CircuitBreakerPolicy {
    /// Creates a policy; see the properties for each value.
    public init(
        window: TimeInterval = 60, threshold: Int = 5, ratio: Double = 0.5, openDuration: TimeInterval = 30,
        halfOpenCalls: Int = 1
    ) {
        self.init(
            window: window, threshold: threshold, ratio: ratio, openDuration: openDuration,
            halfOpenCalls: halfOpenCalls,
            machinery: Machinery(StepMaker<Self> { CircuitBreakerStep(pending: $1, policy: $0) }))
    }

    /// Opens after five failures within 60 seconds that are at least half of all calls; half-open after 30
    /// seconds, with one call.
    public static let standard = CircuitBreakerPolicy()
}

/// Asks the circuit breaker of the endpoint for admission, and records the result. In the list only if there is a
/// policy.
///
/// It does not see what the validator says of the response: an app may reject what the endpoint correctly responds. A call that
/// goes on at another host, or with another CSRF token, is one attempt for it.
struct CircuitBreakerStep: CallStep {
    static let place = StepPlace.admission
    let pending: PendingCall
    let policy: CircuitBreakerPolicy

    func run(_ attempt: inout Attempt, _ rest: CallSteps) async throws(Interruption) -> APIResponse {
        let admission = try admission(attempt)
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

    private func admission(_ attempt: Attempt) throws(Interruption) -> CircuitBreakerRegistry.Admission {
        let proxy = pending.proxy
        switch proxy.breakers.admit(attempt.endpoint, policy: policy, at: proxy.clock.uptime) {
        case .go(let admission): return admission
        case .open(let seconds):
            throw .failed(proxy.error(.degraded(until: proxy.clock.now + seconds), of: attempt.call))
        }
    }
}
