import Foundation

/// Converts a response to a manager's output: status, envelope, decoding.
struct ResponseReader: Sendable {
    let call: APICall
    let plan: CallPlan

    init(_ call: APICall, _ plan: CallPlan) {
        self.call = call
        self.plan = plan
    }

    /// Returns the response with its payload and output.
    /// - Throws: The kind of the failure.
    func read(_ received: APIResponse) throws(CallFailure) -> APIResponse {
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
        var reader = EnvelopeReader(call, plan)
        let content = try reader.open(envelope, of: &response)
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
    func reportedFailure(in response: APIResponse) -> CallFailure? {
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
