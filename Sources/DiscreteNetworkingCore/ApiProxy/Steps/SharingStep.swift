/// Shares the exchange with identical requests in flight; see ``ServiceConfiguration/sharesIdenticalRequests``. In the list only
/// if the call may.
struct SharingStep: CallStep {
    static let place = StepPlace.sharing
    static var uses: [any AttemptState.Type] { [SharedExchange.Membership.self, ResponsePlace.self] }
    let pending: PendingCall

    func run(_ attempt: inout Attempt, _ rest: CallSteps) async throws(Interruption) -> APIResponse {
        guard let request = attempt.request, let outcome = await outcome(of: request.value, attempt) else {
            return try await rest(&attempt)
        }
        switch outcome {
        case .success(let response): return attempt.response(Box(response))
        case .failure(let failure): throw pending.interruption(CallFailure(failure), attempt)
        }
    }

    /// - Returns: `nil` for a request that cannot be shared.
    private func outcome(of request: APIRequest, _ attempt: Attempt) async -> SharedExchange.Outcome? {
        let call = attempt.call
        if let membership = attempt.membership {
            pending.emit(.joined, of: call)
            return await membership.outcome(within: request.timeout)
        }
        return await pending.proxy.exchanges.outcome(
            of: request, from: attempt.sharingService, over: attempt.follower,
            since: pending.confirmation(attempt),
            slot: { pending.slot },
            joined: {
                // The exchange has a slot of its own.
                pending.releaseSlot()
                pending.emit(.joined, of: call)
            },
            missed: !pending.isObserved ? nil : { pending.emitMiss(.notShared($0), $0, of: call) })
    }
}

extension Attempt {
    /// The service that exchanges are not shared beyond: one with a transport of its own, in its environment.
    var sharingService: ServiceIdentifier? {
        guard self.plan.configuration.transport != nil else { return nil }
        guard let scope else { return self.call.serviceIdentifier }
        return ServiceIdentifier(rawValue: self.call.serviceIdentifier.rawValue + " " + scope.name)
    }
}
