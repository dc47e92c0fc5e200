import Foundation

/// Sends the request, and returns its response unread, all within the time limit of the attempt.
struct ExchangeStep: CallStep {
    let pending: PendingCall

    func run(_ attempt: inout Attempt, _ rest: CallSteps) async throws(Interruption) -> APIResponse {
        guard let request = attempt.request else { throw .outdated }
        let follower = pending.follower(attempt)
        // Who changes the response has a limit for both; see ``ReadStep``.
        guard !follower.keepsTimeLimits, !pending.changesResponses(of: attempt),
            request.value.timeout.isFinite
        else { return try await response(to: request, over: follower, attempt) }
        return try await pending.within(request.value.timeout, attempt) {
            [attempt] () async throws(Interruption) in
            try await response(to: request, over: follower, attempt)
        }
    }

    private func response(
        to request: Box<APIRequest>, over follower: RedirectFollower, _ attempt: Attempt
    ) async throws(Interruption) -> APIResponse {
        let outcome =
            request.value.body.isTransfer
            ? await Transfer(pending: pending, attempt: attempt).send(request.value)
            : await follower.outcome(of: request.value).mapError(CallFailure.init)
        switch outcome {
        case .success(let response): return attempt.response(response)
        case .failure(let failure): throw pending.interruption(failure, attempt)
        }
    }
}

extension Attempt {
    /// Returns a response to the attempt, unread.
    func response(_ response: TransportResponse) -> APIResponse {
        var received = APIResponse(requestID: call.requestID, params: call.params, response: Box(response))
        if call.overrides.hidesResponses { received.hidesBody = true }
        return received
    }
}

extension ApiProxy {
    /// Returns what sends the requests of a service: over its own transport, or over the proxy's.
    func follower(for configured: ConfiguredService) -> RedirectFollower {
        guard let own = configured.configuration.value.transport,
            !follower.transport.replacesServiceTransport(for: configured.service.baseURL)
        else { return follower }
        return RedirectFollower(
            transport: own, redaction: redaction,
            outside: .init(transport: follower.transport, hosts: configured.hosts))
    }
}
