import Foundation

/// Turns what came from the wire into a manager's output: status, envelope, decoding.
struct ResponseReader: Sendable {
    let call: APICall
    let service: any Service

    /// The response with its payload and output.
    /// - Throws: the kind of the failure.
    func read(_ received: APIResponse) throws(Failure) -> APIResponse {
        var response = received
        guard service.accepts(status: response.status, for: call) else {
            response.reported = report(in: response)
            throw Failure(kind: .http(status: response.status), response: response)
        }
        if response.body.isEmpty, let empty = Self.empty(call.outputType) {
            response.output = empty
            return response
        }
        let path = try open(&response)
        response.output = try decode(response, at: path)
        return response
    }

    typealias Failure = CallFailure

    // MARK: Envelope

    /// What the envelope says beside an error status; `nil` where it has no code, or one of success.
    private func report(in response: APIResponse) -> APIResponse.Report? {
        guard case .business(let code, let message)? = reportedFailure(in: response) else { return nil }
        return APIResponse.Report(code: code, message: message)
    }

    /// The failure that the service's envelope reports; `nil` where it reports none, or is not there.
    func reportedFailure(in response: APIResponse) -> APIError.Kind? {
        var response = response
        do throws(Failure) {
            _ = try open(&response)
            return nil
        } catch {
            if case .business = error.kind { return error.kind }
            return nil
        }
    }

    /// Checks the codes of the service's envelope from the outside in, narrows the payload, and answers
    /// where that is in the body.
    private func open(_ response: inout APIResponse) throws(Failure) -> JSONPath {
        var place = JSONPath([])
        guard let envelope = service.envelope(for: call) else { return place }
        for layer in envelope.layers {
            place.components += try open(layer, in: &response.payload, at: place).components
        }
        return place
    }

    private func open(
        _ layer: Envelope.Layer, in payload: inout Data, at place: JSONPath
    ) throws(Failure) -> JSONPath {
        let none = JSONPath([])
        let found: [Range<Int>?]
        do {
            found = try JSONLocator(payload).locate(all: [
                layer.code ?? none, layer.message ?? none, layer.payload ?? none,
            ])
        } catch {
            throw Failure(kind: .decoding(.init(error, in: place)))
        }
        if let code = layer.code {
            guard let range = found[0], let value = try? JSONValue(parsing: payload[range]) else {
                throw Failure(
                    kind: .decoding(
                        .init(
                            path: place.components + code.components, reason: "the business code is missing.")
                    ))
            }
            guard layer.success.contains(value) else {
                let message = layer.message.flatMap { _ in found[1] }.flatMap {
                    try? JSONValue(parsing: payload[$0])
                }
                throw Failure(kind: .business(code: value, message: message.flatMap(Self.text)))
            }
        }
        guard let path = layer.payload else { return none }
        guard let range = found[2] else {
            payload = Data()
            return path
        }
        payload = payload[range]
        return path
    }

    private static func text(_ value: JSONValue) -> String? {
        value.isNull ? nil : value.string ?? value.canonicalText
    }

    // MARK: Decoding

    private struct Missing: Error, CustomStringConvertible {
        let what: String
        var description: String { what }
    }

    private func decode(_ response: APIResponse, at place: JSONPath) throws(Failure) -> any Sendable {
        let payload = response.payload
        do {
            if payload.isEmpty, !response.body.isEmpty {
                if let empty = Self.empty(call.outputType) { return empty }
                throw Missing(what: "the payload is missing.")
            }
            if let type = call.outputType as? any PayloadDecodable.Type {
                return try type.decode(payload, of: response)
            }
            guard !payload.isEmpty else {
                throw Missing(
                    what: "the body is empty; make the output NoContent or optional where that is right.")
            }
            return try decodeJSON(call.outputType, from: payload)
        } catch {
            throw Failure(kind: .decoding(.init(error, in: place)))
        }
    }

    /// What stands for no body, where the output has such a value.
    private static func empty<Output: Sendable>(_ type: Output.Type) -> (any Sendable)? {
        guard let type = type as? any EmptyDecodable.Type else { return nil }
        // `empty` is a `Self`, and `Self` is `Output`; `as?` would take an Optional's nil for a failure.
        return (type.empty as! Output) as any Sendable
    }

    private func decodeJSON<Output: Decodable & Sendable>(_ type: Output.Type, from payload: Data) throws
        -> Output
    {
        try service.jsonDecoder.decode(type, from: payload)
    }
}
