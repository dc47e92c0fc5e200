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

/// The body of a response.
public enum ResponseBody: Sendable {
    /// In memory, decompressed.
    case data(Data)
    /// In a file that now belongs to the receiver.
    case file(URL)
    /// Piece by piece, as it arrives; what is not read is not fetched.
    case stream(AsyncThrowingStream<Data, any Error>)
}

/// Where the body of a response shall go. A file is written by ``ApiProxy``, out of a stream; no transport
/// is ever asked for one.
public enum ResponseDestination: Sendable, Hashable {
    /// Into memory, up to a number of bytes.
    case memory(limit: Int)
    /// Into a file, whole or not at all.
    case file(URL)
    /// To a reader, piece by piece.
    case stream
}

/// How far a transfer has come.
public struct TransferProgress: Sendable, Hashable {
    /// Body bytes sent so far, and in all where known.
    public var sent: Int64 = 0
    public var expectedToSend: Int64?
    /// Body bytes received so far, and in all where known.
    public var received: Int64 = 0
    public var expectedToReceive: Int64?

    public init() {}
}

/// When the phases of an exchange ended, in seconds from its start.
public struct TransportMetrics: Sendable, Hashable {
    public var nameLookup: TimeInterval?
    public var connect: TimeInterval?
    public var secureConnection: TimeInterval?
    public var firstByte: TimeInterval?
    public var end: TimeInterval?
    public var bytesSent: Int64?
    public var bytesReceived: Int64?
    public var reusedConnection: Bool?
    public var protocolVersion: String?

    public init() {}
}

extension TransportResponse: SecretBearing {
    /// Status and size; never the content.
    public var description: String { "HTTP \(status), \(body)" }
}

extension ResponseBody: SecretBearing {
    /// The kind and the size; never the content.
    public var description: String {
        switch self {
        case .data(let data): "\(data.count) bytes"
        case .file(let url): "the file \(url.lastPathComponent)"
        case .stream: "a stream"
        }
    }
}
