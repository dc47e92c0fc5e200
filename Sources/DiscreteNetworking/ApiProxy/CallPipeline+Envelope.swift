import Foundation

/// An envelope that reports a failure in place of a file or a stream.
extension CallPipeline {
    /// How many bytes an answer may have that is taken for an envelope.
    fileprivate static let envelopeLimit = 64 * 1024

    /// The response, where its body is not an envelope that reports a failure.
    ///
    /// Backends with an envelope answer 200 where they have no file to give, often with the type of the file. Such
    /// an answer is one small JSON object: what begins otherwise, is longer, or has no code is passed on as it is.
    /// - Throws: ``CallFailure`` with ``APIError/Kind/business(code:message:)``.
    func passingEnvelope(
        of response: TransportResponse, _ context: CallContext
    ) async throws -> TransportResponse {
        guard context.rules.envelope?.layers.contains(where: { $0.code != nil }) == true
        else {
            return response
        }
        let pieces = response.body.pieces
        var response = response
        var beginning = Data()
        do {
            while beginning.mayBeObject, beginning.count <= Self.envelopeLimit {
                try await pending.gate.pass()
                guard let piece = try await pieces.next() else {
                    response.body = .data(beginning)
                    let received = APIResponse(
                        requestID: context.call.requestID, params: context.call.params, response: response)
                    guard
                        let kind = ResponseReader(context).reportedFailure(in: received)
                    else { return response }
                    throw CallFailure(kind: kind, response: received)
                }
                beginning += piece
            }
            response.body = .stream(beginning, then: pieces)
        } catch let error as TransportError {
            // What came before the connection was lost is not lost with it.
            response.body = .stream(beginning, then: AsyncThrowingStream { throw error })
        }
        return response
    }
}

extension TransportResponse {
    /// Whether the body is to be read before its stream is handed out: it is JSON, and as short as an envelope.
    var mayBeEnvelope: Bool {
        let type = headers["Content-Type"]?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
            .lowercased()
        guard let type, type == "application/json" || type.hasSuffix("+json"), let contentLength else {
            return false
        }
        return contentLength <= CallPipeline.envelopeLimit
    }
}

extension Data {
    /// Whether a JSON object may begin here.
    fileprivate var mayBeObject: Bool {
        let first = first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return first == nil || first == UInt8(ascii: "{")
    }
}

extension ResponseBody {
    /// What was read already, and then the rest.
    fileprivate static func stream(
        _ beginning: Data, then rest: AsyncThrowingStream<Data, any Error>
    ) -> ResponseBody {
        let beginning = Locked<Data?>(beginning)
        return .stream(
            AsyncThrowingStream {
                let first = beginning.withLock { beginning in
                    defer { beginning = nil }
                    return beginning
                }
                if let first, !first.isEmpty { return first }
                return try await rest.next()
            })
    }
}
