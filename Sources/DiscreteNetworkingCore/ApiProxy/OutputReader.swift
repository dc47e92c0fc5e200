import Foundation

/// Decodes a payload to a manager's output.
struct OutputReader {
    let call: APICall
    let plan: CallPlan
    let content: ResponseContent

    /// Returns the output of a response; its payload is narrowed.
    func output(of response: APIResponse) throws(CallFailure) -> any Sendable {
        if response.payload.isEmpty, !response.body.isEmpty {
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
            return try decode(call.outputType, response)
        } catch {
            let json = otherDecoder() == nil ? plan.decoder(of: call) : nil
            let keys = SentKeys(
                json ?? .standard, json == nil ? Data() : (try? self.json(response)) ?? Data())
            let failure = APIError.DecodingFailure(error, at: content.path, keys: keys)
            throw CallFailure(
                kind: .decoding(
                    failure.adding(
                        undecodedType(of: response).map {
                            "The response is \($0), for which ServiceConfiguration.decoders has no decoder, so that it was read as JSON."
                        })))
        }
    }

    /// Returns the output for an empty body; `nil` if the type has none.
    static func empty<Output: Sendable>(_ type: Output.Type) -> (any Sendable)? {
        if let type = type as? any EmptyDecodable.Type { return (type.empty as! Output) as any Sendable }
        guard let type = type as? any EmptyOutput.Type else { return nil }
        // `emptyOutput` is `Self`, which is `Output`; `as?` would turn an optional's nil into a failure.
        return (type.emptyOutput as! Output) as any Sendable
    }

    private static func showsAnyPayload(_ type: any (Decodable & Sendable).Type) -> Bool {
        type == JSONValue.self || rawOutput(type) != nil
    }

    /// Compares types, which costs a fraction of a cast.
    private static func rawOutput(_ type: Any.Type) -> (any RawOutput.Type)? {
        type == Data.self ? Data.self : type == String.self ? String.self : nil
    }

    private func decode<Output: Decodable & Sendable>(
        _ type: Output.Type, _ response: APIResponse
    ) throws -> any Sendable {
        if let own = try decodeItself(type, response) { return own }
        // An optional of a type that decodes itself does so, too.
        if let type = type as? any OptionalOutput.Type {
            if Self.decodesItself(type.wrapped), isNull(response, for: type.wrapped) {
                return (type.emptyOutput as! Output) as any Sendable
            }
            if let own = try decodeItself(type.wrapped, response) {
                return (own as! Output) as any Sendable
            }
        }
        let output: any Sendable
        if let other = otherDecoder() {
            output = try decodePayload(type, of: response, by: other)
        } else {
            let (json, decoder) = (try json(response), plan.decoder(of: call))
            let fast = plan.fastDecoder(like: decoder)
            output =
                if let fast, let (document, value) = content.place {
                    try fast.decode(type, at: value, of: document, from: json)
                } else if let fast {
                    try fast.decode(type, from: json)
                } else {
                    try decoder.decode(type, fromUntrusted: json)
                }
        }
        // Only few responses have the header, and a cast takes longer than to look for it.
        guard let text = response.headers["Link"], var page = output as? any LinkedPage else {
            return output
        }
        page.link = PageLink(text, at: response.url)
        return page
    }

    private func decodePayload<Output: Decodable & Sendable>(
        _ type: Output.Type, of response: APIResponse, by decoder: any PayloadDecoder
    ) throws -> Output {
        if decoder is PropertyListDecoder { try PropertyListNesting.check(response.payload) }
        if decoder is JSONDecoder { try UnscannableNumbers.refuse(in: response.payload) }
        return try decoder.decode(type, from: response.payload)
    }

    private static func decodesItself(_ type: Any.Type) -> Bool {
        rawOutput(type) != nil || type is any PayloadDecodable.Type
    }

    /// - Returns: `nil` if the type is decoded by a decoder.
    private func decodeItself(_ type: Any.Type, _ response: APIResponse) throws -> (any Sendable)? {
        if type == JSONValue.self, let (document, value) = content.place { return document.parsed(value) }
        if let type = Self.rawOutput(type) {
            return try type.output(of: response, as: form, limit: limit)
        }
        if type == JSONValue.self { return try JSONValue(parsing: json(response)) }
        guard let type = type as? any PayloadDecodable.Type else { return nil }
        return try type.decode(response.payload, of: response)
    }

    private var form: PayloadForm {
        guard content.path.components.isEmpty else { return .partOfJSON }
        return content.mediaType?.isJSON == true
            ? .json(charset: content.mediaType?.charset) : .text(charset: content.mediaType?.charset)
    }

    private var limit: Int { plan.configuration.responseSizeLimit }

    /// Returns the payload as a JSON text in UTF-8.
    private func json(_ response: APIResponse) throws(CharsetError) -> Data {
        if let (document, _) = content.place {
            return content.path.components.isEmpty ? document.data : response.payload
        }
        return try Charset.json(response.payload, named: content.mediaType?.charset, limit: limit)
    }

    /// Whether the payload is the JSON text `null`.
    private func isNull(_ response: APIResponse, for type: Any.Type) -> Bool {
        if response.payload.count > 64 { return false }
        if type != JSONValue.self, case .text = form { return false }
        guard let text = try? json(response) else { return false }
        return (try? JSONValue(parsing: text)) == .null
    }

    /// Returns the media type of a response that was read as JSON only because no decoder is listed for its type.
    private func undecodedType(of response: APIResponse) -> String? {
        guard let type = content.mediaType, !type.isJSON, otherDecoder() == nil,
            !Self.decodesItself(call.outputType), (try? JSONValue(parsing: json(response))) == nil
        else { return nil }
        return type.name
    }

    /// Returns the decoder of a payload that is not JSON; `nil` for JSON.
    private func otherDecoder() -> (any PayloadDecoder)? {
        plan.payloadDecoder(of: content.mediaType, isEnveloped: content.place != nil)
    }
}
