/// Waits for a slot if the service or the endpoint limits its concurrent calls, unless the call has joined an identical request; see
/// ``ServiceConfiguration/concurrencyLimit``.
///
/// The calls that a renewal of the session consists of, and those made in hooks of a call that holds a slot, do not wait:
/// calls with a slot could wait for them.
struct LimitStep: CallStep {
    static let place = StepPlace.slot
    static var uses: [any AttemptState.Type] {
        [SentSlot.self, SessionWaits.self, SharedExchange.Membership.self]
    }
    let pending: PendingCall

    func run(_ attempt: inout Attempt, _ rest: CallSteps) async throws(Interruption) -> APIResponse {
        guard await !waits(&attempt) else { throw .outdated }
        attempt[SentSlot.self] = pending.slot.map { SentSlot(id: $0.id) }
        let response = try await rest(&attempt)
        // After a failure, who decides about it gives the slot back.
        pending.releaseSlot()
        return response
    }

    /// - Returns: Whether the call has waited, or its tokens are old. Its request then has to be built again.
    private func waits(_ attempt: inout Attempt) async -> Bool {
        let (call, plan) = (attempt.call, attempt.plan)
        guard !attempt.isJoined, call.renewal == nil, !CallContext.current.isExempt, !pending.callerHoldsSlot
        else {
            return false
        }
        // A refresh may have begun, or even ended, since the call was admitted. If it is in progress, the call gives its slot
        // back when it is admitted again.
        guard pending.slot == nil else { return attempt.hasOldTokens }
        let turn = pending.turn
        // A call whose tokens were rejected has had its turn: it goes first, as long as the new tokens are valid.
        let isRepeated = turn != nil && !attempt.waits.requirements.isEmpty
        let place = CallQueue.Place(
            service: call.serviceIdentifier, methodName: call.methodName,
            serviceLimit: plan.configuration.concurrencyLimit,
            endpointLimit: call.overrides.concurrencyLimit, isForeign: plan.isForeign)
        switch pending.proxy.queue.enter(
            place, priority: isRepeated ? .repeated : plan.priority(of: call), turn: turn)
        {
        case .slot(let slot):
            pending.hold(slot)
            return attempt.hasOldTokens
        case .waiting(let waiter, let ahead):
            pending.noteWait(.otherCalls(ahead: ahead))
            pending.emit(.waiting(for: .otherCalls(ahead: ahead)), of: call)
            await pending.wait(attempt) {
                if let slot = await waiter.pass { pending.hold(slot) }
            }
            // If the user has left, the slot was not awaited.
            waiter.cancel()
            return true
        }
    }
}

/// The slot that an attempt was sent with.
package struct SentSlot: AttemptState {
    package static let lifetime = SlotLifetime.attempt
    let id: Int
}

extension Attempt {
    /// Whether the tokens that the request was built with are being renewed, or have been since.
    fileprivate var hasOldTokens: Bool {
        if self.plan.configured.session?.mustWait(self.call) == true { return true }
        return self.session.map { !$0.isCurrent } ?? false
    }
}

extension CallPriority {
    /// For calls that are retried with new tokens.
    fileprivate static let repeated = CallPriority(rawValue: .max)
}

extension ApiProxy {
    var queue: CallQueue { state { CallQueue() } }
}
