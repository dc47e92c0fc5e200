import Foundation

/// What an envelope leaves of a response.
struct ResponseContent {
    /// The path of the payload.
    var path = JSONPath([])
    /// The body, which is indexed once, and the payload's place in it. `nil` before the first layer, and if the payload
    /// is missing.
    var place: (document: JSONDocument, value: JSONDocument.Value)?
    /// The media type of the response; `nil` if it has none.
    var mediaType: MediaType?
    /// The failure that the envelope reports beside a payload; `nil` if there is none.
    var failure: APIError.Kind?
    /// Whether the payload beside the failure is a success.
    var isDelivered = false
}

/// Opens the envelope of a response from the outermost layer inward: checks the codes, and narrows the payload.
struct EnvelopeReader {
    let call: APICall
    let plan: CallPlan
    private var content = ResponseContent()
    /// The message of an outer layer applies to inner layers that have none.
    private var message: String?

    init(_ call: APICall, _ plan: CallPlan) {
        self.call = call
        self.plan = plan
    }

    /// - Returns: The place of the payload in the body.
    /// - Throws: The failure that the envelope reports, unless there is a payload beside it.
    mutating func open(
        _ envelope: Envelope?, of response: inout APIResponse
    ) throws(CallFailure) -> ResponseContent {
        content.mediaType = response.headers.mediaType
        do throws(CallFailure) {
            for layer in envelope?.layers ?? [] { try open(layer, of: &response) }
            return content
        } catch {
            var failed = response
            failed.payload = failed.body
            throw CallFailure(kind: content.failure ?? error.kind, response: failed)
        }
    }

    private mutating func open(
        _ layer: Envelope.Layer, of response: inout APIResponse
    ) throws(CallFailure) {
        let place: (document: JSONDocument, value: JSONDocument.Value)
        let text: Data
        do throws(CharsetError) {
            let limit = plan.configuration.responseSizeLimit
            text =
                try content.place == nil
                ? Charset.json(response.payload, named: content.mediaType?.charset, limit: limit) : Data()
        } catch {
            throw CallFailure(decoding: "\(error)")
        }
        do {
            place = try content.place ?? document(text)
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
        let payload = layer.payload.flatMap { place.document.value(at: $0, in: place.value) }
        if let report = try report(of: layer, value) {
            response.reported = content.failure == nil ? report : response.reported
            if !report.isSuccess {
                let failure = APIError.Kind.business(code: report.code, message: message)
                guard report.isByMember, let payload, !place.document.parsed(payload).isNull else {
                    throw CallFailure(kind: failure)
                }
                if content.failure == nil { content.isDelivered = layer.deliversPartialPayload }
                content.failure = content.failure ?? failure
            }
        }
        content.place = place
        guard let path = layer.payload else { return }
        content.path.components += path.components
        content.place = payload.map { (place.document, $0) }
        // The ranges of a document are those of the data that it was made of.
        response.payload =
            content.place.map { place.document.data[$0.document.range(of: $0.value)] } ?? Data()
    }

    /// Returns what a layer reports; `nil` if nothing.
    private func report(
        of layer: Envelope.Layer, _ value: (JSONPath) -> JSONValue?
    ) throws(CallFailure) -> APIResponse.Report? {
        let isFailure = layer.failure.flatMap(value)?.isPresent ?? false
        var code = layer.code.flatMap(value)
        if layer.failure != nil || layer.absentCode != nil, code?.isNull == true { code = nil }
        // A file or stream without a code is not an envelope.
        if code == nil, !isFailure, !call.isTransfer { code = layer.absentCode }
        guard let written = code else {
            if isFailure {
                return APIResponse.Report(code: .null, message: message, isSuccess: false, isByMember: true)
            }
            guard let path = layer.code, layer.failure == nil else { return nil }
            throw CallFailure(
                decoding: "the business code is missing. \(withoutEnvelope)",
                at: content.path.components + path.components)
        }
        let compared = layer.codes.value(of: written)
        let isSuccess = !isFailure && layer.success.contains { layer.codes.value(of: $0) == compared }
        return APIResponse.Report(
            code: compared, message: message, isSuccess: isSuccess, isByMember: isFailure,
            successOfOtherType: isSuccess || isFailure
                ? nil : layer.success.first { $0.differsOnlyInType(from: compared) })
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

    /// Whether this is the description of a failure.
    fileprivate var isPresent: Bool {
        switch self {
        case .null, .bool(false), "", [], [:]: false
        default: true
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
    init(decoding reason: String, at path: [String] = []) {
        self.init(kind: .decoding(.init(path: path, reason: reason)))
    }
}
