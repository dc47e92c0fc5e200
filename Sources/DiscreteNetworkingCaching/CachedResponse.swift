import DiscreteNetworkingCore
public import DiscreteNetworkingHTTP
public import Foundation

/// A response in a cache, with its date and version.
public struct CachedResponse: Sendable, Equatable {
    /// The URL of the response, after redirects.
    public var url: URL
    /// The status code.
    public var status: Int
    /// The header fields.
    public var headers: HTTPFields
    /// The body, after decompression.
    public var body: Data
    /// When the response was received or last validated.
    public var storedAt: Date
    /// The version used by the reader: entries of another version are ignored. A cache stores it without
    /// interpreting it.
    public var version: String

    /// Creates a cached response; for custom caches.
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
    /// The status, size and date; never the content.
    public var description: String { "HTTP \(status), \(body.count) bytes, stored at \(storedAt)" }
}

extension APIResponse {
    /// Creates a response from a stored one.
    init(_ stored: CachedResponse, of call: APICall) {
        self.init(
            requestID: call.requestID, params: call.params,
            response: TransportResponse(
                url: stored.url, status: stored.status, headers: stored.headers, body: .data(stored.body)))
    }
}
