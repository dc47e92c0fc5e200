import Foundation

/// HMAC-SHA-256 (RFC 2104) over all that matters in a request, good for one time.
///
/// ```swift
/// func signer(for call: APICall) -> (any RequestSigner)? {
///     HMACSigner(key: secret, headers: ["Content-Type", "X-Client"])
/// }
/// ```
/// Three headers go out: `X-Timestamp` (whole seconds since 1970), `X-Nonce`, and `X-Signature`, the HMAC in
/// lower-case hexadecimal digits of these lines, joined by line feeds:
///
///     POST                          the method
///     /v3/orders                    the path, as on the wire
///     a=1&b=%E8%8C%B6               the query: pairs encoded, only unreserved characters kept, and sorted
///     content-type:application/json each chosen header: lower-case name, values without outer spaces
///     1700000000                    X-Timestamp
///     5c3f…                         X-Nonce
///     e3b0c442…                     SHA-256 of the body in hexadecimal digits
///
/// The server checks that the time is near, and that it has not seen the nonce.
public struct HMACSigner: RequestSigner {
    /// The names of the three headers.
    public struct HeaderNames: Sendable, Hashable {
        public var timestamp: HTTPFields.Name = "X-Timestamp"
        public var nonce: HTTPFields.Name = "X-Nonce"
        public var signature: HTTPFields.Name = "X-Signature"

        public init() {}
    }

    public var key: SigningKey
    /// The headers that are signed, in this order. One that a request does not have is signed as empty.
    public var headers: [HTTPFields.Name]
    public var names: HeaderNames
    /// Whether a body that is a stream goes out unsigned, with `unsigned` in place of its digest. Default: it
    /// is refused, because a stream can only be read while it is sent.
    public var leavesStreamsUnsigned: Bool
    public var nonceSource: NonceSource

    public init(
        key: SigningKey, headers: [HTTPFields.Name] = [], names: HeaderNames = HeaderNames(),
        leavesStreamsUnsigned: Bool = false, nonceSource: NonceSource = NonceSource()
    ) {
        self.key = key
        self.headers = headers
        self.names = names
        self.leavesStreamsUnsigned = leavesStreamsUnsigned
        self.nonceSource = nonceSource
    }

    public func sign(_ request: inout APIRequest, for call: APICall) async throws {
        let timestamp = try nonceSource.seconds()
        let nonce = nonceSource.nonce()
        request.headers[names.timestamp] = timestamp
        request.headers[names.nonce] = nonce
        let lines =
            [request.method.rawValue, request.canonicalPath, request.canonicalQuery]
            + headers.map(request.canonicalHeader)
            + [timestamp, nonce, try await digest(of: request.body)]
        let text = Data(lines.joined(separator: "\n").utf8)
        request.headers[names.signature] = MessageDigest.hmac(.sha256, of: text, key: key.data).hexadecimal
    }

    public var varyingFields: VaryingFields {
        var fields = VaryingFields(headers: [names.timestamp, names.nonce, names.signature])
        fields.keys = [key.fingerprint]
        return fields
    }

    private func digest(of body: RequestBody) async throws -> String {
        if case .stream = body, leavesStreamsUnsigned { return "unsigned" }
        return try await body.digest(.sha256).hexadecimal
    }
}
