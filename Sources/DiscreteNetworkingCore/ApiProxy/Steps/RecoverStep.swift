import Foundation

/// Asks the plugins for an output in place of the error that ends a call. In the list only if there are plugins.
struct RecoverStep: CallStep {
    static let place = StepPlace.recovery
    let pending: PendingCall

    private var proxy: ApiProxy { pending.proxy }

    func run(_ attempt: inout Attempt, _ rest: CallSteps) async throws(Interruption) -> APIResponse {
        do throws(Interruption) {
            return try await rest(&attempt)
        } catch {
            // A swallowed failure is reported to nobody.
            guard let failure = error.error, failure.kind != .cancelled, failure.kind != .swallowed,
                !Task.isCancelled, let recovery = await recovery(from: failure, attempt)
            else { throw error }
            return try await response(recovery, failure, attempt)
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

    /// A plugin that takes too long leaves the failure as it is.
    private func recovery(from error: APIError, _ attempt: Attempt) async -> Recovery? {
        let failure = attempt.failure(error)
        let found = await EnvironmentScope.within(attempt.scope) {
            try? await proxy.within(attempt.plan.timeout) { [plugins = pending.plugins] () -> Recovery? in
                for plugin in plugins {
                    if let value = await plugin.recover(from: failure) { return Recovery(value, by: plugin) }
                }
                return nil
            }
        }
        return found ?? nil
    }

    private func response(
        _ recovery: Recovery, _ error: APIError, _ attempt: Attempt
    ) async throws(Interruption) -> APIResponse {
        let call = attempt.call
        guard let output = call.output(from: recovery.value) else {
            let reason =
                "\(recovery.plugin) recovered with a \(type(of: recovery.value)), but the output of \(call.managerType) is \(call.outputType); return that, or nil."
            throw .refused(
                proxy.error(
                    .decoding(.init(path: [], reason: reason)), of: call, response: error.response,
                    underlying: error))
        }
        pending.emit(.recovered(from: error), of: call)
        let none = TransportResponse(
            url: attempt.request?.value.url ?? attempt.plan.service.baseURL, status: 0)
        var response =
            error.response ?? APIResponse(requestID: call.requestID, params: call.params, response: none)
        response.output = output
        response.recovery = error
        guard let reason = await pending.rejectionReason(for: response) else { return response }
        throw .refused(
            proxy.error(.invalidResponse(reason: reason), of: call, response: response, underlying: error))
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
