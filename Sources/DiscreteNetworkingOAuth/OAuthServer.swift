public import Foundation

/// The endpoints of an authorization server (RFC 6749 section 3).
///
/// ```swift
/// let server = OAuthServer(
///     issuer: "https://login.example.com",
///     authorization: URL(string: "https://login.example.com/authorize")!,
///     token: URL(string: "https://login.example.com/token")!)
/// ```
public struct OAuthServer: Sendable, Hashable {
    /// The issuer, which responses to authorization requests name (RFC 9207); `nil` if it is unknown.
    public var issuer: String?
    /// Whether each response to an authorization request names the issuer: `authorization_response_iss_parameter_supported` of
    /// RFC 9207 section 3. A response without it is then refused. Default: `false`.
    public var sendsIssuer: Bool
    /// The page on which the user logs in.
    public var authorization: URL
    /// The token endpoint.
    public var token: URL
    /// The endpoint for devices without a browser (RFC 8628 section 3.1); `nil` if there is none.
    public var deviceAuthorization: URL?
    /// The endpoint that revokes tokens (RFC 7009); `nil` if there is none.
    public var revocation: URL?

    /// Creates a server; see the properties for each value.
    public init(
        issuer: String? = nil, sendsIssuer: Bool = false, authorization: URL, token: URL,
        deviceAuthorization: URL? = nil, revocation: URL? = nil
    ) {
        self.issuer = issuer
        self.sendsIssuer = sendsIssuer
        self.authorization = authorization
        self.token = token
        self.deviceAuthorization = deviceAuthorization
        self.revocation = revocation
    }
}
