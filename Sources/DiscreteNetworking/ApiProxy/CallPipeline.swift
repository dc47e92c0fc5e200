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

    /// Over the transport of the service or the proxy, or the manager's sample in its place.
    func follower(_ context: CallContext) -> RedirectFollower {
        guard let sample = pending.call.overrides.sample else {
            return proxy.follower(for: context.configured)
        }
        let transport = SampleTransport(sample, params: pending.call.params, clock: proxy.clock)
        return RedirectFollower(transport: transport, redaction: proxy.redaction)
    }

    /// Runs the pipeline.
    /// - Parameter pause: The delay before the first attempt, in seconds.
    func run(after pause: TimeInterval) async {
        do throws(APIError) {
            let context = try proxy.context(of: pending.call)
            // Returns early only if the call has ended.
            if pause > 0 {
                pending.events.emit(.waiting(for: .delay(pause)), of: context.call)
                await wait(context) { try? await proxy.clock.sleep(for: pause) }
            }
            if !pending.hasEnded { await proceed(consume context) }
        } catch {
            await pending.report(error)
        }
    }

    /// Performs attempts until the call has ended.
    /// - Parameter failure: A failure to handle first.
    func proceed(_ context: consuming CallContext, after failure: consuming APIError? = nil) async {
        defer { context.pins?.end() }
        if failure != nil {
            context.resume()
        } else if context.call.mayBeAnsweredFromCache {
            context.begin(proxy.redaction)
            if await EnvironmentPins.within(context.pins, { await answerFromCache(&context) }) { return }
        }
        while true {
            if failure == nil {
                context.begin(proxy.redaction)
                switch await EnvironmentPins.within(context.pins, { await attempt(&context) }) {
                case .over: return
                case .again:
                    context.request = nil
                    continue
                case .failed(let error): failure = error
                }
            }
            guard let error = failure,
                await EnvironmentPins.within(context.pins, { await goesOn(after: error, &context) })
            else { return }
            failure = nil
        }
    }

    /// Handles a failure, and waits before the next attempt.
    ///
    /// Not inlined, so that the async frame of a call that succeeds does not reserve space for it.
    /// - Returns: whether there is a next attempt.
    @inline(never)
    private func goesOn(after error: APIError, _ context: inout CallContext) async -> Bool {
        if !pending.hasEnded, failsOver(after: error, &context) || repeatsForCSRF(after: error, &context) {
            pending.releaseSlot()
            context.advance()
            return true
        }
        record(failed: CircuitBreaker.isFailure(error.kind), of: &context)
        guard !pending.hasEnded, let delay = await delay(before: error, of: &context) else { return false }
        pending.releaseSlot()
        // Returns early only if the call has ended.
        if delay > 0 {
            await wait(context, after: error) { try? await proxy.clock.sleep(for: delay) }
        }
        guard !pending.hasEnded else { return false }
        context.advance()
        return true
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
        if let refusal = degradation(of: &context) { return .failed(refusal) }
        if let end = await prepare(&context) { return end }
        if context.isLimited, await waitsForSlot(&context) {
            record(failed: nil, of: &context)
            return pending.hasEnded ? .over : .again
        }
        switch departure(context) {
        case nil: return .over
        case .failure(let error): return .failed(error)
        case .success(let request):
            guard let answer = await response(to: request, context) else { return .over }
            return take(answer, &context)
        }
    }

    /// Returns the request to send, and announces it; `nil` if the call has ended.
    ///
    /// Not inlined, as other steps that do not wait, so that the async frame of an attempt stays small.
    @inline(never)
    private func departure(_ context: CallContext) -> Result<Box<APIRequest>, APIError>? {
        pending.latest = context.call
        guard let request = outgoing(context), !pending.hasEnded else { return nil }
        if hasLostUser(context) { return .failure(proxy.error(.loginRequired, of: context.call)) }
        pending.events.emit(.requestBuilt(request.value), of: context.call)
        return .success(request)
    }

    /// Performs an exchange.
    /// - Returns: `nil` if the call continues without this task.
    private func response(to request: Box<APIRequest>, _ context: CallContext) async -> Answer? {
        if case .memory = request.value.destination { return await fetch(request, context) }
        return await transfer(request, context)
    }

    /// Performs an exchange whose body goes to a file or a stream.
    /// - Returns: `nil` if the call continues without this task.
    @inline(never)
    private func transfer(_ request: Box<APIRequest>, _ context: CallContext) async -> Answer? {
        switch request.value.destination {
        case .memory: await fetch(request, context)
        case .stream: await stream(request.value, context)
        case .file(let url): await download(request.value, to: url, context)
        }
    }

    /// Performs step 12: validates a response, and ends the call if it is valid.
    @inline(never)
    private func take(_ answer: Answer, _ context: inout CallContext) -> Attempt {
        recordHost(of: answer, context)
        switch answer {
        case .failure(let failure):
            return .failed(proxy.error(failure.kind, of: context.call, response: failure.response))
        case .success(let response):
            pending.events.emit(.decoded(response), of: context.call)
            record(failed: false, of: &context)
            if context.isLimited { pending.releaseSlot() }
            context.session?.accept()
            pending.accept(response, store: storage(of: response, context)) { [context] response, reason in
                await proceed(
                    context,
                    after: proxy.error(.invalidResponse(reason: reason), of: context.call, response: response)
                )
            }
            return .over
        }
    }

    /// Performs steps 8 and 9 up to sending: admits the call, builds its request and checks reachability.
    /// - Returns: the result of the attempt if nothing is sent.
    @inline(never)
    private func prepare(_ context: inout CallContext) async -> Attempt? {
        let draft = context.request.map { (request: $0, tokens: context.tokens) }
        context.request = nil
        context.session = nil
        context.membership = nil
        context.csrf = nil
        var waited = false
        if context.mayHaveToWait, let refusal = await admit(&context, waited: &waited) {
            record(failed: nil, of: &context)
            await report(refusal, context)
            return .over
        }
        if let failure = await takeCSRFToken(&context, waited: &waited) { return .failed(failure) }
        if waited, context.hasLeftEnvironment {
            record(failed: nil, of: &context)
            return .again
        }
        chooseHost(&context)
        // A draft is made for the first host.
        if let draft, draft.tokens == context.tokens, context.route?.isAtFirst ?? true {
            context.request = draft.request
        } else {
            context.cachePlace = nil
            do throws(APIError) {
                context.request = try await proxy.request(for: &context)
            } catch {
                return .failed(error)
            }
            if context.call.isCacheable { await prepareCache(&context) }
        }
        guard let request = context.request, !isReachable(request.value, context) else { return nil }
        guard await waitUntilReachable(request.value, &context) else {
            return .failed(notReachable(request.value, context.call))
        }
        record(failed: nil, of: &context)
        return pending.hasEnded ? .over : .again
    }

    /// The request as it is sent; `nil` before it is built.
    func outgoing(_ context: CallContext) -> Box<APIRequest>? {
        guard let request = context.request, context.toRevalidate != nil || pending.progress != nil else {
            return context.request
        }
        var changed = request.value
        makeConditional(&changed, of: context)
        listen(to: &changed)
        return Box(changed)
    }

    /// Handles a failure as the service decides, and ends the call unless it is to be repeated.
    /// - Returns: The delay before the call is repeated, in seconds; `nil` if it ended.
    private func delay(
        before error: APIError, of context: inout CallContext
    ) async -> TimeInterval? {
        // Repeats by the retry policy, the session, a CSRF token and fail-over are not counted.
        let call = context.call
        let repeats =
            call.attempt - context.retries - context.failovers - context.sessionWaits - context.csrfRepeats
        let mayRepeat = repeats <= context.configuration.interceptedRetryLimit
        var disposition = FailureDisposition.report
        if error.kind != .cancelled {
            disposition = await self.disposition(of: error, context)
            pending.events.emit(.intercepted(error, disposition), of: call)
        }
        switch disposition {
        case .swallow:
            await pending.report(proxy.error(.intercepted, of: call, underlying: error), isSwallowed: true)
        case .retry(let seconds) where mayRepeat:
            pending.forgetTurn()
            pending.events.emit(.repeated(after: seconds, error), of: call)
            return seconds
        case .holdUntilRefreshed(let session):
            return await hold(&context, for: .refresh, of: session.here, after: error)
        case .holdUntilLoggedIn(let session):
            return await hold(&context, for: .login, of: session.here, after: error)
        case .degrade(let date):
            proxy.degrade(context.endpoint, until: date)
            let degraded = proxy.error(.degraded(until: date), of: call, underlying: error)
            if !(await answerFromCache(context, after: degraded)) { await report(degraded, context) }
        case .report, .retry:
            if let seconds = retryDelay(after: error, of: &context) { return seconds }
            if !(await answerFromCache(context, after: error)) { await report(error, context) }
        }
        return nil
    }

    // MARK: Exchange

    /// Performs a request whose response body is held in memory.
    /// - Returns: `nil` if the call continues without this task.
    @inline(never)
    private func fetch(_ request: Box<APIRequest>, _ context: CallContext) async -> Answer? {
        pending.events.emit(.sent(request.value), of: context.call)
        guard !context.changesResponses else { return await fetchChanged(request, context) }
        return await exchange(request, context)?.flatMap { answer in
            read(received(answer, of: context.call), context)
        }
    }

    /// Performs steps 10 and 11: reads and decodes a response.
    @inline(never)
    func read(_ received: APIResponse, _ context: CallContext) -> Answer {
        if let stored = revalidated(received, context) { return .success(stored) }
        do {
            return .success(try ResponseReader(context).read(received))
        } catch {
            return .failure(CallFailure(kind: error.kind, response: error.response ?? received))
        }
    }

    private func exchange(
        _ request: Box<APIRequest>, _ context: CallContext
    ) async -> Result<Box<TransportResponse>, CallFailure>? {
        if let outcome = await sharedOutcome(of: request, context) { return outcome }
        return await within(request.value.timeout, context) { await outcome(of: request, context) }
    }

    @inline(never)
    func outcome(
        of request: Box<APIRequest>, _ context: CallContext
    ) async -> Result<Box<TransportResponse>, CallFailure> {
        guard !request.value.body.isTransfer else { return await send(request.value, context).map(Box.init) }
        return await follower(context).outcome(of: request.value).map(Box.init).mapError(CallFailure.init)
    }
}
