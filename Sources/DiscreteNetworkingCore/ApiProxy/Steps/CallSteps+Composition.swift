import Foundation

extension CallSteps {
    /// The steps of a call, to the one that begins attempts.
    /// - Parameter pause: The delay before the first attempt, in seconds.
    @inline(never)
    init(of pending: PendingCall, _ plan: CallPlan, after pause: TimeInterval) {
        var steps: [any CallStep] = []
        steps.reserveCapacity(2)
        if plan.hasDeadline { steps.append(DeadlineStep(pending: pending)) }
        if pause > 0 { steps.append(DelayStep(pending: pending, seconds: pause)) }
        if !pending.plugins.isEmpty { steps.append(RecoverStep(pending: pending)) }
        if pending.ending != nil { steps.append(ChangeStep(pending: pending)) }
        if plan.isCacheable || plan.isForCacheOnly { steps.append(CacheStep(pending: pending)) }
        steps.append(RepeatStep(pending: pending))
        self.init(steps)
    }

    /// The steps of an attempt, to the one that exchanges messages. Only what the call asks for is in the list.
    @inline(never)
    init(of attempt: Attempt, _ pending: PendingCall) {
        let (call, plan) = (attempt.call, attempt.plan)
        var steps: [any CallStep] = []
        // As above, room for the steps of most calls: an array that grows allocates memory again each time.
        steps.reserveCapacity(8)
        if pending.validates { steps.append(ValidateStep(pending: pending)) }
        // A request that was sent before is not prepared again.
        let isBegun = call.overrides.carrier?.begunRequest != nil
        if !plan.isCarried, plan.reachesServer {
            let policy = plan.service.circuitBreakerPolicy(for: call)
            if policy != nil || pending.proxy.known(CircuitBreakerRegistry.self)?.hasMarks == true {
                steps.append(CircuitBreakerStep(pending: pending, policy: policy))
            }
        }
        if plan.configuration.failover != nil, !isBegun { steps.append(FailoverStep(pending: pending)) }
        if plan.mayHaveToWait { steps.append(SessionStep(pending: pending)) }
        if plan.compressionSize != nil, !isBegun { steps.append(CompressionStep(pending: pending)) }
        if plan.mayNeedCSRFToken, !isBegun { steps.append(CSRFStep(pending: pending)) }
        steps.append(RequestStep(pending: pending))
        if plan.revalidates, !call.ignoresCache { steps.append(RevalidateStep(pending: pending)) }
        if plan.reachesServer { steps.append(ReachabilityStep(pending: pending)) }
        if plan.hasRateLimit { steps.append(RateLimitStep(pending: pending)) }
        if plan.needsSlot { steps.append(LimitStep(pending: pending)) }
        if plan.mayHaveToWait || pending.isObserved { steps.append(DepartureStep(pending: pending)) }
        switch plan.exchange {
        case .stream: steps.append(StreamStep(pending: pending))
        case .carriedDownload: steps.append(CarriedDownloadStep(pending: pending))
        case .download: steps.append(DownloadStep(pending: pending))
        case .inMemory:
            steps.append(ReadStep(pending: pending))
            if plan.sharesIdenticalRequests { steps.append(SharingStep(pending: pending)) }
            steps.append(ExchangeStep(pending: pending))
        }
        self.init(steps)
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
