import Foundation

extension CallSteps {
    /// The steps of a call, to the one that begins attempts.
    /// - Parameter pause: The delay before the first attempt, in seconds.
    init(of pending: PendingCall, _ plan: CallPlan, after pause: TimeInterval) {
        self.init(room: 2)
        if plan.hasDeadline { add(DeadlineStep(pending: pending)) }
        if pause > 0 { add(DelayStep(pending: pending, seconds: pause)) }
        if !pending.plugins.isEmpty { add(RecoverStep(pending: pending)) }
        if pending.ending != nil { add(ChangeStep(pending: pending)) }
        if plan.isCacheable || plan.isForCacheOnly, let maker = pending.call.overrides.cache.maker {
            add(maker.outerStep(of: pending))
        }
        add(RepeatStep(pending: pending))
    }

    /// The steps of an attempt, to the one that exchanges messages. Only what the call asks for is in the list.
    init(of attempt: Attempt, _ pending: PendingCall) {
        let (call, plan) = (attempt.call, attempt.plan)
        let configuration = plan.configured.configuration
        self.init(room: 8)
        if pending.validates { add(ValidateStep(pending: pending)) }
        // A request that was sent before is not prepared again.
        let isBegun = call.overrides.carrier?.begunRequest != nil
        if !plan.isCarried, plan.reachesServer {
            if pending.proxy.known(Degradations.self)?.isEmpty == false {
                add(DegradationStep(pending: pending))
            }
            add(plan.service.circuitBreakerPolicy(for: call), of: pending)
        }
        for policy in configuration.value.policies { add(policy, of: pending) }
        if !isBegun { add(configuration.value.failover, of: pending) }
        if plan.mayHaveToWait { add(SessionStep(pending: pending)) }
        if plan.compressionSize != nil, !isBegun { add(CompressionStep(pending: pending)) }
        if plan.mayNeedCSRFToken, !isBegun { add(configuration.value.csrf, of: pending) }
        add(RequestStep(pending: pending))
        if plan.isCacheable { add(call.overrides.cache, of: pending) }
        if plan.reachesServer { add(ReachabilityStep(pending: pending)) }
        if plan.sharesIdenticalRequests, plan.needsSlot || plan.rateLimit != nil {
            add(JoinStep(pending: pending))
        }
        add(plan.rateLimit, of: pending)
        if plan.needsSlot { add(LimitStep(pending: pending)) }
        if plan.mayHaveToWait || pending.isObserved { add(DepartureStep(pending: pending)) }
        if let transfer = call.transfer?.machinery as? TransferMaker {
            add(transfer.step(of: pending, isCarried: plan.isCarried))
        } else {
            add(ReadStep(pending: pending))
            if plan.sharesIdenticalRequests { add(SharingStep(pending: pending)) }
            add(ExchangeStep(pending: pending))
        }
    }
}

// MARK: Run

extension PendingCall {
    /// Runs the steps of the call.
    /// - Parameter pause: The delay before the first attempt, in seconds.
    /// - Returns: `nil` if the call has ended.
    func outcome(after pause: TimeInterval) async -> CallOutcome? {
        var attempt: Attempt
        do throws(APIError) { attempt = try proxy.attempt(of: call) } catch {
            return .failed(error, isSwallowed: false)
        }
        defer {
            attempt.scope?.end()
            attempt.endStates(.call)
        }
        let steps = CallSteps(of: self, attempt.plan, after: pause)
        do throws(Interruption) {
            return .succeeded(try await steps(&attempt))
        } catch {
            return error.error.map { .failed($0, isSwallowed: $0.kind == .swallowed) }
        }
    }
}

extension ApiProxy {
    /// Returns a call before its first attempt.
    func attempt(of call: APICall) throws(APIError) -> Attempt {
        guard call.callers.count <= APICall.nestingLimit else { throw nestingError(of: call) }
        let service: ServiceInstance?
        do {
            service = try services.lookUp(call.serviceIdentifier)
        } catch {
            throw self.error(.serviceCycle(error.identifiers), of: call)
        }
        guard let service else { throw error(.serviceNotRegistered, of: call) }
        if let problem = service.problem { throw error(.invalidService(reason: problem), of: call) }
        return Attempt(call, service, over: follower)
    }

    private func nestingError(of call: APICall) -> APIError {
        let chain = call.callers + ["\(call.serviceIdentifier)/\(call.methodName)"]
        return error(
            .nestedTooDeeply(limit: APICall.nestingLimit), of: call,
            hint:
                "Hooks are calling each other, more than \(APICall.nestingLimit) levels deep: \(chain.joined(separator: " → ")). Let the hook make no call for the calls that it makes itself, for instance by their managerType."
        )
    }
}
