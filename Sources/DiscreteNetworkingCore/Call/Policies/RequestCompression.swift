/// Whether the bodies of requests are compressed, and from which size on.
///
/// ```swift
/// // For a service.
/// let configuration = ServiceConfiguration(requestCompression: .gzip)
/// // For an endpoint.
/// override var requestCompression: RequestCompression? { .off }
/// override var requestCompression: RequestCompression? {
///     .gzip(from: 64 * 1024)
/// }
/// ```
///
/// A body in memory (JSON, a form, data) is sent with `Content-Encoding: gzip` (RFC 9110 section 8.4, RFC 1952) if it has the
/// size and gets smaller. Not compressed: files and streams, also as parts of a multipart form, requests with a
/// `Content-Encoding`, `Content-Range` or digest field of the app, and a ``BaseAPIManager/sample``.
///
/// ``Service/adapt(_:for:)``, plugins and ``Service/bodyTransform(for:)`` see the body before, ``Service/signer(for:)`` and
/// digests after it is compressed. Caches, recordings, cURL commands and the inspector have the uncompressed body.
///
/// A server that does not accept the coding responds with 415 (RFC 9110 section 15.5.14). If its `Accept-Encoding` does not name
/// gzip, the request is sent once more, uncompressed, and bodies for that host stay uncompressed for an hour.
public struct RequestCompression: Sendable, Hashable {
    /// The size from which on bodies are compressed, in bytes; `nil` for none.
    let minimumSize: Int?

    /// Bodies are not compressed.
    public static let off = RequestCompression(minimumSize: nil)

    /// Bodies of 1,024 bytes or more are compressed: smaller ones fit into one packet.
    public static let gzip = gzip(from: 1024)

    /// Bodies of a size, in bytes, or more are compressed.
    public static func gzip(from minimumSize: Int) -> RequestCompression {
        RequestCompression(minimumSize: minimumSize)
    }
}
