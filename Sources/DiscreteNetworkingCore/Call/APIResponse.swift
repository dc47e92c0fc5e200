public import Foundation

/// The response of a call.
///
/// ```swift
/// let manager = ProductManager()
/// manager.loadData(with: ["id": 7]) { _ in
///     guard let response = manager.response else { return }
///     print(response.status, response.headers["ETag"] ?? "no ETag")
/// }
/// ```
public struct APIResponse: Sendable {
    /// The request ID of the call.
    public let requestID: RequestID
    /// The params of that call: the manager's own, after ``BaseAPIManager/reform(_:)``.
    public let params: Params
    /// The URL of the response, after redirects.
    public var url: URL { wire.value.url }
    /// The request that was sent, after redirects: URL, method and header fields as the server got them. `nil` for a
    /// cached response, and for the output of a plugin that had no response.
    ///
    /// ```swift
    /// if let request = response.request {
    ///     print(request.origin?.attempt ?? 0, request.url.host ?? "")
    /// }
    /// ```
    ///
    /// A body that is a stream, or of more than 64 KiB in memory, is left out, so that a response does not keep it.
    public var request: APIRequest? { redirects.last?.next.kept ?? sent?.value }
    /// The status code (RFC 9110 section 15).
    ///
    /// This, ``headers`` and ``body`` may be changed by a ``BodyTransform`` and an ``APIPlugin`` before the response is
    /// read; later changes affect only the copy.
    public var status: Int {
        get { changes?.status ?? wire.value.status }
        set { change { $0.status = newValue } }
    }
    /// The header fields.
    public var headers: HTTPFields {
        get { changes?.headers ?? wire.value.headers }
        set { change { $0.headers = newValue } }
    }
    /// The body, after decompression. Empty if it was written to a file or is a stream.
    public var body: Data { didSet { payload = body } }
    /// The part of the body that the output is decoded from: the payload of the service's envelope, or the
    /// whole body.
    public internal(set) var payload: Data
    /// The timing of the exchange; `nil` if the transport provides none.
    public var metrics: TransportMetrics? { wire.value.metrics }
    /// The redirects that were followed on the way to this response.
    package var redirects: [RedirectHop] { wire.value.redirects }
    /// The decoded output, of the manager's output type; `nil` before decoding. The response of a failure has one if the
    /// envelope's ``Envelope/Layer/failure`` stands beside a payload that can be decoded.
    public package(set) var output: (any Sendable)?
    /// The seconds since a cached response was received or last validated; `nil` for a response from the server. See
    /// ``CachePolicy``.
    public package(set) var age: TimeInterval? {
        get { ageOrNaN.isNaN ? nil : ageOrNaN }
        set { ageOrNaN = newValue ?? .nan }
    }
    /// A word less than an optional: every step copies the response.
    private var ageOrNaN = TimeInterval.nan
    /// Whether this is a cached response.
    public var isFromCache: Bool { age != nil }
    /// The business code of the service's envelope, for success and failure; `nil` if it has none, `null` for a failure
    /// without a code. Of nested envelopes, the code of the innermost one that was unwrapped.
    public var businessCode: JSONValue? { reported?.code }
    /// The message that accompanies ``businessCode``.
    public var businessMessage: String? { reported?.message }
    /// Whether the envelope reports a failure beside this output, which ``businessCode`` and ``businessMessage`` describe.
    ///
    /// A success is partial only if the envelope has ``Envelope/Layer/deliversPartialPayload``. It is not stored in a cache.
    public var isPartial: Bool {
        output != nil && recovery == nil && reported?.isSuccess == false
    }
    /// The code and message of the service's envelope.
    @Boxed var reported: Report?

    struct Report: Sendable {
        let code: JSONValue
        let message: String?
        let isSuccess: Bool
        /// Whether a member that only failures have reports it.
        var isByMember = false
        /// A success code that differs from ``code`` only in its type: `0` and `"0"`.
        var successOfOtherType: JSONValue?
    }

