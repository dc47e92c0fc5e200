import Foundation

/// An exchange with a file or a stream as a body.
package struct Transfer: Sendable {
    package let pending: PendingCall
    package let attempt: Attempt

    package init(pending: PendingCall, attempt: Attempt) { (self.pending, self.attempt) = (pending, attempt) }

    /// Sends a request; a file or stream body is paused by the gate.
    package func send(_ request: APIRequest) async -> Result<TransportResponse, CallFailure> {
        var request = request
        var failure: Locked<TransferFailure?>?
        if request.body.isTransfer {
            do throws(InvalidRequestError) {
                let upload = try UploadBody(request.body, gate: pending.gate)
                request.body = upload.body
                failure = upload.failure
            } catch {
                return .failure(CallFailure(kind: .invalidRequest(reason: error.reason)))
            }
        }
        return await attempt.follower.outcome(of: request).mapError { other in
            failure?.current.map { CallFailure(kind: .transfer($0)) } ?? CallFailure(other)
        }
    }

    /// Reports the head of a response to the observers.
    @discardableResult
    package func received(_ response: TransportResponse) -> APIResponse {
        let received = attempt.response(Box(response.head))
        pending.emit(.received(received), of: attempt.call)
        return received
    }

    /// Whether the status is one of a response with a body that is passed on.
    package func accepts(_ response: TransportResponse) -> Bool {
        attempt.plan.accepts(status: response.status, of: attempt.call)
    }

    /// Returns the failure of a response with an unaccepted status, with its body in memory.
    package func refusal(of response: TransportResponse) async -> CallFailure {
        var whole = response
        // If the body cannot be read, the status is reported.
        let body = try? await response.body.collect(limit: attempt.plan.configuration.responseSizeLimit)
        whole.body = .data(body.flatMap { $0 } ?? Data())
        var received = attempt.response(Box(whole))
        pending.releaseSlot(of: attempt, changing: received)
        let changes = ResponseChanges(pending: pending, attempt: attempt)
        if let failure = await changes.changed(&received) { return failure }
        do throws(CallFailure) {
            _ = try ResponseReader(attempt.call, attempt.plan).read(received)
            return CallFailure(kind: .http(status: response.status), response: received)
        } catch {
            return CallFailure(kind: error.kind, response: error.response ?? received)
        }
    }
}
