import Foundation

/// Waits for the delay of a ``LoadPolicy`` before the first attempt. In the list only if there is one.
struct DelayStep: CallStep {
    static let place = StepPlace.delay
    let pending: PendingCall
    /// The delay in seconds.
    let seconds: TimeInterval

    func run(_ attempt: inout Attempt, _ rest: CallSteps) async throws(Interruption) -> APIResponse {
        pending.emit(.waiting(for: .delay(seconds)), of: attempt.call)
        await pending.wait(seconds, attempt)
        return try await rest(&attempt)
    }
}