    /// Whether the manager revalidates this response after delivering it.
    package var needsRevalidation: Bool {
        get { changes?.needsRevalidation ?? false }
        set { if newValue != needsRevalidation { change { $0.needsRevalidation = newValue } } }
    }

    /// The response as received, which caches store. Behind one reference, because every step of the pipeline copies the
    /// response.
    package private(set) var wire: Box<TransportResponse>
    /// The request as the generator built it.
    private let sent: Box<APIRequest>?
    @Boxed private var changes: Changes?

    /// What differs from the response as received, which is rare.
    private struct Changes: Sendable {
        var status: Int?
        var headers: HTTPFields?
        var hidesBody = false
        var needsRevalidation = false
        var recovery: (any Error)?
    }

    package init(requestID: RequestID, params: Params = [:], response: TransportResponse) {
        self.init(requestID: requestID, params: params, response: Box(response))
    }

    init(
        requestID: RequestID, params: Params, response: Box<TransportResponse>,
        to request: Box<APIRequest>? = nil, isHidden: Bool = false
    ) {
        self.requestID = requestID
        self.params = params
        sent = request?.kept
        if case .data(let data) = response.value.body {
            wire = response
            body = data
        } else {
            // A stream is canceled when its last reference is released, which must not be this one.
            var head = response.value
            head.body = .data(Data())
            wire = Box(head)
            body = Data()
        }
        payload = body
        if isHidden { hidesBody = true }
    }

    private mutating func change(_ body: (inout Changes) -> Void) {
        var changes = changes ?? Changes()
        body(&changes)
        self.changes = changes
    }

    /// Whether the body must not be quoted: it was not decoded, so that no secret in it could be recognized, or it is one.
    package var hidesBody: Bool {
        get { changes?.hidesBody ?? false }
        set { change { $0.hidesBody = newValue } }
    }

    /// The ``recoveredFailure``, untyped: errors have responses, and not the other way round.
    var recovery: (any Error)? {
        get { changes?.recovery }
        set { change { $0.recovery = newValue } }
    }

    /// Returns the cached response with updated header fields (RFC 9111 section 3.2).
    package func updated(with newer: HTTPFields) -> APIResponse {
        var (updated, received) = (self, wire.value)
        received.headers.merge(newer)
        updated.wire = Box(received)
        updated.changes?.headers?.merge(newer)
        return updated
    }

    /// Returns the body as JSON.
    /// - Throws: ``JSONError`` if it is not JSON.
    public func json() throws(JSONError) -> JSONValue { try JSONValue(parsing: jsonBody) }

    /// The body as JSON in UTF-8, or as it is if it is no text in its charset.
    var jsonBody: Data {
        (try? Charset.json(body, named: headers.mediaType?.charset, limit: .max)) ?? body
    }
}

extension APIRequest {
    /// The request without what a response or an error must not keep: a large body, and the receiver of its progress.
    var kept: APIRequest {
        var request = self
        request.onProgress = nil
        if !hasSmallBody {
            request.body = .none
            request.notes.identity.plain = nil
            request.notes.uncompressed = nil
        }
        return request
    }

    fileprivate var isKept: Bool { onProgress == nil && hasSmallBody }

    private var hasSmallBody: Bool {
        let limit = 64 << 10
        guard notes.identity.plain?.data.count ?? 0 <= limit, notes.uncompressed?.count ?? 0 <= limit else {
            return false
        }
        switch body {
        case .none, .file: return true
        case .data(let data): return data.count <= limit
        case .stream: return false
        }
    }
}

extension Box where Value == APIRequest {
    fileprivate var kept: Box { value.isKept ? self : Box(value.kept) }
}

extension APIResponse: SecretBearing {
    /// The request ID, status and size; never the content.
    public var description: String { "\(requestID) HTTP \(status), \(body.count) bytes" }
}
