/// Signs requests, so that the server knows who made them and that nobody changed them.
///
/// ```swift
/// // In a service. The backend wants MD5("a=1&b=2…" + secret) as one more param.
/// func signer(for call: APICall) -> (any RequestSigner)? {
///     FieldSigner(key: secret, algorithm: .md5)
/// }
/// ```
/// A rule that is neither ``FieldSigner``'s nor ``HMACSigner``'s is put together from their pieces:
/// ``SignedFields``, ``MessageDigest``, ``SignaturePlace``, ``NonceSource``.
public protocol RequestSigner: Sendable {
    /// Writes a signature into a request that is complete otherwise. Asked anew for each attempt, after
    /// ``Service/adapt(_:for:)``.
    /// - Parameter call: its params are those that were encoded, the extra ones among them.
    /// - Throws: any error; the call fails with ``APIError/Kind/invalidRequest(reason:)``.
    func sign(_ request: inout APIRequest, for call: APICall) async throws

    /// What it writes that is new for each call: times, nonces, signatures. Default: nothing. A signer that writes such
    /// fields and does not name them makes every request one of its own, of which nothing is kept or shared.
    var varyingFields: VaryingFields { get }
}

extension RequestSigner {
    public var varyingFields: VaryingFields { .none }
}
