package import Foundation

/// Reads a response: what the app changes in it, its status, its envelope, its output.
struct ReadStep: CallStep {
    static let place = StepPlace.reading
    static var uses: [any AttemptState.Type] { [SentSlot.self] }
    let pending: PendingCall

    func run(_ attempt: inout Attempt, _ rest: CallSteps) async throws(Interruption) -> APIResponse {
        let isChanged = pending.changesResponses(of: attempt)
        let received = isChanged ? try await changedResponse(attempt, rest) : try await rest(&attempt)
        return try read(received, attempt, isChanged: isChanged)
    }

    private func read(
        _ received: APIResponse, _ attempt: Attempt, isChanged: Bool
    ) throws(Interruption) -> APIResponse {
        if !isChanged { pending.emit(.received(received), of: attempt.call) }
        if attempt.isConditional, received.status == 304 { return received }
        do {
            return try ResponseReader(attempt.call, attempt.plan).read(received)
        } catch {
            throw pending.interruption(
                CallFailure(kind: error.kind, response: error.response ?? received), attempt)
        }
    }

    /// The exchange and the changes have one timeout.
    private func changedResponse(
        _ attempt: Attempt, _ rest: CallSteps
    ) async throws(Interruption) -> APIResponse {
        // The system decides how long a carried exchange takes.
        let limit = attempt.plan.isCarried ? nil : attempt.request?.value.timeout
        return try await pending.within(limit ?? .infinity, attempt) {
            () async throws(Interruption) in
            var own = attempt
            var received = try await rest(&own)
            pending.releaseSlot(of: attempt, changing: received)
            let changes = ResponseChanges(pending: pending, attempt: attempt)
            if let failure = await changes.changed(&received) { throw pending.interruption(failure, attempt) }
            return received
        }
    }
}

/// Converts a response to a manager's output: status, envelope, decoding.
package struct ResponseReader: Sendable {
    let call: APICall
    let plan: CallPlan

    package init(_ call: APICall, _ plan: CallPlan) {
        self.call = call
        self.plan = plan
    }

    /// Returns the response with its payload and output.
    /// - Throws: The kind of the failure.
    package func read(_ received: APIResponse) throws(CallFailure) -> APIResponse {
        var response = received
        guard plan.accepts(status: response.status, of: call) else {
            response.reported = report(in: response)
            throw CallFailure(kind: .http(status: response.status), response: response)
        }
        let envelope = plan.envelope(of: call)
        if response.body.isEmpty {
            if let empty = OutputReader.empty(call.outputType) {
                response.output = empty
                return response
            }
            // A custom format may be empty; an envelope may not.
            guard envelope == nil, call.outputType is any PayloadDecodable.Type else {
                throw CallFailure(decoding: emptyBody(of: response))
            }
        }
        var content = ResponseContent(mediaType: response.headers.mediaType)
        if let envelope {
            var reader = EnvelopeReader(call, plan)
            content = try reader.open(envelope, of: &response)
        }
        let output = OutputReader(call: call, plan: plan, content: content)
        guard let failure = content.failure else {
            response.output = try output.output(of: response)
            return response
        }
        response.output = try? output.output(of: response)
        if content.isDelivered, response.output != nil { return response }
        response.payload = response.body
        throw CallFailure(kind: failure, response: response)
    }

    /// Returns the envelope's failure in a response with an error status; `nil` if there is none.
    private func report(in response: APIResponse) -> APIResponse.Report? {
        reportedFailure(in: response)?.response?.reported
    }

    /// Returns the failure that the service's envelope reports; `nil` if there is none.
    package func reportedFailure(in response: APIResponse) -> CallFailure? {
        var response = response
        do throws(CallFailure) {
            var reader = EnvelopeReader(call, plan)
            let failure = try reader.open(plan.envelope(of: call), of: &response).failure
            return failure.map { CallFailure(kind: $0, response: response) }
        } catch {
            if case .business = error.kind { return error }
            return nil
        }
    }

    private func emptyBody(of response: APIResponse) -> String {
        let type = call.outputType
        return
            "the body is empty (status \(response.status)), but \(type) needs one; if the body is optional, make the output NoContent or optional: \(type)?."
    }
}

extension PendingCall {
    /// Whether a response is changed before it is read.
    package func changesResponses(of attempt: Attempt) -> Bool {
        !plugins.isEmpty || attempt.bodyTransform != nil
    }
}

/// What the app changes in a response: the body transform, then the plugins.
package struct ResponseChanges: Sendable {
    let pending: PendingCall
    let attempt: Attempt

    package init(pending: PendingCall, attempt: Attempt) {
        self.pending = pending
        self.attempt = attempt
    }

    private var call: APICall { attempt.call }

    /// Changes a received response and reports it to the observers.
    /// - Returns: Why that failed.
    func changed(_ response: inout APIResponse) async -> CallFailure? {
        let failure = await decode(&response)
        // Not of an attempt that was given up.
        if !Task.isCancelled { pending.emit(.received(response), of: call) }
        if let failure { return failure }
        return await process(&response)
    }

    /// Changes a cached response within a timeout in seconds.
    /// - Returns: Why that failed; `nil` if it did not.
    package func change(_ response: inout APIResponse, within seconds: TimeInterval) async -> CallFailure? {
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
