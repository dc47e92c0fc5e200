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

    /// - Parameter pause: seconds to wait before.
    func run(after pause: TimeInterval) async {
        let call = pending.call
        do throws(APIError) {
            let service = try proxy.service(of: call)
            // Ends early only when the call is over.
            if pause > 0 { await wait(call, service) { try? await proxy.clock.sleep(for: pause) } }
            if !pending.hasEnded { await proceed(call, service) }
        } catch {
            await pending.report(error)
        }
    }

    /// Attempts until the call is over, beginning with what to do about a failure where there is one.
    func proceed(_ call: APICall, _ service: any Service, after failure: APIError? = nil) async {
        var call = call
        var failure = failure
        if failure == nil, await answerFromCache(&call, service) { return }
        while true {
            if failure == nil {
                switch await attempt(&call, service) {
                case .over: return
                case .again:
                    call.request = nil
                    continue
                case .failed(let error): failure = error
                }
            }
            guard let error = failure else { return }
            record(failed: CircuitBreaker.isFailure(error.kind), of: &call)
            guard !pending.hasEnded, let delay = await delay(before: error, of: &call, service) else {
                return
            }
            // Ends early only when the call is over.
            if delay > 0 {
                await wait(call, service, after: error) { try? await proxy.clock.sleep(for: delay) }
            }
            guard !pending.hasEnded else { return }
            call.attempt += 1
            call.request = nil
            failure = nil
        }
    }

    /// What comes of one attempt.
    private enum Attempt {
        /// The call is over, or goes on without this task.
        case over
        /// Nothing was sent; it is time for the next one.
        case again
        case failed(APIError)
    }

    /// Steps 7 to 12.
    private func attempt(_ call: inout APICall, _ service: any Service) async -> Attempt {
        pending.latest = call
        if let refusal = degradation(of: &call, service) { return .failed(refusal) }
        let draft = call.request.map { (request: $0, generation: call.pass?.generation) }
        if let refusal = await admit(&call, service) {
            record(failed: nil, of: &call)
            await pending.report(refusal)
            return .over
        }
        let made: Result<APIRequest, APIError>
        if let draft, draft.generation == call.pass?.generation {
            made = .success(draft.request)
        } else {
            call.cachePlace = nil
            made = await request(for: call, service)
            if case .success(let request) = made { await prepareCache(for: request, of: &call, service) }
        }
        switch made {
        case .failure(let error): return .failed(error)
        case .success(let request):
            switch await network(for: request, of: call, service) {
            case .isThere: break
            case .isNotThere: return .failed(proxy.error(.notReachable, of: call))
            case .wasWaitedFor:
                record(failed: nil, of: &call)
                return pending.hasEnded ? .over : .again
            }
            call.request = request
            pending.latest = call
            return await attempt(request, &call, service).map(Attempt.failed) ?? .over
        }
    }

    /// Asks the service about a failure, and ends the call unless it is to be repeated.
    /// - Returns: the seconds until then.
    private func delay(
        before error: APIError, of call: inout APICall, _ service: any Service
    ) async -> TimeInterval? {
        // What the retry policy and the session repeated does not count.
        let mayRepeat = call.attempt - call.retries - call.waitedFor.count <= service.retryLimit
        var disposition = FailureDisposition.report
        if error.kind != .cancelled {
            disposition = await self.disposition(of: APIFailure(call: call, error: error), service)
            pending.events.emit(.intercepted(error, disposition), of: call)
        }
        switch disposition {
        case .swallow:
            await pending.report(proxy.error(.intercepted, of: call, underlying: error), isSwallowed: true)
        case .retry(let seconds) where mayRepeat:
            pending.events.emit(.repeated(after: seconds, error), of: call)
            return seconds
        case .holdUntilRefreshed(let session):
            return await hold(&call, for: .refresh, of: session, after: error)
        case .holdUntilLoggedIn(let session):
            return await hold(&call, for: .login, of: session, after: error)
        case .degrade(let date):
            proxy.degrade(call.serviceIdentifier, methodName: call.methodName, until: date)
            let degraded = proxy.error(.degraded(until: date), of: call, underlying: error)
            if !(await answerFromCache(call, service, after: degraded)) { await pending.report(degraded) }
        case .report, .retry:
            if let seconds = retryDelay(after: error, of: &call, service) { return seconds }
            if !(await answerFromCache(call, service, after: error)) { await pending.report(error) }
        }
        return nil
    }

    func request(for call: APICall, _ service: any Service) async -> Result<APIRequest, APIError> {
        do {
            return .success(try await proxy.generator.request(for: call, service: service))
        } catch is CancellationError {
            return .failure(proxy.error(.cancelled, of: call))
        } catch {
            return .failure(proxy.error(.invalidRequest(reason: String(describing: error)), of: call))
        }
    }

    /// One request and its response.
    /// - Returns: what went wrong; `nil` where the call is over.
    private func attempt(
        _ request: APIRequest, _ call: inout APICall, _ service: any Service
    ) async -> APIError? {
        var request = request
        makeConditional(&request, of: call)
        guard !pending.hasEnded else { return nil }
        if hasLostUser(call) { return proxy.error(.loginRequired, of: call) }
        pending.events.emit(.requestBuilt(request), of: call)
        listen(to: &request)

        let answer: Answer?
        switch request.destination {
        case .memory: answer = await fetch(request, call, service)
        case .stream: answer = await stream(request, call, service)
        case .file(let url): answer = await download(request, to: url, call, service)
        }
        let response: APIResponse
        switch answer {
        case nil: return nil
        case .failure(let failure)?:
            return proxy.error(failure.kind, of: call, response: failure.response)
        case .success(let success)?: response = success
        }
        record(failed: false, of: &call)
        call.pass?.accept()
        pending.accept(response, keep: keeping(response, call)) { [call] reason in
            await proceed(
                call, service,
                after: proxy.error(.invalidResponse(reason: reason), of: call, response: response))
        }
        return nil
    }

    // MARK: The exchange

    /// A response whose body goes into memory.
    /// - Returns: `nil` where the call goes on without this task.
    private func fetch(_ request: APIRequest, _ call: APICall, _ service: any Service) async -> Answer? {
        pending.events.emit(.sent(request), of: call)
        let answer: TransportResponse
        switch await exchange(request, call, service) {
        case nil: return nil
        case .failure(let failure)?: return .failure(failure)
        case .success(let success)?: answer = success
        }
        let received = APIResponse(requestID: call.requestID, response: answer)
        pending.events.emit(.received(received), of: call)
        if let kept = revalidated(received, call) { return .success(kept) }
        do {
            return .success(try ResponseReader(call: call, service: service).read(received))
        } catch {
            return .failure(CallFailure(kind: error.kind, response: error.response ?? received))
        }
    }

    private func exchange(
        _ request: APIRequest, _ call: APICall, _ service: any Service
    ) async -> Result<TransportResponse, CallFailure>? {
        if call.overrides.sharesIdenticalRequests ?? service.sharesIdenticalRequests,
            let outcome = await proxy.exchanges.outcome(of: request, over: proxy.follower)
        {
            return outcome.mapError(CallFailure.init)
        }
        return await within(request.timeout, call, service) { await send(request) }
    }

    /// Does something for so many seconds and no longer.
    /// - Returns: `nil` where the time was up and the call goes on without this task, which may be stuck in
    ///   a transport that does not heed its cancellation.
    func within<Value: Sendable>(
        _ seconds: TimeInterval, _ call: APICall, _ service: any Service, _ work: () async -> Value
    ) async -> Value? {
        guard seconds.isFinite else { return await work() }
        let isDecided = Locked(false)
        let deadline = Deadlines.shared.schedule(after: seconds) {
            guard Self.claim(isDecided) else { return }
            pending.goOn { await proceed(call, service, after: proxy.error(.timedOut, of: call)) }
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
