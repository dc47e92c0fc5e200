import Foundation

extension CallSteps {
    /// The steps of a call, to the one that begins attempts.
    /// - Parameter pause: The delay before the first attempt, in seconds.
    init(of pending: PendingCall, _ plan: CallPlan, after pause: TimeInterval) {
        let call = pending.call
        var steps: [any CallStep] = []
        // The system decides how long a transfer takes that outlives the app.
        if plan.hasDeadline, !call.isCarried { steps.append(DeadlineStep(pending: pending)) }
        if pause > 0 { steps.append(DelayStep(pending: pending, seconds: pause)) }
        if !pending.plugins.isEmpty { steps.append(RecoverStep(pending: pending)) }
        if pending.ending != nil { steps.append(ChangeStep(pending: pending)) }
        if call.isCacheable || call.isForCacheOnly { steps.append(CacheStep(pending: pending)) }
        steps.append(RepeatStep(pending: pending))
        self.init(steps)
    }

    /// The steps of an attempt, to the one that exchanges messages. Only what the call asks for is in the list.
    init(of attempt: Attempt, _ pending: PendingCall) {
        let (call, plan) = (attempt.call, attempt.plan)
        var steps: [any CallStep] = []
        // Room for all of them: an array that grows allocates anew each time.
        steps.reserveCapacity(17)
        if pending.validates { steps.append(ValidateStep(pending: pending)) }
        // A request that was sent before is not prepared again.
        let isBegun = call.overrides.carrier?.begunRequest != nil
        if !call.isCarried { steps.append(CircuitBreakerStep(pending: pending)) }
        if plan.configuration.failover != nil, !isBegun { steps.append(FailoverStep(pending: pending)) }
        if plan.mayHaveToWait { steps.append(SessionStep(pending: pending)) }
        if plan.compressionSize != nil, !isBegun { steps.append(CompressionStep(pending: pending)) }
        if attempt.mayNeedCSRFToken, !isBegun { steps.append(CSRFStep(pending: pending)) }
        steps.append(RequestStep(pending: pending))
        if call.revalidates { steps.append(RevalidateStep(pending: pending)) }
        if !call.isSample { steps.append(ReachabilityStep(pending: pending)) }
        if plan.hasRateLimit, !call.isCarried { steps.append(RateLimitStep(pending: pending)) }
        if plan.isLimited, !call.isCarried { steps.append(LimitStep(pending: pending)) }
        steps.append(DepartureStep(pending: pending))
        switch call.outputType {
        case is ByteStream.Type: steps.append(StreamStep(pending: pending))
        case _ where call.isTransfer && call.isCarried: steps.append(CarriedDownloadStep(pending: pending))
        case _ where call.isTransfer: steps.append(DownloadStep(pending: pending))
        default:
            steps.append(ReadStep(pending: pending))
            if plan.sharesIdenticalRequests, !call.isCarried { steps.append(SharingStep(pending: pending)) }
            steps.append(ExchangeStep(pending: pending))
        }
        self.init(steps)
    }
}

// MARK: Start

extension PendingCall {
    /// Starts the call.
    /// - Parameter pause: The delay before the first attempt, in seconds.
    func start(after pause: TimeInterval = 0) {
        start { [self] in
            var attempt: Attempt
            do throws(APIError) { attempt = try proxy.attempt(of: call) } catch {
                return .failed(error, isSwallowed: false)
            }
            defer { attempt.pins?.end() }
            let steps = CallSteps(of: self, attempt.plan, after: pause)
            do throws(Interruption) {
                return .succeeded(try await steps(&attempt))
            } catch {
                return error.error.map { .failed($0, isSwallowed: $0.kind == .intercepted) }
            }
        }
    }
}
