/// Announces the request that goes out, unless its user has left while it was built, and notes that its tokens were accepted.
/// In the list only for a call with a session, or one that is observed.
struct DepartureStep: CallStep {
    static let place = StepPlace.departure
    let pending: PendingCall

    func run(_ attempt: inout Attempt, _ rest: CallSteps) async throws(Interruption) -> APIResponse {
        try depart(attempt)
        let response = try await rest(&attempt)
        // Before the slot is given back: who gets it may be rejected, and then asks whether the tokens were accepted.
        attempt.acceptTokens()
        return response
    }

    private func depart(_ attempt: Attempt) throws(Interruption) {
        pending.latest = attempt.call
        if attempt.hasLostUser { throw .failed(pending.proxy.error(.loginRequired, of: attempt.call)) }
        if pending.isObserved { announce(attempt) }
    }

    private func announce(_ attempt: Attempt) {
        guard let request = attempt.request?.value else { return }
        pending.emit(.requestBuilt(request), of: attempt.call)
        // A transfer may send more than one request.
        if case .memory = request.destination { pending.emit(.sent(request), of: attempt.call) }
    }
}
