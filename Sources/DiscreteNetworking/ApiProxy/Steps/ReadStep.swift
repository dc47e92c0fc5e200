/// Reads a response: what the app changes in it, its status, its envelope, its output.
struct ReadStep: CallStep {
    let pending: PendingCall

    func run(_ attempt: inout Attempt, _ rest: CallSteps) async throws(Interruption) -> APIResponse {
        let changes = ResponseChanges(pending: pending, attempt: attempt)
        guard changes.isEmpty else { return try await changedResponse(attempt, changes, rest) }
        let received = try await rest(&attempt)
        pending.emit(.received(received), of: attempt.call)
        return try read(received, attempt)
    }

    /// The exchange and the changes have one time limit.
    @inline(never)
    private func changedResponse(
        _ attempt: Attempt, _ changes: ResponseChanges, _ rest: CallSteps
    ) async throws(Interruption) -> APIResponse {
        try await pending.within(attempt.request?.value.timeout ?? .infinity, attempt) {
            () async throws(Interruption) in
            var own = attempt
            var received = try await rest(&own)
            pending.releaseSlot(of: attempt, changing: received)
            if let failure = await changes.changed(&received) { throw pending.interruption(failure, attempt) }
            return try read(received, attempt)
        }
    }

    @inline(never)
    private func read(_ received: APIResponse, _ attempt: Attempt) throws(Interruption) -> APIResponse {
        if attempt.isConditional, received.status == 304 { return received }
        do {
            return try ResponseReader(attempt.call, attempt.plan).read(received)
        } catch {
            throw pending.interruption(
                CallFailure(kind: error.kind, response: error.response ?? received), attempt)
        }
    }
}
