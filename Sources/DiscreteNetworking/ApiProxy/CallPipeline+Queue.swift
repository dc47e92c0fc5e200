/// The limits of concurrent calls, and the order of those that wait; see ``ServiceConfiguration/concurrencyLimit``.
extension CallPipeline {
    /// Waits for a slot if the service or the endpoint has a limit, unless the call joins an identical request.
    ///
    /// The calls that a renewal of the session consists of, and those made in hooks of a call that holds a slot, do not wait:
    /// calls with a slot could wait for them.
    /// - Returns: Whether the call has waited, or has to wait for its session. Its request is then too old, and has to be
    ///   built anew.
    @inline(never)
    func waitsForSlot(_ context: inout CallContext) async -> Bool {
        let call = context.call
        defer { context.slotID = pending.slot?.id }
        guard call.renewal == nil, !CallQueue.isExempt, !pending.callerHoldsSlot else { return false }
        // A refresh may have begun since the call was admitted. It gives its slot back when it is admitted again.
        guard pending.slot == nil else { return mustWaitForSession(context) }
        guard !join(&context) else { return false }
        let place = CallQueue.Place(
            service: call.serviceIdentifier, methodName: call.methodName,
            serviceLimit: context.configuration.concurrencyLimit,
            endpointLimit: call.overrides.concurrencyLimit,
            isForeign: context.isForeign)
        let turn = pending.turn
        // A call whose tokens were rejected has had its turn: it goes first, as long as the new tokens are valid.
        let isRepeated = turn != nil && !context.waitedFor.isEmpty
        let priority =
            isRepeated ? .repeated : call.overrides.priority ?? context.service.priority(for: call)
        switch proxy.queue.enter(place, priority: priority, turn: turn) {
        case .slot(let slot):
            pending.hold(slot)
            return mustWaitForSession(context)
        case .waiting(let waiter, let ahead):
            pending.events.emit(.waiting(for: .otherCalls(ahead: ahead)), of: call)
            await wait(context) {
                if let slot = await waiter.slot { pending.hold(slot) }
            }
            // If the user has left, the slot was not awaited.
            waiter.cancel()
            return true
        }
    }

    private func mustWaitForSession(_ context: CallContext) -> Bool {
        context.tokenSession?.mustWait(context.call) ?? false
    }

    /// Releases the slot of an attempt, which may have timed out and still run: the next attempt keeps its own.
    func releaseSlot(of context: CallContext) {
        if let id = context.slotID { pending.releaseSlot(id) }
    }
}

extension CallPriority {
    /// For calls that are repeated with new tokens.
    fileprivate static let repeated = CallPriority(rawValue: .max)
}

extension CallContext {
    /// Whether the call may have to wait for others.
    var isLimited: Bool {
        !self.call.isSample
            && (self.configuration.concurrencyLimit != nil || self.call.overrides.concurrencyLimit != nil)
    }
}
