import DiscreteNetworkingCore
import Foundation

/// Sends the request, and writes the body of its response to a file. The timeout is for all of it if the manager has one,
/// otherwise for each response head.
struct DownloadStep: CallStep {
    static let place = StepPlace.transfer
    static var uses: [any AttemptState.Type] { [SentSlot.self, TemporaryPartialFile.self] }
    let pending: PendingCall

    func run(_ attempt: inout Attempt, _ rest: CallSteps) async throws(Interruption) -> APIResponse {
        guard let request = attempt.request?.value, case .file(let destination) = request.destination else {
            throw .outdated
        }
        attempt.takeTemporaryFile()
        let limit = attempt.call.overrides.timeout == nil ? .infinity : request.timeout
        return try await pending.within(limit, attempt) { [attempt] () async throws(Interruption) in
            let transfer = Transfer(pending: pending, attempt: attempt)
            do throws(CallFailure) {
                return try await DownloadRun(
                    transfer: transfer, request: request, destination: destination
                ).run()
            } catch {
                throw pending.interruption(error, attempt)
            }
        }
    }
}
