public import DiscreteNetworkingCore
public import Foundation

/// The app, as an authorization server knows it (RFC 6749 section 2).
///
/// ```swift
/// let client = OAuthClient(
///     "shop-app", redirectURL: URL(string: "com.example.shop:/callback")!,
///     scope: "orders profile", at: server)
/// ```
///
/// Requests to the server are calls of a service of their own: they have no token, header, param or cookie of the app's
/// services. Redirects are not followed, because they would take codes and secrets elsewhere.
public struct OAuthClient: Sendable, Hashable {
    /// The server.
    public let server: OAuthServer
    /// `client_id`.
    public let identifier: String
    /// How the client proves who it is.
    public let authentication: Authentication
    /// Where the server leads the browser after the login; `nil` for a client that uses the device flow only.
    public let redirectURL: URL?
    /// The scopes that are asked for, separated by spaces (RFC 6749 section 3.3). Empty for the server's default
    /// scopes.
    public let scope: String

    /// The authentication of a client at the token endpoint (RFC 6749 section 2.3).
    public enum Authentication: Sendable, Hashable {
        /// A public client, such as an app on users' devices: what is in an app is no secret.
        case none
        /// HTTP Basic authentication.
        case header(secret: String)
        /// `client_secret` in the body, for servers that do not support Basic.
        case body(secret: String)
    }

    /// Creates a client; see the properties for each value.
    public init(
        _ identifier: String, authentication: Authentication = .none, redirectURL: URL? = nil,
        scope: String = "", at server: OAuthServer
    ) {
        self.identifier = identifier
        self.authentication = authentication
        self.redirectURL = redirectURL
        self.scope = scope
        self.server = server
    }

    /// The params that identify the client in a body.
    var params: Params {
        switch authentication {
        case .none: ["client_id": identifier]
        case .header: [:]
        case .body(let secret): ["client_id": identifier, "client_secret": secret]
        }
    }

    /// The header that authenticates the client. Identifier and secret are form-encoded first (RFC 6749 section 2.3.1).
    var headers: [String: String] {
        guard case .header(let secret) = authentication else { return [:] }
        let pair = "\(Self.formEncoded(identifier)):\(Self.formEncoded(secret))"
        return ["Authorization": "Basic " + Data(pair.utf8).base64EncodedString()]
    }

    /// Encodes a text as `application/x-www-form-urlencoded` does.
    private static func formEncoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { encoded, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "*"), UInt8(ascii: "-"),
                UInt8(ascii: "."), UInt8(ascii: "_"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            case UInt8(ascii: " "): encoded += "+"
            default:
                let hexadecimal = String(byte, radix: 16, uppercase: true)
                encoded += "%" + (hexadecimal.count < 2 ? "0" : "") + hexadecimal
            }
        }
    }
}

extension OAuthClient: SecretBearing {
    /// The identifier and the token endpoint; never the secret.
    public var description: String { "OAuthClient(\(identifier) at \(server.token.host ?? ""))" }
}
