public import Foundation

/// Sends HTTP requests over the network.
///
/// ```swift
/// struct CannedTransport: Transport {
///     func send(_ request: APIRequest) async throws -> TransportResponse {
///         TransportResponse(
///             url: request.url, status: 200,
///             body: .data(Data(#"{"id":7}"#.utf8)))
///     }
/// }
/// let proxy = ApiProxy(transport: CannedTransport(), services: services)
/// ```
///
/// Requirements:
/// - Each request is sent once, with its method, headers and body unchanged. A redirect is returned as a
///   response; ``ApiProxy`` follows it (see ``RedirectPolicy``).
/// - The body is returned in memory or as a stream, according to ``APIRequest/destination``. A body that
///   exceeds the limit in memory fails with ``TransportError/Kind/responseTooLarge(limit:)``. A stream is
///   returned after the response head, and the exchange is canceled when the stream is released.
/// - Canceling the task cancels the exchange and releases its connection, without delaying the caller.
/// - A status code is never an error.
///
/// A transport may ignore ``APIRequest/timeout``: ``ApiProxy`` enforces it, except for a ``TimeKeepingTransport``.
public protocol Transport: Sendable {
    /// Sends a request and returns its response.
    /// - Throws: ``TransportError``; any other error is reported as ``TransportError/Kind/unknown``.
    func send(_ request: APIRequest) async throws -> TransportResponse

    /// Returns whether a URL is reached over this machine's network, and fails without it. Default:
    /// `false`, for transports that respond by themselves.
    func needsNetwork(for url: URL) -> Bool

    /// Returns whether this transport, given to an ``ApiProxy``, also sends the requests of a service with a
    /// ``ServiceConfiguration/transport`` of its own, as a stub and a recording do. Default: whether it responds by itself, the
    /// opposite of ``needsNetwork(for:)``.
    ///
    /// A transport that wraps another one and returns its ``needsNetwork(for:)`` therefore leaves such services their
    /// own, with the public keys that they pin.
    /// - Parameter url: The URL of the request.
    func replacesServiceTransport(for url: URL) -> Bool
}

extension Transport {
    /// Returns `false`.
    public func needsNetwork(for url: URL) -> Bool { false }
    /// Returns whether the transport needs no network.
    public func replacesServiceTransport(for url: URL) -> Bool { !needsNetwork(for: url) }
}

/// A transport that ends each exchange at ``APIRequest/timeout`` by itself, regardless of the server.
///
/// ```swift
/// struct InMemoryTransport: TimeKeepingTransport {
///     let body: Data
///     func send(_ request: APIRequest) async throws -> TransportResponse {
///         TransportResponse(url: request.url, status: 200, body: .data(body))
///     }
/// }
/// ```
///
/// ``ApiProxy`` then starts no task of its own for an exchange. The promise covers requests with a body in memory or without
/// one, up to the whole response, or to the head of a stream. An exchange that is late throws ``TransportError`` of kind
/// ``TransportError/Kind/timedOut``. If a transport breaks the promise, its calls do not end.
public protocol TimeKeepingTransport: Transport {}

/// The response of a transport.
public struct TransportResponse: Sendable {
    /// The URL of the response, after redirects.
    public var url: URL
    /// The status code (RFC 9110 section 15).
    public var status: Int
    /// The header fields, in order if the transport provides it.
    public var headers: HTTPFields
    /// The body, of the kind that the request asked for.
    public var body: ResponseBody
    /// The timing of the exchange; `nil` if the transport provides none.
    public var metrics: TransportMetrics?
    /// The redirects that were followed on the way to this response.
    package var redirects: [RedirectHop] = []

    /// Creates a response.
    public init(
        url: URL, status: Int, headers: HTTPFields = [:], body: ResponseBody = .data(Data()),
        metrics: TransportMetrics? = nil
    ) {
        self.url = url
        self.status = status
        self.headers = headers
        self.body = body
        self.metrics = metrics
    }
}

/// The progress of a transfer.
public struct TransferProgress: Sendable, Hashable {
    /// The number of body bytes sent.
    public var sent: Int64 = 0
    /// The total number of body bytes to send; `nil` if unknown.
    public var expectedToSend: Int64?
    /// The number of body bytes received.
    public var received: Int64 = 0
    /// The total number of body bytes to receive; `nil` if unknown.
    public var expectedToReceive: Int64?

    /// Creates the progress of a transfer that has not started.
    public init() {}
}

/// The timing of an exchange, in seconds since its start.
///
/// A value is `nil` if the phase did not occur or the platform does not report it: a reused connection has
/// no name lookup and no handshake. A stream has neither ``end`` nor ``bytesReceived``: its response comes before its body.
public struct TransportMetrics: Sendable, Hashable {
    /// When the name lookup ended.
    public var nameLookup: TimeInterval?
    /// When the TCP connection was established.
    public var connect: TimeInterval?
    /// When the TLS handshake ended.
    public var secureConnection: TimeInterval?
    /// When the first byte of the response was received.
    public var firstByte: TimeInterval?
    /// When the last byte of the response was received.
    public var end: TimeInterval?
    /// When the first byte of the request was sent.
    public var requestStart: TimeInterval?
    /// When the last byte of the request was sent.
    public var requestEnd: TimeInterval?
    /// The number of bytes sent, as counted by the transport.
    public var bytesSent: Int64?
    /// The number of bytes received, before decompression.
    public var bytesReceived: Int64?
    /// Whether the exchange reused a connection.
    public var reusedConnection: Bool?
    /// The HTTP version, such as `HTTP/1.1` or `HTTP/2`.
    public var protocolVersion: String?

    /// Creates empty metrics.
    public init() {}

    /// The metrics at the head of a response, before its body.
    package var ofHead: TransportMetrics {
        var head = self
        (head.end, head.bytesReceived) = (nil, nil)
        return head
    }

    /// Adds what came after the head.
    /// - Parameters:
    ///   - count: The number of bytes.
    ///   - seconds: The time it took.
    package mutating func addBody(of count: Int64, after seconds: TimeInterval) {
        bytesReceived = count
        end = firstByte.map { $0 + seconds }
    }
}

/// A redirect that was followed.
package struct RedirectHop: Sendable {
    /// The redirect, without its body.
    package let response: TransportResponse
    /// The request that follows it.
    package let next: APIRequest
    /// When the redirect was received.
    package let date: Date

    package init(response: TransportResponse, next: APIRequest, date: Date = Date()) {
        self.response = response
        self.next = next
        self.date = date
    }
}

extension TransportResponse: SecretBearing {
    /// The status and size; never the content.
    public var description: String { "HTTP \(status), \(body)" }
}

extension TransportResponse {
    /// The response without its body.
    package var head: TransportResponse {
        var head = self
        head.body = .data(Data())
        return head
    }
}
