import Foundation

/// The only door to the network: puts the bytes of a request on the wire and brings the response.
///
/// ```swift
/// struct CannedTransport: Transport {
///     func send(_ request: APIRequest) async throws -> TransportResponse {
///         TransportResponse(url: request.url, status: 200, body: .data(Data(#"{"id":7}"#.utf8)))
///     }
/// }
/// let proxy = ApiProxy(transport: CannedTransport(), services: factory)
/// ```
///
/// What a transport owes its caller:
/// - one request, one response: method, headers and body go out as given, and a redirect is a response
///   like any other (``ApiProxy`` follows it, see ``RedirectPolicy``);
/// - the body comes back in memory or as a stream, as ``APIRequest/destination`` asks, or the exchange
///   fails with ``TransportError``; a body in memory past its limit is
///   ``TransportError/Kind/responseTooLarge(limit:)``; a stream comes back as soon as the head is there,
///   and the exchange is given up when nobody holds the stream any longer;
/// - when the task is cancelled the exchange is given up and its connection freed; the caller does not
///   wait for that;
/// - a status code is never an error.
///
/// ``ApiProxy`` counts the time, so a transport need not.
public protocol Transport: Sendable {
    /// Carries out one exchange.
    /// - Throws: ``TransportError``; any other error is reported as one of kind `.unknown`.
    func send(_ request: APIRequest) async throws -> TransportResponse

    /// Whether a request to this URL goes by the network of this machine, so that it makes no sense without one.
    /// Default: `false`, as for everything that answers by itself.
    func needsNetwork(for url: URL) -> Bool
}

extension Transport {
    /// `false`.
    public func needsNetwork(for url: URL) -> Bool { false }
}

/// What came back from the wire.
public struct TransportResponse: Sendable {
    /// Where it came from, after redirects.
    public var url: URL
    /// The status code (RFC 9110 section 15).
    public var status: Int
    /// The header fields, in order, where the transport can tell it.
    public var headers: HTTPFields
    /// The body, in the shape that the request asked for.
    public var body: ResponseBody
    /// The times of the exchange, where the platform gives them.
    public var metrics: TransportMetrics?

    /// A response; by default without a header, a body or metrics.
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

/// How far a transfer has come.
public struct TransferProgress: Sendable, Hashable {
    /// Body bytes sent so far.
    public var sent: Int64 = 0
    /// Body bytes to send in all; `nil` where that is not known.
    public var expectedToSend: Int64?
    /// Body bytes received so far.
    public var received: Int64 = 0
    /// Body bytes to receive in all; `nil` where that is not known.
    public var expectedToReceive: Int64?

    /// The progress of a transfer that has not begun.
    public init() {}
}

/// When the phases of an exchange ended, in seconds from its start.
///
/// What did not happen, or what the platform does not tell, is `nil`: over a kept connection there is no look-up and no
/// handshake.
public struct TransportMetrics: Sendable, Hashable {
    /// Seconds until the host's address was known.
    public var nameLookup: TimeInterval?
    /// Seconds until the connection stood, without TLS.
    public var connect: TimeInterval?
    /// Seconds until the TLS handshake was complete.
    public var secureConnection: TimeInterval?
    /// Seconds until the first byte of the response came.
    public var firstByte: TimeInterval?
    /// Seconds until the last byte of the response came.
    public var end: TimeInterval?
    /// Bytes that were sent, as the transport counts them.
    public var bytesSent: Int64?
    /// Bytes that were received, before content codings were undone.
    public var bytesReceived: Int64?
    /// Whether the exchange used a connection of an earlier one.
    public var reusedConnection: Bool?
    /// The version of HTTP, such as `HTTP/1.1` or `HTTP/2`.
    public var protocolVersion: String?

    /// Metrics of which nothing is known.
    public init() {}
}

extension TransportResponse: SecretBearing {
    /// Status and size; never the content.
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
