public import Foundation

/// A response of the server.
///
/// ```swift
/// var response = LoopbackResponse.json(#"{"id": 7}"#, status: 201)
/// response.headers.append(("ETag", #""v1""#))
/// response.interim = [103]
/// ```
///
/// The server adds `Content-Length` or `Transfer-Encoding` only if `headers` contains neither, so a header
/// can contradict the body.
public struct LoopbackResponse: Sendable {
    /// A fault to inject while this response is sent.
    public typealias Fault = LoopbackFault

    /// The status code.
    public var status: Int
    /// The reason phrase; `nil` for the standard one.
    public var reason: String?
    /// The header fields, sent as given: order, case, duplicates and odd values included.
    public var headers: [(name: String, value: String)]
    /// Bytes sent verbatim after `headers`, every line with its own CRLF; for what no string can hold.
    public var rawHeaders = Data()
    /// The body.
    public var body: Body
    /// The fault to inject; `nil` for none.
    public var fault: Fault?
    /// Whether the connection ends after this response.
    public var closesConnection = false
    /// Interim responses to send first, for example `[103]`.
    public var interim: [Int] = []
    /// A gate that holds back the whole response, interim responses included.
    public var delay: LoopbackGate?
    /// Whether the client has shown that it may use the server; see ``ServingRules/untrustedLimit``.
    package var trustsClient = false

    /// Creates a response.
    public init(
        status: Int = 200, reason: String? = nil, headers: [(name: String, value: String)] = [],
        body: Body = .data(Data())
    ) {
        self.status = status
        self.reason = reason
        self.headers = headers
        self.body = body
    }

    /// The body of a response and how it is sent.
    public enum Body: Sendable {
        /// All at once, with `Content-Length`.
        case data(Data)
        /// In chunked coding, one chunk for each non-empty piece, then the trailer fields.
        case chunks([Data], trailers: [(name: String, value: String)] = [])
        /// In chunked coding, step by step: for events that trickle in.
        case stream([Step])
        /// So many bytes of `LoopbackResponse.pattern`, with `Content-Length`, never held in memory.
        case generated(count: Int)
        /// The head at once, the body when the gate opens.
        case gated(LoopbackGate, Data)
        /// A few bytes at a time with a pause between them.
        case slow(Data, bytesPerPiece: Int, interval: TimeInterval)
        /// In chunked coding, as the closure writes it, on the thread of the connection.
        case produced(@Sendable (inout LoopbackBodyWriter) throws -> Void)
        /// Without any length: the end of the connection ends the body.
        case untilClose(Data)
    }

    /// One step of a streamed body.
    public enum Step: Sendable {
        /// Sends one chunk.
        case chunk(Data)
        /// Waits for a gate to open.
        case wait(LoopbackGate)
        /// Waits for so many seconds.
        case pause(TimeInterval)
    }
}

extension LoopbackResponse {
    /// JSON text, sent as `application/json`.
    public static func json(_ text: String, status: Int = 200) -> LoopbackResponse {
        .data(Data(text.utf8), type: "application/json", status: status)
    }

    /// Text, sent as `text/plain` in UTF-8.
    public static func text(_ text: String, status: Int = 200) -> LoopbackResponse {
        .data(Data(text.utf8), type: "text/plain; charset=utf-8", status: status)
    }

    /// Bytes of any type.
    public static func data(
        _ data: Data, type: String = "application/octet-stream", status: Int = 200
    ) -> LoopbackResponse {
        LoopbackResponse(status: status, headers: [("Content-Type", type)], body: .data(data))
    }

    /// A status without a body.
    public static func status(_ status: Int) -> LoopbackResponse {
        LoopbackResponse(status: status)
    }

    /// A redirect to another place.
    public static func redirect(to location: String, status: Int = 302) -> LoopbackResponse {
        LoopbackResponse(status: status, headers: [("Location", location)])
    }

    /// Returns an empty response with a fault.
    public static func fault(_ fault: LoopbackFault) -> LoopbackResponse {
        LoopbackResponse().failing(with: fault)
    }

    /// Returns a response with a slow body.
    public static func slow(
        _ data: Data, bytesPerPiece: Int, interval: TimeInterval
    ) -> LoopbackResponse {
        LoopbackResponse(body: .slow(data, bytesPerPiece: bytesPerPiece, interval: interval))
    }

    /// Returns the response with another header field.
    public func adding(_ name: String, _ value: String) -> LoopbackResponse {
        var copy = self
        copy.headers.append((name, value))
        return copy
    }

    /// Returns the response with a fault.
    public func failing(with fault: LoopbackFault) -> LoopbackResponse {
        var copy = self
        copy.fault = fault
        return copy
    }

    /// Returns the response, delayed until a gate is open.
    public func delayed(until gate: LoopbackGate) -> LoopbackResponse {
        var copy = self
        copy.delay = gate
        return copy
    }

    /// Returns the bytes of a `generated` body: byte `i` is `i % 251`, so that shifts by powers of two are
    /// detected.
    public static func pattern(count: Int) -> Data {
        var data = Data(capacity: count)
        while data.count < count {
            data.append(contentsOf: BytePattern.block.prefix(count - data.count))
        }
        return data
    }

    /// Returns an error response of the server, as JSON.
    static func problem(_ status: Int, _ explanation: String) -> LoopbackResponse {
        let object = ["error": StatusText.phrase(for: status), "detail": explanation]
        let text = try? JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
        return .data(text ?? Data(), type: "application/json", status: status)
    }
}
