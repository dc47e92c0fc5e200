import Foundation

/// The part of a call that runs off the main actor: service, request, exchange, response, interception.
struct CallPipeline: Sendable {
    let pending: PendingCall
    private let leftovers: TemporaryPartialFile?

    init(pending: PendingCall) {
        self.pending = pending
        let download = pending.call.overrides.download
        leftovers = download.flatMap { $0.isTemporary ? TemporaryPartialFile($0.destination) : nil }
    }

    var proxy: ApiProxy { pending.proxy }

    /// Runs the pipeline.
    /// - Parameter pause: The delay before the first attempt, in seconds.
    func run(after pause: TimeInterval) async {
        do throws(APIError) {
            let context = CallContext(pending.call, try proxy.service(of: pending.call))
            // Returns early only if the call has ended.
            if pause > 0 { await wait(context) { try? await proxy.clock.sleep(for: pause) } }
            if !pending.hasEnded { await proceed(context) }
        } catch {
            await pending.report(error)
        }
    }

    /// Performs attempts until the call has ended.
    /// - Parameter failure: A failure to handle first.
    func proceed(_ context: CallContext, after failure: APIError? = nil) async {
        var context = context
        var failure = failure
        if failure == nil, await answerFromCache(&context) { return }
        while true {
            if failure == nil {
                switch await attempt(&context) {
                case .over: return
                case .again:
                    context.request = nil
                    continue
                case .failed(let error): failure = error
                }
            }
            guard let error = failure else { return }
            record(failed: CircuitBreaker.isFailure(error.kind), of: &context)
            guard !pending.hasEnded, let delay = await delay(before: error, of: &context) else {
                return
            }
            // Returns early only if the call has ended.
            if delay > 0 {
                await wait(context, after: error) { try? await proxy.clock.sleep(for: delay) }
            }
            guard !pending.hasEnded else { return }
            context.call = context.call.nextAttempt()
            context.request = nil
            failure = nil
        }
    }

    /// The result of an attempt.
    private enum Attempt {
        /// The call ended, or continues without this task.
        case over
        /// Nothing was sent; start another attempt.
        case again
        case failed(APIError)
    }

    /// Performs steps 7 to 12.
    private func attempt(_ context: inout CallContext) async -> Attempt {
        pending.latest = context.call
        if let refusal = degradation(of: &context) { return .failed(refusal) }
        let draft = context.request.map { (request: $0, generation: context.session?.generation) }
        if let refusal = await admit(&context) {
            record(failed: nil, of: &context)
            await pending.report(refusal)
            return .over
        }
        let request: APIRequest
        if let draft, draft.generation == context.session?.generation {
            request = draft.request
        } else {
            context.cachePlace = nil
            do throws(APIError) {
                request = try await proxy.request(for: context)
            } catch {
                return .failed(error)
            }
            await prepareCache(for: request, of: &context)
        }
        switch await network(for: request, of: context) {
        case .isThere: break
        case .isNotThere: return .failed(proxy.error(.notReachable, of: context.call))
        case .wasWaitedFor:
            record(failed: nil, of: &context)
            return pending.hasEnded ? .over : .again
        }
        context.request = request
        pending.latest = context.call
        return await attempt(request, &context).map(Attempt.failed) ?? .over
    }

    /// Handles a failure as the service decides, and ends the call unless it is to be repeated.
    /// - Returns: The delay before the call is repeated, in seconds; `nil` if it ended.
    private func delay(
        before error: APIError, of context: inout CallContext
    ) async -> TimeInterval? {
        // Repeats by the retry policy and the session are not counted.
        let call = context.call
        let repeats = call.attempt - context.retries - context.waitedFor.count
        let mayRepeat = repeats <= context.service.retryLimit
        var disposition = FailureDisposition.report
        if error.kind != .cancelled {
            disposition = await self.disposition(of: error, context)
            pending.events.emit(.intercepted(error, disposition), of: call)
        }
        switch disposition {
        case .swallow:
            await pending.report(proxy.error(.intercepted, of: call, underlying: error), isSwallowed: true)
        case .retry(let seconds) where mayRepeat:
            pending.events.emit(.repeated(after: seconds, error), of: call)
            return seconds
        case .holdUntilRefreshed(let session):
            return await hold(&context, for: .refresh, of: session, after: error)
        case .holdUntilLoggedIn(let session):
            return await hold(&context, for: .login, of: session, after: error)
        case .degrade(let date):
            proxy.degrade(call.serviceIdentifier, methodName: call.methodName, until: date)
            let degraded = proxy.error(.degraded(until: date), of: call, underlying: error)
            if !(await answerFromCache(context, after: degraded)) { await pending.report(degraded) }
        case .report, .retry:
            if let seconds = retryDelay(after: error, of: &context) { return seconds }
            if !(await answerFromCache(context, after: error)) { await pending.report(error) }
        }
        return nil
    }

