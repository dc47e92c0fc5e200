import Foundation

/// The part of a call that runs off the main actor: service, request, exchange, response, interception.
struct CallPipeline: Sendable {
    let pending: PendingCall

    private var proxy: ApiProxy { pending.proxy }

    func run() async {
        var call = pending.call
        guard let service = proxy.services.service(for: call.serviceIdentifier) else {
            await pending.report(proxy.error(.serviceNotRegistered, of: call))
            return
        }
        while let error = await attempt(call, service), !pending.hasEnded {
            let disposition: FailureDisposition =
                error.kind == .cancelled
                ? .report : await service.intercept(APIFailure(call: call, error: error))
            pending.events.emit(.intercepted(error, disposition), of: call)
            switch disposition {
            case .report:
                await pending.report(error)
                return
            case .swallow:
                let told = proxy.error(.intercepted, of: call, underlying: error)
                await pending.report(told, isSwallowed: true)
                return
            case .retry(let seconds):
                guard call.attempt <= service.retryLimit else {
                    await pending.report(error)
                    return
                }
                pending.events.emit(.repeated(after: seconds, error), of: call)
                await Self.sleep(seconds)
                call.attempt += 1
            }
        }
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
        var response: APIResponse
        switch await proxy.send(
            request, sharing: call.overrides.sharesIdenticalRequests ?? service.sharesIdenticalRequests)
        {
        case .failure(let error): return proxy.error(Self.kind(of: error), of: call)
        case .success(let answer): response = APIResponse(requestID: call.requestID, response: answer)
        }
        pending.events.emit(.received(response), of: call)

        do {
            try ResponseReader(call: call, service: service).read(&response)
        } catch {
            return proxy.error(error.kind, of: call, response: response)
        }
        guard let reason = await pending.accept(response) else { return nil }
        return proxy.error(.invalidResponse(reason: reason), of: call, response: response)
    }

    private static func kind(of error: TransportError) -> APIError.Kind {
        switch error.kind {
        case .timedOut: .timedOut
        case .cancelled: .cancelled
        default: .transport(error)
        }
    }

    private static func sleep(_ seconds: TimeInterval) async {
        guard seconds > 0 else { return }
        // Ends early only when the call is over.
        try? await Task.sleep(nanoseconds: UInt64(min(seconds, 10 * 365 * 86_400) * 1e9))
    }
}
