import Foundation

/// What a cache knows of a response.
public struct CachedResponse: Sendable, Equatable {
    public var url: URL
    public var status: Int
    public var headers: HTTPFields
    public var body: Data
    /// When it came, or was last found to be still good.
    public var storedAt: Date
    /// Of whoever reads it: an entry of another version is none. A cache keeps it and does not look at it.
    public var version: String

    public init(
        url: URL, status: Int, headers: HTTPFields, body: Data, storedAt: Date, version: String
    ) {
        self.url = url
        self.status = status
        self.headers = headers
        self.body = body
        self.storedAt = storedAt
        self.version = version
    }
}

extension CachedResponse: SecretBearing {
    /// Status, size and date; never the content.
    public var description: String { "HTTP \(status), \(body.count) bytes, stored at \(storedAt)" }
}

extension APIResponse {
    /// A response that was kept.
    init(_ stored: CachedResponse, of call: APICall) {
        self.init(
            requestID: call.requestID, params: call.params,
            response: TransportResponse(
                url: stored.url, status: stored.status, headers: stored.headers, body: .data(stored.body)))
    }
}