    /// Performs a request and handles its response.
    /// - Returns: The error; `nil` if the call ended.
    private func attempt(
        _ request: APIRequest, _ context: inout CallContext
    ) async -> APIError? {
        var request = request
        makeConditional(&request, of: context)
        guard !pending.hasEnded else { return nil }
        if hasLostUser(context) { return proxy.error(.loginRequired, of: context.call) }
        pending.events.emit(.requestBuilt(request), of: context.call)
        listen(to: &request)

        let answer: Answer?
        switch request.destination {
        case .memory: answer = await fetch(request, context)
        case .stream: answer = await stream(request, context)
        case .file(let url): answer = await download(request, to: url, context)
        }
        let response: APIResponse
        switch answer {
        case nil: return nil
        case .failure(let failure)?:
            return proxy.error(failure.kind, of: context.call, response: failure.response)
        case .success(let success)?: response = success
        }
        record(failed: false, of: &context)
        context.session?.accept()
        pending.accept(response, store: storage(of: response, context)) { [context] reason in
            await proceed(
                context,
                after: proxy.error(.invalidResponse(reason: reason), of: context.call, response: response))
        }
        return nil
    }

    // MARK: Exchange

    /// Performs a request whose response body is held in memory.
    /// - Returns: `nil` if the call continues without this task.
    private func fetch(_ request: APIRequest, _ context: CallContext) async -> Answer? {
        pending.events.emit(.sent(request), of: context.call)
        let answer: TransportResponse
        switch await exchange(request, context) {
        case nil: return nil
        case .failure(let failure)?: return .failure(failure)
        case .success(let success)?: answer = success
        }
        let received = received(answer, of: context.call)
        if let stored = revalidated(received, context) { return .success(stored) }
        do {
            return .success(try ResponseReader(context).read(received))
        } catch {
            return .failure(CallFailure(kind: error.kind, response: error.response ?? received))
        }
    }

    private func exchange(
        _ request: APIRequest, _ context: CallContext
    ) async -> Result<TransportResponse, CallFailure>? {
        if context.call.overrides.sharesIdenticalRequests ?? context.service.sharesIdenticalRequests,
            let outcome = await proxy.exchanges.outcome(of: request, over: proxy.follower)
        {
            return outcome.mapError(CallFailure.init)
        }
        return await within(request.timeout, context) { await send(request) }
    }

    /// Runs an operation with a time limit in seconds.
    /// - Returns: `nil` if the time limit was exceeded. The call then continues without this task, because
    ///   the transport may ignore cancellation.
    func within<Value: Sendable>(
        _ seconds: TimeInterval, _ context: CallContext, _ work: () async -> Value
    ) async -> Value? {
        guard seconds.isFinite else { return await work() }
        let isDecided = Locked(false)
        let deadline = Deadlines.shared.schedule(after: seconds) {
            guard Self.claim(isDecided) else { return }
            pending.goOn { await proceed(context, after: proxy.error(.timedOut, of: context.call)) }
        }
        let value = await work()
        Deadlines.shared.cancel(deadline)
        return Self.claim(isDecided) ? value : nil
    }

    private static func claim(_ isDecided: Locked<Bool>) -> Bool {
        isDecided.withLock { isDecided in
            defer { isDecided = true }
            return !isDecided
        }
    }
}
