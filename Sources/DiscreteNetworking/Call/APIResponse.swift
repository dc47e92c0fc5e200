import Foundation

/// The response of a call.
public struct APIResponse: Sendable {
    /// The request ID of the call.
    public let requestID: RequestID
    /// The params of that call: the manager's own, after ``BaseAPIManager/reform(_:)``.
    public let params: Params
    /// The URL of the response, after redirects.
    public var url: URL { received.value.url }
    /// The status code (RFC 9110 section 15).
    public var status: Int { received.value.status }
    /// The header fields.
    public var headers: HTTPFields { received.value.headers }
    /// The body, after decompression. Empty if it was written to a file or is a stream.
    public let body: Data
    /// The part of the body that the output is decoded from: the payload of the service's envelope, or the
    /// whole body.
    public internal(set) var payload: Data
    /// The timing of the exchange; `nil` if the transport provides none.
    public var metrics: TransportMetrics? { received.value.metrics }
    /// The decoded output, of the manager's output type; `nil` before decoding.
    public internal(set) var output: (any Sendable)?
    /// The seconds since a stored response was received or last validated; `nil` for a response from the
    /// server. See ``CachePolicy``.
    public internal(set) var age: TimeInterval?
    /// Whether this is a stored response.
    public var isFromCache: Bool { age != nil }
    /// The business code of the service's envelope, for success and failure; `nil` if it has none. Of nested envelopes,
    /// the code of the innermost one that was unwrapped.
    public var businessCode: JSONValue? { reported?.code }
    /// The message that accompanies ``businessCode``.
    public var businessMessage: String? { reported?.message }
    /// The code and message of the service's envelope.
    @Boxed var reported: Report?

    struct Report: Sendable {
        let code: JSONValue
        let message: String?
        let isSuccess: Bool
    }

    /// Whether the manager revalidates this response after delivering it.
    var needsRevalidation = false

    /// Stored behind one reference, because every step of the pipeline copies the response.
    private let received: Box<TransportResponse>

    init(requestID: RequestID, params: Params = [:], response: TransportResponse) {
        self.init(requestID: requestID, params: params, response: Box(response))
    }

    init(requestID: RequestID, params: Params, response: Box<TransportResponse>) {
        self.requestID = requestID
        self.params = params
        if case .data(let data) = response.value.body {
            received = response
            body = data
        } else {
            // A stream is cancelled when its last reference is released, which must not be this one.
            var head = response.value
            head.body = .data(Data())
            received = Box(head)
            body = Data()
        }
        payload = body
    }

    /// Returns the stored response with updated header fields (RFC 9111 section 3.2).
    func updated(with newer: HTTPFields) -> APIResponse {
        var headers = headers
        headers.merge(newer)
        var updated = APIResponse(
            requestID: requestID, params: params,
            response: TransportResponse(url: url, status: status, headers: headers, body: .data(body)))
        (updated.payload, updated.output, updated.age) = (payload, output, age)
        updated.reported = reported
        return updated
    }

    /// Returns the body as JSON.
    /// - Throws: ``JSONError`` if it is not JSON.
    public func json() throws(JSONError) -> JSONValue { try JSONValue(parsing: body) }
}

extension APIResponse: SecretBearing {
    /// The request ID, status and size; never the content.
    public var description: String { "\(requestID) HTTP \(status), \(body.count) bytes" }
}
