public import DiscreteNetworkingCore
public import Foundation

extension RateLimit {
    /// Creates a limit.
    /// - Parameters:
    ///   - calls: The number of calls in a period; less than 1 counts as 1. Default: no limit but the server's.
    ///   - period: The length of the period, in seconds, by the clock of the proxy. 0 or less, and a number that is not finite,
    ///     counts as 1. Default: 1.
    public init(_ calls: Int = .max, per period: TimeInterval = 1) {
        self.init(
            calls: max(calls, 1), period: period > 0 && period.isFinite ? period : 1,
            machinery: Machinery(StepMaker<Self> { RateLimitStep(pending: $1) }))
    }
}

/// Waits until the ``RateLimit`` of the endpoint and of the service allow another call, unless the call has joined an identical
/// request, and notes what the response says of the limits of the server. In the list only if there is a limit.
struct RateLimitStep: CallStep {
    static let place = StepPlace.rate
    static var uses: [any AttemptState.Type] {
        [RateLimiter.Permits.self, SharedExchange.Membership.self]
    }
    let pending: PendingCall

    func run(_ attempt: inout Attempt, _ rest: CallSteps) async throws(Interruption) -> APIResponse {
        guard await !waits(&attempt) else { throw .outdated }
        do throws(Interruption) {
            let response = try await rest(&attempt)
            note(response, &attempt)
            return response
        } catch {
            // A call that has waited for something else was not sent, and keeps its permits.
            if case .outdated = error { throw error }
            note(error.error?.response, &attempt)
            throw error
        }
    }

    /// - Returns: Whether the call has waited. Its request then has to be built again.
    private func waits(_ attempt: inout Attempt) async -> Bool {
        guard !attempt.isJoined else {
            attempt.permits.end()
            attempt[RateLimiter.Permits.self] = nil
            return false
        }
        // A call that others wait for, of a refresh or a login, goes first.
        let priority =
            attempt.call.renewal == nil
            ? attempt.plan.priority(of: attempt.call) : CallPriority(rawValue: .max)
        var hasWaited = false
        for (place, limit) in attempt.rateLimits {
            let limiter = pending.proxy.rateLimiters.limiter(of: place)
            let old = attempt.permits.values.removeValue(forKey: place)?.permit
            switch limiter.enter(limit, priority: priority, renewing: old) {
            case .permit(let permit): attempt.permits.values[place] = (limiter, permit)
            case .waiting(let waiter, let seconds):
                hasWaited = true
                pending.releaseSlot()
                pending.noteWait(.delay(seconds))
                pending.emit(.waiting(for: .delay(seconds)), of: attempt.call)
                var permit: RateLimiter.Permit?
                await pending.wait(attempt) { permit = await waiter.pass }
                // If the user has left, the permit was not awaited.
                waiter.cancel()
                attempt.permits.values[place] = permit.map { (limiter, $0) }
            }
        }
        return hasWaited
    }

    private func note(_ response: APIResponse?, _ attempt: inout Attempt) {
        defer { attempt[RateLimiter.Permits.self] = nil }
        // Of another host after a redirect, or of an earlier attempt.
        guard let response, let request = attempt.request?.value, response.url.isSameOrigin(as: request.url),
            let place = attempt.rateLimits.last?.place, let (limiter, permit) = attempt.permits.values[place]
        else { return }
        let fields = RateLimitFields(response.headers, status: response.status, now: pending.proxy.clock.now)
        if let fields {
            limiter.note(fields, for: permit)
        } else if response.status != 429, response.status != 503 {
            limiter.noteAcceptance(for: permit)
        }
    }
}

extension Attempt {
    fileprivate var permits: RateLimiter.Permits {
        get { self[RateLimiter.Permits.self] ?? .init() }
        set { self[RateLimiter.Permits.self] = newValue }
    }

    /// The limit of the endpoint, then the limit of the service.
    fileprivate var rateLimits: [(place: EndpointPlace, limit: RateLimit)] {
        var limits: [(EndpointPlace, RateLimit)] = []
        if let limit = self.call.overrides.rateLimit { limits.append((endpoint, limit)) }
        if let limit = self.plan.configuration.rateLimit {
            limits.append((allEndpoints, limit))
        }
        return limits
    }
}
