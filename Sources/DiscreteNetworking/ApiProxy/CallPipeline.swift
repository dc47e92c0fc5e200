import Foundation

/// The part of a call that runs off the main actor: service, request, exchange, response, interception.
struct CallPipeline: Sendable {
    let pending: PendingCall

    private var proxy: ApiProxy { pending.proxy }

    func run() async {
        let call = pending.call
        guard let service = proxy.services.service(for: call.serviceIdentifier) else {
            await pending.report(proxy.error(.serviceNotRegistered, of: call))
            return
        }
        await proceed(call, service)
    }

    /// Attempts until the call is over, beginning with what to do about a failure where there is one.
    private func proceed(_ call: APICall, _ service: any Service, after failure: APIError? = nil) async {
        var call = call
        var failure = failure
        while true {
            if failure == nil { failure = await attempt(call, service) }
            guard let error = failure, !pending.hasEnded else { return }
            guard let delay = await delay(before: error, of: call, service) else { return }
            await Self.sleep(delay)
            call.attempt += 1
            failure = nil
        }
    }

    /// Asks the service about a failure, and ends the call unless it is to be repeated.
    /// - Returns: the seconds until then.
    private func delay(
        before error: APIError, of call: APICall, _ service: any Service
    ) async -> TimeInterval? {
        var disposition = FailureDisposition.report
        if error.kind != .cancelled {
            disposition = await service.intercept(APIFailure(call: call, error: error))
            pending.events.emit(.intercepted(error, disposition), of: call)
        }
        switch disposition {
        case .retry(let seconds) where call.attempt <= service.retryLimit:
            pending.events.emit(.repeated(after: seconds, error), of: call)
            return seconds
        case .report, .retry:
            await pending.report(error)
        case .swallow:
            await pending.report(proxy.error(.intercepted, of: call, underlying: error), isSwallowed: true)
        }
        return nil
    }

    /// One request and its response.
    /// - Returns: what went wrong; `nil` where the call is over.
    private func attempt(_ call: APICall, _ service: any Service) async -> APIError? {
        let request: APIRequest
        do {
            request = try await proxy.generator.request(for: call, service: service)
        } catch is CancellationError {
            return proxy.error(.cancelled, of: call)
        } catch {
            return proxy.error(.invalidRequest(reason: String(describing: error)), of: call)
        }
        guard !pending.hasEnded else { return nil }
        pending.events.emit(.requestBuilt(request), of: call)

        pending.events.emit(.sent(request), of: call)
        let answer: TransportResponse
        switch await exchange(request, call, service) {
        case nil: return nil
        case .failure(let error)?: return proxy.error(Self.kind(of: error), of: call)
        case .success(let success)?: answer = success
        }
        let received = APIResponse(requestID: call.requestID, response: answer)
        pending.events.emit(.received(received), of: call)

        let response: APIResponse
        do {
            response = try ResponseReader(call: call, service: service).read(received)
        } catch {
            return proxy.error(error.kind, of: call, response: received)
        }
        pending.accept(response) { reason in
            await proceed(
                call, service,
                after: proxy.error(.invalidResponse(reason: reason), of: call, response: response))
        }
        return nil
    }

    private typealias Outcome = Exchange.Outcome

    /// Sends a request and waits for its response, as long as the request's timeout says.
    /// - Returns: `nil` where the time was up and the call goes on without this task, which may be stuck in
    ///   a transport that does not heed its cancellation.
    private func exchange(_ request: APIRequest, _ call: APICall, _ service: any Service) async -> Outcome? {
        if call.overrides.sharesIdenticalRequests ?? service.sharesIdenticalRequests,
            let outcome = await proxy.exchanges.outcome(of: request, over: proxy.follower)
        {
            return outcome
        }
        guard request.timeout.isFinite else { return await proxy.follower.outcome(of: request) }
        let isDecided = Locked(false)
        let deadline = Deadlines.shared.schedule(after: request.timeout) {
            guard Self.claim(isDecided) else { return }
            pending.goOn { await proceed(call, service, after: proxy.error(.timedOut, of: call)) }
        }
        let outcome = await proxy.follower.outcome(of: request)
        Deadlines.shared.cancel(deadline)
        return Self.claim(isDecided) ? outcome : nil
    }

    private static func claim(_ isDecided: Locked<Bool>) -> Bool {
        isDecided.withLock { isDecided in
            defer { isDecided = true }
            return !isDecided
        }
    }

    private static func kind(of error: TransportError) -> APIError.Kind {
        switch error.kind {
        case .timedOut: .timedOut
        case .cancelled: .cancelled
        case .notConnectedToInternet: .notReachable
        default: .transport(error)
        }
    }

    private static func sleep(_ seconds: TimeInterval) async {
        guard seconds > 0 else { return }
        // Ends early only when the call is over.
        try? await Task.sleep(nanoseconds: UInt64(min(seconds, 10 * 365 * 86_400) * 1e9))
    }
}
