import DiscreteNetworkingCore
import Foundation

/// Detection of an envelope that reports a failure in place of a file or stream.
extension Transfer {
    /// The maximum size of such an envelope, in bytes.
    fileprivate static let envelopeLimit = 64 * 1024

    /// Returns the response unless its body is an envelope that reports a failure.
    ///
    /// Backends with an envelope respond with 200 even if there is no file, often with the file's media
    /// type. Such a response is a small JSON object. A body that starts differently, is longer, or has no
    /// code is passed through unchanged.
    /// - Throws: ``CallFailure`` with ``APIError/Kind/business(code:message:)``.
    func passingEnvelope(
        of response: TransportResponse
    ) async throws -> TransportResponse {
        guard attempt.plan.envelope(of: attempt.call)?.layers.contains(where: \.reportsFailures) == true
        else { return response }
        let pieces = response.body.pieces
        var response = response
        var beginning = Data()
        do {
            while beginning.mayBeObject, beginning.count <= Self.envelopeLimit {
                try await pending.gate.pass()
                guard let piece = try await pieces.next() else {
                    try Task.checkCancellation()
                    response.body = .data(beginning)
                    let reader = ResponseReader(attempt.call, attempt.plan)
                    guard let failure = reader.reportedFailure(in: attempt.response(Box(response))) else {
                        return response
                    }
                    throw failure
                }
                beginning += piece
            }
            response.body = .stream(beginning, then: pieces)
        } catch let error as TransportError {
            // Data received before the connection was lost is preserved.
            response.body = .stream(beginning, then: AsyncThrowingStream { throw error })
        }
        return response
    }
}

extension Envelope.Layer {
    fileprivate var reportsFailures: Bool { code != nil || failure != nil }
}

extension TransportResponse {
    /// Whether the body of a stream should be checked for an envelope: JSON of at most the maximum size.
    var mayBeEnvelope: Bool {
        guard headers.mediaType?.isJSON == true, let contentLength else {
            return false
        }
        return contentLength <= Transfer.envelopeLimit
    }
}

extension Data {
    /// Whether the data may start a JSON object.
    fileprivate var mayBeObject: Bool {
        let first = first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return first == nil || first == UInt8(ascii: "{")
    }
}

extension ResponseBody {
    /// Returns a stream of the data already read, followed by the rest.
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
