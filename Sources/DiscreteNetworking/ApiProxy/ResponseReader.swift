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
        let content = try open(envelope, of: &response)
        response.output = try decode(response, content)
        return response
    }

    // MARK: Envelope

    /// Returns the envelope's failure in a response with an error status; `nil` if there is none.
    private func report(in response: APIResponse) -> APIResponse.Report? {
        reportedFailure(in: response)?.response?.reported
    }

    /// Returns the failure that the service's envelope reports; `nil` if there is none.
    func reportedFailure(in response: APIResponse) -> CallFailure? {
        var response = response
        do throws(CallFailure) {
            _ = try open(plan.envelope(of: call), of: &response)
            return nil
        } catch {
            if case .business = error.kind { return error }
            return nil
        }
    }

    /// The payload of the layers that are open.
    private struct Content {
        var path = JSONPath([])
        /// The body, which is indexed once, and the payload's place in it. `nil` before the first layer, and if the payload
        /// is missing.
        var place: (document: JSONDocument, value: JSONDocument.Value)?
    }

    /// Checks the codes of the envelope from the outermost layer inward, and narrows the payload.
    /// - Returns: The place of the payload in the body.
    private func open(_ envelope: Envelope?, of response: inout APIResponse) throws(CallFailure) -> Content {
        var content = Content()
        // That of an outer layer stands for the inner ones that have none.
        var message: String?
        do throws(CallFailure) {
            for layer in envelope?.layers ?? [] { try open(layer, of: &response, &content, &message) }
            return content
        } catch {
            var failed = response
            failed.payload = failed.body
            throw CallFailure(kind: error.kind, response: failed)
        }
    }

    private func open(
        _ layer: Envelope.Layer, of response: inout APIResponse, _ content: inout Content,
        _ message: inout String?
    ) throws(CallFailure) {
        let place: (document: JSONDocument, value: JSONDocument.Value)
        do {
            place = try content.place ?? document(response.payload)
        } catch {
            let type = response.headers["Content-Type"].map { " (\($0))" } ?? ""
            throw CallFailure(
                decoding: "the body is not JSON\(type), as the envelope requires: \(error) \(withoutEnvelope)"
            )
        }
        func value(_ path: JSONPath) -> JSONValue? {
            place.document.value(at: path, in: place.value).map(place.document.parsed)
        }
        if let text = layer.message.flatMap(value) { message = Self.text(text) ?? message }
        if let code = layer.code {
            guard let written = value(code) else {
                throw CallFailure(
                    decoding: "the business code is missing. \(withoutEnvelope)",
                    at: content.path.components + code.components)
            }
            let code = layer.codes.value(of: written)
            let isSuccess = layer.success.contains { layer.codes.value(of: $0) == code }
            response.reported = APIResponse.Report(
                code: code, message: message, isSuccess: isSuccess,
                successOfOtherType: isSuccess
                    ? nil : layer.success.first { $0.differsOnlyInType(from: code) })
            guard isSuccess else { throw CallFailure(kind: .business(code: code, message: message)) }
        }
        content.place = place
        guard let path = layer.payload else { return }
        content.path.components += path.components
        content.place = place.document.value(at: path, in: place.value).map { (place.document, $0) }
        // The ranges of a document are those of the data that it was made of.
        response.payload =
            content.place.map { place.document.data[$0.document.range(of: $0.value)] } ?? Data()
    }

    private func document(_ data: Data) throws(JSONError) -> (JSONDocument, JSONDocument.Value) {
        let document = try JSONDocument(data)
        return (document, document.top)
    }

    /// Advice for an endpoint without an envelope.
    private var withoutEnvelope: String {
        "If this endpoint has no envelope, return nil from \(type(of: plan.service)).envelope(for:) when call.managerType is \(call.managerType).self."
    }

    private static func text(_ value: JSONValue) -> String? {
        value.isNull ? nil : value.string ?? value.canonicalText
    }

    // MARK: Decoding

    private func decode(_ response: APIResponse, _ content: Content) throws(CallFailure) -> any Sendable {
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
        _ type: Output.Type, from payload: Data, _ content: Content
    ) throws -> any Sendable {
        let decoder = plan.decoder(of: call)
        guard plan.configuration.usesFastJSONDecoder else { return try decoder.decode(type, from: payload) }
        guard let (document, value) = content.place else {
            return try FastJSONDecoder(decoder).decode(type, from: payload)
        }
        return try document.decode(type, at: value, like: decoder) ?? decoder.decode(type, from: payload)
    }
}

extension JSONValue {
    /// Whether one is a number and the other the string with the same digits.
    fileprivate func differsOnlyInType(from other: JSONValue) -> Bool {
        switch (self, other) {
        case (.number(let number), .string(let text)), (.string(let text), .number(let number)):
            JSONValue.number(number).canonicalText == text
        default: false
        }
    }
}

extension Envelope.Codes {
    /// What a code counts as.
    fileprivate func value(of code: JSONValue) -> JSONValue {
        guard self == .integers, let text = code.string, let integer = Int64(text) else { return code }
        return .number(JSONNumber(integer))
    }
}

extension CallFailure {
    /// Creates a decoding failure.
    fileprivate init(decoding reason: String, at path: [String] = []) {
        self.init(kind: .decoding(.init(path: path, reason: reason)))
    }
}
