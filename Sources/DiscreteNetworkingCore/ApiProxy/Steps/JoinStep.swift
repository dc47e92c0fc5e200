/// Joins an identical request in flight, which needs no permit and no slot. In the list only if the call may share one, and
/// would have to wait for one of them.
struct JoinStep: CallStep {
    static let place = StepPlace.joining
    static var uses: [any AttemptState.Type] { [SharedExchange.Membership.self, ResponsePlace.self] }
    let pending: PendingCall

    func run(_ attempt: inout Attempt, _ rest: CallSteps) async throws(Interruption) -> APIResponse {
        attempt.membership = attempt.request.flatMap { request in
            pending.proxy.exchanges.join(
                request.value, from: attempt.sharingService, since: pending.confirmation(attempt))
        }
        // The exchange has a slot of its own.
        if attempt.isJoined { pending.releaseSlot() }
        return try await rest(&attempt)
    }
}

extension Attempt {
    /// Whether it has the response of another request, and sends none.
    package var isJoined: Bool { membership != nil }
}
