import DiscreteNetworkingCore
import Foundation

/// A recorded request, without secrets.
struct RecordedRequest: Sendable, Equatable {
    var method: String
    var url: String
    var headers: HTTPFields
    var body: RecordedBody
    /// Whether the response is secret as a whole; not stored in the file.
    var hidesResponse = false
    /// The varying fields of the request; not stored in the file.
    var varying = VaryingFields.none

    init(method: String, url: String, headers: HTTPFields, body: RecordedBody) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// - Parameter body: The body as sent. Of a transformed one, which differs each time, the plain body is recorded, and of a
    ///   compressed one the uncompressed body.
    init(_ request: APIRequest, body: Data, _ redaction: Redaction) {
        let uncompressed = request.notes.uncompressed
        let request = request.uncompressed
        let plain = request.notes.identity.plain
        let type = plain.map(\.type) ?? request.headers["Content-Type"]
        let body = plain?.data ?? uncompressed ?? body
        var headers = redaction.redactedHeaders(of: request)
        if type?.lowercased().hasPrefix("multipart/form-data") == true {
            headers["Content-Type"] = "multipart/form-data"
        }
        self.init(
            method: request.method.rawValue, url: redaction.redacted(request), headers: headers,
            body: RecordedBody(request: body, type: type, redaction))
        varying = request.notes.identity.varying
        hidesResponse = request.notes.hidesResponse
    }
}

/// A recorded exchange.
struct CassetteEntry: Sendable, Equatable {
    var request: RecordedRequest
    var status: Int
    var headers: HTTPFields
    var body: RecordedBody
    /// Whether the reader stopped before the end of the body.
    var isTruncated = false

    init(request: RecordedRequest, status: Int, headers: HTTPFields, body: RecordedBody) {
        self.request = request
        self.status = status
        self.headers = headers
        self.body = body
    }

    init(_ request: RecordedRequest, _ response: TransportResponse, body: Data, _ redaction: Redaction) {
        let type = response.headers["Content-Type"]
        let recorded = RecordedBody(response: body, type: type, redaction)
        var headers = RecordedCookies.redacted(response.headers, redaction, at: Date())
        // A text in another encoding is recorded and replayed in UTF-8.
        if redaction != .none, let type, body.searchable(as: type) != body {
            headers["Content-Type"] = type.prefix { $0 != ";" } + "; charset=utf-8"
        }
        self.init(
            request: request, status: response.status, headers: headers,
            body: request.hidesResponse && redaction != .none ? recorded.hidden : recorded)
    }

    /// Returns the recorded response to a request.
    /// - Throws: ``TransportError`` for a body that exceeds the limit.
    func response(to request: APIRequest) throws(TransportError) -> TransportResponse {
        let data = body.data
        var headers = headers
        // The recorded body may differ in length from the original.
        if headers["Content-Length"] != nil { headers["Content-Length"] = String(data.count) }
        headers["Content-Encoding"] = nil
        var response = TransportResponse(
            url: request.url, status: status, headers: headers, body: .data(data))
        switch request.destination {
        case .memory(let limit):
            guard data.count <= limit else {
                throw TransportError(
                    .responseTooLarge(limit: limit),
                    message: "The recorded body has more than \(limit) bytes.")
            }
        case .file, .stream:
            response.body = .stream(
                AsyncThrowingStream { continuation in
                    if !data.isEmpty { continuation.yield(data) }
                    continuation.finish()
                })
        }
        return response
    }
}
