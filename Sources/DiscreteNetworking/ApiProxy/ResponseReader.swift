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
            if let empty = Self.empty(call.outputType) {
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
        guard let failure = content.failure else {
            response.output = try decode(response, content)
            return response
        }
        response.output = try? decode(response, content)
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

    // MARK: Decoding

    private func decode(_ response: APIResponse, _ content: ResponseContent) throws(CallFailure)
        -> any Sendable
    {
        let payload = response.payload
        if payload.isEmpty, !response.body.isEmpty {
            // Of an output that shows any payload, a missing one would be a success that says nothing.
            if !Self.showsAnyPayload(call.outputType), let empty = Self.empty(call.outputType) {
                return empty
            }
            throw CallFailure(
                decoding:
                    "the payload is missing; if it is optional, make the output optional: \(call.outputType)?.",
                at: content.path.components)
        }
        do {
            if call.outputType == JSONValue.self, let (document, value) = content.place {
                return document.parsed(value)
            }
            if let type = Self.rawOutput(call.outputType) {
                return try type.output(of: payload, in: response)
            }
            if let type = call.outputType as? any PayloadDecodable.Type {
                return try type.decode(payload, of: response)
            }
            let output = try decodeJSON(call.outputType, from: payload, content)
            // Only few responses have the header, and a cast takes longer than to look for it.
            guard let text = response.headers["Link"], var page = output as? any LinkedPage else {
                return output
            }
            page.link = PageLink(text, at: response.url)
            return page
        } catch {
            let keys = SentKeys(plan.decoder(of: call), payload)
            throw CallFailure(kind: .decoding(.init(error, at: content.path, keys: keys)))
        }
    }

    private func emptyBody(of response: APIResponse) -> String {
        let type = call.outputType
        return
            "the body is empty (status \(response.status)), but \(type) needs one; if the body is optional, make the output NoContent or optional: \(type)?."
    }

    /// Returns the output for an empty body; `nil` if the type has none.
    private static func empty<Output: Sendable>(_ type: Output.Type) -> (any Sendable)? {
        if let type = type as? any EmptyDecodable.Type { return (type.empty as! Output) as any Sendable }
        guard let type = type as? any EmptyOutput.Type else { return nil }
        // `emptyOutput` is `Self`, which is `Output`; `as?` would turn an optional's nil into a failure.
        return (type.emptyOutput as! Output) as any Sendable
    }

    private static func showsAnyPayload(_ type: any (Decodable & Sendable).Type) -> Bool {
        type == JSONValue.self || rawOutput(type) != nil
    }

    /// Compares types, which costs a fraction of a cast.
    private static func rawOutput(_ type: any (Decodable & Sendable).Type) -> (any RawOutput.Type)? {
        type == Data.self ? Data.self : type == String.self ? String.self : nil
    }

    private func decodeJSON<Output: Decodable & Sendable>(
        _ type: Output.Type, from payload: Data, _ content: ResponseContent
    ) throws -> any Sendable {
        let decoder = plan.decoder(of: call)
        guard plan.configuration.usesFastJSONDecoder else { return try decoder.decode(type, from: payload) }
        guard let (document, value) = content.place else {
            return try FastJSONDecoder(decoder).decode(type, from: payload)
        }
        return try document.decode(type, at: value, like: decoder) ?? decoder.decode(type, from: payload)
    }
}
