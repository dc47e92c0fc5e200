import Foundation

/// What the app changes in a response: the body transform, then the plugins.
struct ResponseChanges: Sendable {
    let pending: PendingCall
    let attempt: Attempt

    private var call: APICall { attempt.call }

    var isEmpty: Bool { !pending.changesResponses(of: attempt) }

    /// Changes a received response and reports it to the observers.
    /// - Returns: Why that failed.
    func changed(_ response: inout APIResponse) async -> CallFailure? {
        let failure = await decode(&response)
        pending.emit(.received(response), of: call)
        if let failure { return failure }
        return await process(&response)
    }

    /// Changes a stored response within a time limit in seconds.
    /// - Returns: Why that failed.
    func change(_ response: inout APIResponse, within seconds: TimeInterval) async -> CallFailure? {
        do {
            response = try await pending.proxy.within(seconds) { [response] in
                var response = response
                if let failure = await decode(&response) { throw failure }
                if let failure = await process(&response) { throw failure }
                return response
            }
            return nil
        } catch {
            return CallFailure(reading: error)
        }
    }

    private func decode(_ response: inout APIResponse) async -> CallFailure? {
        guard let transform = attempt.bodyTransform, !response.body.isEmpty else { return nil }
        let failure = await change(&response, by: "the body transform \(type(of: transform))") {
            try await transform.decode(&$0, for: call)
        }
        guard let failure else { return nil }
        response.hidesBody = true
        return CallFailure(kind: failure.kind, response: response)
    }

    private func process(_ response: inout APIResponse) async -> CallFailure? {
        for plugin in pending.plugins {
            let failure = await change(&response, by: "the plugin \(type(of: plugin))") {
                try await plugin.process(&$0, for: call)
            }
            if let failure { return failure }
        }
        return nil
    }

    /// Leaves the response as it was if the change throws.
    private func change(
        _ response: inout APIResponse, by name: String, _ make: (inout APIResponse) async throws -> Void
    ) async -> CallFailure? {
        var changed = response
        do {
            try await make(&changed)
            response = changed
            return nil
        } catch is CancellationError {
            return CallFailure(kind: .cancelled)
        } catch {
            guard attempt.plan.accepts(status: response.status, of: call) else {
                return CallFailure(kind: .http(status: response.status), response: response)
            }
            let reason = "\(name) threw an error: \(error)"
            return CallFailure(
                kind: .decoding(.init(path: [], reason: reason, mayQuote: true)), response: response)
        }
    }
}
