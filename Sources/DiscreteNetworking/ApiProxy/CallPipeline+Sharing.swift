import Foundation

/// Exchanges that are shared by identical requests; see ``Service/sharesIdenticalRequests``.
extension CallPipeline {
    /// Whether the call shares its exchange with identical ones.
    func shares(_ context: CallContext) -> Bool {
        !context.call.isSample
            && context.call.overrides.sharesIdenticalRequests ?? context.service.sharesIdenticalRequests
    }

    /// Whether an identical request is in flight.
    func isInFlight(_ request: APIRequest, _ context: CallContext) -> Bool {
        proxy.exchanges.isRunning(request, from: sharingService(context))
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
        await proxy.exchanges.outcome(
            of: request.value, from: sharingService(context), over: follower(context)
        ) {
            pending.events.emit(.joined, of: context.call)
        }?
        .map(Box.init).mapError(CallFailure.init)
    }

    /// The service that exchanges are not shared beyond: one with a transport of its own, in its environment.
    private func sharingService(_ context: CallContext) -> ServiceIdentifier? {
        guard context.service.transport != nil else { return nil }
        let identifier = context.call.serviceIdentifier
        guard let pins = context.pins else { return identifier }
        return ServiceIdentifier(rawValue: identifier.rawValue + " " + pins.name)
    }
}
