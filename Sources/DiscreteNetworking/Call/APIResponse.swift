import Foundation

/// The response of one call.
public struct APIResponse: Sendable {
    /// The call it belongs to.
    public let requestID: RequestID
    /// The params of that call: the manager's own, after ``BaseAPIManager/reform(_:)``.
    public let params: Params
    /// Where it came from, after redirects.
    public let url: URL
    /// The status code (RFC 9110 section 15).
    public let status: Int
    /// The header fields.
    public let headers: HTTPFields
    /// The body, decompressed. Empty where it went to a file or a stream.
    public let body: Data
    /// The part of the body that the output is decoded from: the payload of the service's envelope, or
    /// the whole body.
    public internal(set) var payload: Data
    /// The times of the exchange, where the platform gives them.
    public let metrics: TransportMetrics?
    /// The decoded output, of the type the manager names; `nil` where the call did not come so far.
    public internal(set) var output: (any Sendable)?
    /// How many seconds ago it came, or was last found to be still good, where it comes from a cache; `nil` where it
    /// comes from the server. See ``CachePolicy``.
    public internal(set) var age: TimeInterval?
    /// Whether it comes from a cache.
    public var isFromCache: Bool { age != nil }
    /// The code of the service's envelope, of success or failure; `nil` where it has none. Of nested envelopes that of
    /// the innermost that was opened.
    public var businessCode: JSONValue? { reported?.code }
    /// The message beside ``businessCode``.
    public var businessMessage: String? { reported?.message }
    /// What the service's envelope says.
    var reported: Report?

    struct Report: Sendable {
        let code: JSONValue
        let message: String?
        let isSuccess: Bool
    }

    /// Whether the manager asks the server too, now that it has told this.
    var needsRevalidation = false

    init(requestID: RequestID, params: Params = [:], response: TransportResponse) {
        self.requestID = requestID
        self.params = params
        url = response.url
        status = response.status
        headers = response.headers
        if case .data(let data) = response.body { body = data } else { body = Data() }
        payload = body
        metrics = response.metrics
    }

    /// The same response, decoded as it is, with newer headers (RFC 9111 section 3.2).
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

    /// The body as JSON.
    /// - Throws: ``JSONError`` where it is none.
    public func json() throws(JSONError) -> JSONValue { try JSONValue(parsing: body) }
}

extension APIResponse: SecretBearing {
    /// Status and size; never the content.
    public var description: String { "\(requestID) HTTP \(status), \(body.count) bytes" }
}
