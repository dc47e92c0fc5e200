import Foundation

/// Exchanges that are shared by identical requests; see ``ServiceConfiguration/sharesIdenticalRequests``.
extension CallPipeline {
    /// Whether the call shares its exchange with identical ones.
    func shares(_ context: CallContext) -> Bool {
        !context.call.isSample
            && context.call.overrides.sharesIdenticalRequests ?? context.configuration.sharesIdenticalRequests
    }

    /// Joins an identical request in flight, so that the call needs no slot of its own.
    func join(_ context: inout CallContext) -> Bool {
        guard shares(context), let request = outgoing(context)?.value else { return false }
        context.membership = proxy.exchanges.join(request, from: sharingService(context))
        return context.membership != nil
    }

    /// The outcome of an exchange shared with identical requests; `nil` for a request that is not shared.
    func sharedOutcome(
        of request: Box<APIRequest>, _ context: CallContext
    ) async -> Result<Box<TransportResponse>, CallFailure>? {
        shares(context) ? await joinedOutcome(of: request, context) : nil
    }

    @inline(never)
    private func joinedOutcome(
        of request: Box<APIRequest>, _ context: CallContext
    ) async -> Result<Box<TransportResponse>, CallFailure>? {
        let outcome: SharedExchange.Outcome?
        if let membership = context.membership {
            pending.events.emit(.joined, of: context.call)
            outcome = await membership.outcome(within: request.value.timeout)
        } else {
            outcome = await proxy.exchanges.outcome(
                of: request.value, from: sharingService(context), over: follower(context),
                slot: { pending.slot },
                joined: {
                    // The exchange has a slot of its own.
                    pending.releaseSlot()
                    pending.events.emit(.joined, of: context.call)
                },
                missed: pending.events.isSilent
                    ? nil : { pending.emitMiss(.notShared($0), $0, of: context.call) })
        }
        return outcome?.map(Box.init).mapError(CallFailure.init)
    }

    /// The service that exchanges are not shared beyond: one with a transport of its own, in its environment.
    private func sharingService(_ context: CallContext) -> ServiceIdentifier? {
        guard context.configuration.transport != nil else { return nil }
        let identifier = context.call.serviceIdentifier
        guard let pins = context.pins else { return identifier }
        return ServiceIdentifier(rawValue: identifier.rawValue + " " + pins.name)
    }
}
