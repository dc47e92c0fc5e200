/// Asks the manager's validator, on the main actor. In the list only if the manager has one when its call starts.
struct ValidateStep: CallStep {
    static let place = StepPlace.validation
    let pending: PendingCall

    func run(_ attempt: inout Attempt, _ rest: CallSteps) async throws(Interruption) -> APIResponse {
        let response = try await rest(&attempt)
        guard let reason = await pending.rejectionReason(for: response) else { return response }
        throw .failed(
            pending.proxy.error(.invalidResponse(reason: reason), of: attempt.call, response: response))
    }
}
