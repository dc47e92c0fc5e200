import DiscreteNetworkingCore
import Foundation

/// Sends the request, and returns its response as soon as its head has come; the body is read as a stream.
struct StreamStep: CallStep {
    static let place = StepPlace.transfer
    static var uses: [any AttemptState.Type] { [SentSlot.self] }
    let pending: PendingCall

    func run(_ attempt: inout Attempt, _ rest: CallSteps) async throws(Interruption) -> APIResponse {
        guard let request = attempt.request?.value else { throw .outdated }
        var asked = request
        // The timeout applies until the response head and is not enforced by the transport: a stream may be idle for long.
        asked.timeout = .infinity
        pending.emit(.sent(asked), of: attempt.call)
        return try await pending.within(request.timeout, attempt) {
            [attempt, asked] () async throws(Interruption) in
            let transfer = Transfer(pending: pending, attempt: attempt)
            do {
                return try await stream(of: asked, transfer)
            } catch {
                throw pending.interruption(CallFailure(reading: error), attempt)
            }
        }
    }

    private func stream(of request: APIRequest, _ transfer: Transfer) async throws -> APIResponse {
        var response = try await transfer.send(request).get()
        guard transfer.accepts(response) else { throw await transfer.refusal(of: response) }
        if response.mayBeEnvelope { response = try await transfer.passingEnvelope(of: response) }
        let head = transfer.received(response)
        let (proxy, call) = (pending.proxy, transfer.attempt.call)
        let pieces = BodyPieces(response.body.pieces) { proxy.error($0, of: call, response: head) }
        var accepted = head
        accepted.output = ByteStream(response: head, pieces: pieces)
        return accepted
    }
}
