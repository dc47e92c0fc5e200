/// The limits of concurrent calls, and the order of those that wait; see ``Service/concurrencyLimit``.
extension CallPipeline {
    /// Waits for a slot if the service or the endpoint has a limit.
    ///
    /// Never while the call waits for its session, and not for the calls that a renewal of the session consists of:
    /// those would wait for each other.
    /// - Returns: Whether the call has waited. Its request is then as old as that, and has to be built anew.
    @inline(never)
    func waitsForSlot(_ context: CallContext) async -> Bool {
        let call = context.call
        guard !pending.hasSlot, call.renewal == nil, !CallQueue.isExempt, !mayJoin(context) else {
            return false
        }
        let place = CallQueue.Place(
            service: call.serviceIdentifier, methodName: call.methodName,
            serviceLimit: context.service.concurrencyLimit, endpointLimit: call.overrides.concurrencyLimit)
        let priority = call.overrides.priority ?? context.service.priority(for: call)
        switch proxy.queue.enter(place, priority: priority) {
        case .slot(let slot):
            pending.hold(slot)
            return false
        case .waiting(let waiter, let ahead):
            pending.events.emit(.waiting(for: .otherCalls(ahead: ahead)), of: call)
            await wait(context) {
                if let slot = await waiter.slot { pending.hold(slot) }
            }
            return true
        }
    }

    /// Whether an identical request is in flight, which the call will share.
    private func mayJoin(_ context: CallContext) -> Bool {
        guard let request = context.request?.value, shares(context) else { return false }
        return isInFlight(request, context)
    }
}

extension CallContext {
    /// Whether the call may have to wait for others.
    var isLimited: Bool {
        !self.call.isSample
            && (self.service.concurrencyLimit != nil || self.call.overrides.concurrencyLimit != nil)
    }
}
