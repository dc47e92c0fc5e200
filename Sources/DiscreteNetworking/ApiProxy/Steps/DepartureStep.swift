/// Announces the request that goes out, unless its user has left while it was built.
struct DepartureStep: CallStep {
    let pending: PendingCall

    func run(_ attempt: inout Attempt, _ rest: CallSteps) async throws(Interruption) -> APIResponse {
        pending.latest = attempt.call
        if attempt.hasLostUser {
            throw .failed(pending.proxy.error(.loginRequired, of: attempt.call))
        }
        if !pending.events.isSilent, let request = attempt.request?.value {
            pending.events.emit(.requestBuilt(request), of: attempt.call)
            // A transfer may send more than one request.
            if case .memory = request.destination { pending.events.emit(.sent(request), of: attempt.call) }
        }
        return try await rest(&attempt)
    }
}
