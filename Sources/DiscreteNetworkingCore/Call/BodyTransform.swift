/// Changes bodies between the pipeline and the wire: encryption, compression, wrapping, repair.
///
/// ```swift
/// struct SealedBodies: BodyTransform {
///     let cipher: BodyCipher
///
///     func encode(_ request: inout APIRequest, for call: APICall) throws {
///         request.body = try request.body.map(cipher.seal)
///         request.headers["Content-Type"] = "application/octet-stream"
///     }
///
///     func decode(_ response: inout APIResponse, for call: APICall) throws {
///         response.body = try cipher.open(response.body)
///     }
/// }
///
/// // In a service.
/// func bodyTransform(for call: APICall) -> (any BodyTransform)? {
///     SealedBodies(cipher: cipher)
/// }
/// ```
///
/// Neither method is called without a body, nor for a response that is written to a file or read as a stream, nor for a
/// manager's ``BaseAPIManager/sample``. Both run off the main actor, within the timeout of the attempt.
public protocol BodyTransform: Sendable {
    /// Changes a request with a body, after ``Service/adapt(_:for:)`` and before ``Service/signer(for:)``, which
    /// therefore signs what is sent. Called for each attempt. Default: no change.
    ///
    /// ``RequestBody/map(_:)`` changes a body in memory, and throws for a file or a stream.
    /// - Throws: Any error; the call fails with ``APIError/Kind/invalidRequest(reason:)``.
    func encode(_ request: inout APIRequest, for call: APICall) async throws

    /// Changes a response with a body, of any status, before its status is checked and its envelope opened. Default: no
    /// change.
    /// - Throws: Any error; the call fails with ``APIError/Kind/decoding(_:)``, or with
    ///   ``APIError/Kind/http(status:)`` if the status is not a success: a gateway's error page is not encrypted.
    func decode(_ response: inout APIResponse, for call: APICall) async throws
}

extension BodyTransform {
    public func encode(_ request: inout APIRequest, for call: APICall) async throws {}
    public func decode(_ response: inout APIResponse, for call: APICall) async throws {}
}

extension Optional where Wrapped == any BodyTransform {
    /// A transform that changes nothing. Return it in a manager to turn the service's transform off.
    ///
    /// ```swift
    /// override var bodyTransform: (any BodyTransform)? { .plain }
    /// ```
    public static var plain: Self { PlainBodies() }
}

/// Changes nothing.
struct PlainBodies: BodyTransform {}
