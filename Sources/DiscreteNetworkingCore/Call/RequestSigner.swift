/// Signs requests, so that the server can verify their sender and integrity.
///
/// ```swift
/// // In a service, if the backend expects a param MD5("a=1&b=2…" + secret).
/// func signer(for call: APICall) -> (any RequestSigner)? {
///     FieldSigner(key: SigningKey(secret), algorithm: .md5)
/// }
/// ```
///
/// The product `DiscreteNetworkingSigning` has signers for common rules, as the one above, and what others are made of; see
/// <doc:SigningAndEncryption>.
public protocol RequestSigner: Sendable {
    /// Signs a complete request. Called for each attempt, after ``Service/adapt(_:for:)``.
    /// - Parameters:
    ///   - request: The request to sign.
    ///   - call: The call. Its params include the service's extra params.
    /// - Throws: Any error; the call fails with ``APIError/Kind/invalidRequest(reason:)``.
    func sign(_ request: inout APIRequest, for call: APICall) async throws

    /// The fields that the signer changes for each call: timestamps, nonces, signatures. A signer that
    /// does not declare them makes every request unique, which prevents caching and coalescing. Default:
    /// none.
    var varyingFields: VaryingFields { get }
}

extension RequestSigner {
    public var varyingFields: VaryingFields { .none }
}
