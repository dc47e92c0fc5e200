package import DiscreteNetworkingHTTP
import Foundation

/// Sends the request, and returns its response unread, all within the timeout of the attempt.
struct ExchangeStep: CallStep {
    static let place = StepPlace.exchange
    let pending: PendingCall

    func run(_ attempt: inout Attempt, _ rest: CallSteps) async throws(Interruption) -> APIResponse {
        guard let request = attempt.request else { throw .outdated }
        let follower = attempt.follower
        guard isDirect(request, attempt) else {
            return try response(try await outcomeInTime(of: request, over: follower, attempt), attempt)
        }
        return try response(await follower.outcome(of: request), attempt)
    }

    /// Whether the transport itself keeps the timeout.
    private func isDirect(_ request: Box<APIRequest>, _ attempt: Attempt) -> Bool {
        attempt.follower.keepsTimeouts && (attempt.plan.isCarried || !request.value.body.isTransfer)
    }

    private func response(
        _ outcome: Result<Box<TransportResponse>, ExchangeFailure>, _ attempt: Attempt
    ) throws(Interruption) -> APIResponse {
        try response(outcome.mapError(CallFailure.init), attempt)
    }

    /// Not inlined: a call would allocate one more time.
    @inline(never)
    private func response(_ outcome: Outcome, _ attempt: Attempt) throws(Interruption) -> APIResponse {
        switch outcome {
        case .success(let response): return attempt.response(response)
        case .failure(let failure): throw pending.interruption(failure, attempt)
        }
    }

    private typealias Outcome = Result<Box<TransportResponse>, CallFailure>

    private func outcomeInTime(
        of request: Box<APIRequest>, over follower: RedirectFollower, _ attempt: Attempt
    ) async throws(Interruption) -> Outcome {
        // Who changes the response has a limit for both; see ``ReadStep``.
        guard request.value.timeout.isFinite, !pending.changesResponses(of: attempt) else {
            return await outcome(of: request, over: follower, attempt)
        }
        return try await pending.within(request.value.timeout, attempt) { () async throws(Interruption) in
            await outcome(of: request, over: follower, attempt)
        }
    }

    private func outcome(
        of request: Box<APIRequest>, over follower: RedirectFollower, _ attempt: Attempt
    ) async -> Outcome {
        request.value.body.isTransfer
            ? await Transfer(pending: pending, attempt: attempt).send(request.value).map(Box.init)
            : await follower.outcome(of: request).mapError(CallFailure.init)
    }
}

extension Attempt {
    /// Returns a response to the attempt, unread.
    package func response(_ response: Box<TransportResponse>) -> APIResponse {
        APIResponse(
            requestID: self.call.requestID, params: self.call.params, response: response, to: self.request,
            isHidden: self.call.overrides.hidesResponses)
    }
}

extension ApiProxy {
    /// Sends a request that belongs to no call, as the requests of a service are sent.
    /// - Returns: `nil` if there is no response within the timeout of the request.
    package func response(
        to request: APIRequest, of configured: ConfiguredService
    ) async -> TransportResponse? {
        let follower = follower(for: configured)
        return try? await within(request.timeout) { await follower.outcome(of: request) }.get()
    }

    /// Returns what sends the requests of a service, over the transport of the service or of the proxy.
    /// - Parameter call: The call. Its sample or carrier, if it has one, replaces the transport. `nil` for no call.
    func follower(for configured: ConfiguredService, of call: APICall? = nil) -> RedirectFollower {
        if let call, let sample = call.overrides.sample {
            let transport = SampleTransport(sample, params: call.params, clock: clock)
            return RedirectFollower(transport: transport, redaction: redaction)
        }
        if let carrier = call?.overrides.carrier {
            return RedirectFollower(transport: carrier, redaction: redaction)
        }
        guard let own = configured.configuration.value.transport,
            !follower.transport.replacesServiceTransport(for: configured.service.baseURL)
        else { return follower }
        return RedirectFollower(
            transport: own, redaction: redaction,
            outside: .init(transport: follower.transport, hosts: configured.hosts))
    }
}
