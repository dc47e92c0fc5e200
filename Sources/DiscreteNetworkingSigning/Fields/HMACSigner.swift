public import DiscreteNetworkingCore
import Foundation

/// Signs requests with HMAC-SHA-256 (RFC 2104), with a timestamp and a nonce against replay.
///
/// ```swift
/// func signer(for call: APICall) -> (any RequestSigner)? {
///     HMACSigner(
///         key: SigningKey(secret), headers: ["Content-Type", "X-Client"])
/// }
/// ```
///
/// Adds three headers: `X-Timestamp` (whole seconds since 1970), `X-Nonce`, and `X-Signature`, the HMAC in
/// lowercase hexadecimal digits of these lines, joined by line feeds:
///
///     POST                          the method
///     /v3/orders                    the path, as sent
///     a=1&b=%E8%8C%B6               the canonical query; see canonicalQuery
///     content-type:application/json each signed header; see canonicalHeader(_:)
///     1700000000                    X-Timestamp
///     5c3f…                         X-Nonce
///     e3b0c442…                     SHA-256 of the body in hexadecimal digits
///
/// The server checks that the timestamp is recent and the nonce is new.
public struct HMACSigner: RequestSigner {
    /// The names of the three headers.
    public struct HeaderNames: Sendable, Hashable {
        /// The header of the timestamp.
        public var timestamp: HTTPFields.Name = "X-Timestamp"
        /// The header of the nonce.
        public var nonce: HTTPFields.Name = "X-Nonce"
        /// The header of the signature.
        public var signature: HTTPFields.Name = "X-Signature"

        /// Creates the default names.
        public init() {}
    }

    /// The secret key.
    public var key: SigningKey
    /// The names of the signed headers, in order. A missing header is signed as empty.
    public var headers: [HTTPFields.Name]
    /// The names of the added headers.
    public var names: HeaderNames
    /// Whether a stream body is left unsigned, with `unsigned` in place of its digest. Default: `false`; a
    /// stream fails, because it can be read only while it is sent.
    public var leavesStreamsUnsigned: Bool
    /// The source of the timestamp and the nonce.
    public var nonceSource: NonceSource

    /// Creates a signer; see the properties for each value.
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
