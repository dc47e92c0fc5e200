import Foundation

/// What the app changes in the course of a call: the body transform and the plugins.
extension CallPipeline {
    /// Performs a request whose response is changed before it is read, all within the time limit of the attempt.
    @inline(never)
    func fetchChanged(_ request: Box<APIRequest>, _ context: CallContext) async -> Answer? {
        await within(request.value.timeout, context) { () -> Answer in
            let shared = await sharedOutcome(of: request, context)
            let outcome = if let shared { shared } else { await self.outcome(of: request, context) }
            switch outcome {
            case .failure(let failure): return .failure(failure)
            case .success(let answer):
                // What changes the response may make calls of the same service.
                releaseSlot(of: context)
                return await readChanged(answer, context)
            }
        }
    }

    private func readChanged(_ answer: Box<TransportResponse>, _ context: CallContext) async -> Answer {
        let call = context.call
        var response = APIResponse(requestID: call.requestID, params: call.params, response: answer)
        if call.overrides.hidesResponses { response.hidesBody = true }
        if let failure = await changed(&response, context) { return .failure(failure) }
        return read(response, context)
    }

    /// Changes a received response and reports it to the observers.
    /// - Returns: Why that failed.
    func changed(_ response: inout APIResponse, _ context: CallContext) async -> CallFailure? {
        if let failure = await decode(&response, context) {
            pending.events.emit(.received(response), of: context.call)
            return failure
        }
        pending.events.emit(.received(response), of: context.call)
        return await process(&response, context)
    }

    /// Changes a stored response within a time limit in seconds.
    /// - Returns: Why that failed.
    func change(
        _ response: inout APIResponse, _ context: CallContext, within seconds: TimeInterval
    ) async -> CallFailure? {
        do {
            response = try await proxy.within(seconds) { [response] in
                var response = response
                if let failure = await decode(&response, context) { throw failure }
                if let failure = await process(&response, context) { throw failure }
                return response
            }
            return nil
        } catch {
            return CallFailure(reading: error)
        }
    }

    private func decode(_ response: inout APIResponse, _ context: CallContext) async -> CallFailure? {
        guard let transform = context.bodyTransform, !response.body.isEmpty else { return nil }
        let failure = await change(&response, context, by: "the body transform \(type(of: transform))") {
            try await transform.decode(&$0, for: context.call)
        }
        guard let failure else { return nil }
        response.hidesBody = true
        return CallFailure(kind: failure.kind, response: response)
    }

    private func process(_ response: inout APIResponse, _ context: CallContext) async -> CallFailure? {
        for plugin in context.plugins {
            let failure = await change(&response, context, by: "the plugin \(type(of: plugin))") {
                try await plugin.process(&$0, for: context.call)
            }
            if let failure { return failure }
        }
        return nil
    }

    /// Leaves the response as it was if the change throws.
    private func change(
        _ response: inout APIResponse, _ context: CallContext, by name: String,
        _ make: (inout APIResponse) async throws -> Void
    ) async -> CallFailure? {
        var changed = response
        do {
            try await make(&changed)
            response = changed
            return nil
        } catch is CancellationError {
            return CallFailure(kind: .cancelled)
        } catch {
            guard context.rules.accepts(status: response.status) else {
                return CallFailure(kind: .http(status: response.status), response: response)
            }
            let reason = "\(name) threw an error: \(error)"
            return CallFailure(
                kind: .decoding(.init(path: [], reason: reason, mayQuote: true)), response: response)
        }
    }

    // MARK: Recovering

    /// Ends the call with a failure, unless a plugin recovers from it.
    func report(_ error: APIError, _ context: CallContext) async {
        guard !context.plugins.isEmpty, error.kind != .cancelled, !pending.hasEnded else {
            return await pending.report(error)
        }
        await recover(from: error, context)
    }

    @inline(never)
    private func recover(from error: APIError, _ context: CallContext) async {
        let call = context.call
        let failure = APIFailure(
            call: call, error: error, request: context.request?.value, session: context.session,
            ownSession: context.tokenSession)
        let limit = call.overrides.timeout ?? context.configuration.timeout
        // A plugin that takes too long leaves the failure as it is.
        let found = try? await proxy.within(limit) { [plugins = context.plugins] in
            for plugin in plugins {
                if let value = await plugin.recover(from: failure) { return Recovery(value, by: plugin) }
            }
            return nil
        }
        guard let recovery = found else { return await pending.report(error) }
        guard let output = call.output(from: recovery.value) else {
            let reason =
                "\(recovery.plugin) recovered with a \(type(of: recovery.value)), but the output of \(call.managerType) is \(call.outputType); return that, or nil."
            return await pending.report(
                proxy.error(
                    .decoding(.init(path: [], reason: reason)), of: call, response: error.response,
                    underlying: error))
        }
        pending.events.emit(.recovered(from: error), of: call)
        let none = TransportResponse(url: context.request?.value.url ?? context.service.baseURL, status: 0)
        var response =
            error.response ?? APIResponse(requestID: call.requestID, params: call.params, response: none)
        response.output = output
        response.recovery = error
        pending.accept(response) { [pending, proxy] response, reason in
            await pending.report(
                proxy.error(
                    .invalidResponse(reason: reason), of: call, response: response, underlying: error))
        }
    }
}

/// A value that a plugin has for a failure.
private struct Recovery: Sendable {
    let value: any Sendable
    let plugin: String

    init(_ value: any Sendable, by plugin: any APIPlugin) {
        self.value = value
        self.plugin = "the plugin \(type(of: plugin))"
    }
}

extension APICall {
    /// Returns a value as the manager's output; `nil` if it is of another type.
    fileprivate func output(from value: any Sendable) -> (any Sendable)? { Self.cast(value, to: outputType) }

    private static func cast<Output: Sendable>(_ value: any Sendable, to type: Output.Type) -> (any Sendable)?
    {
        guard let output = value as? Output else { return nil }
        return output
    }
}
