import Foundation

/// What a client shows to a server that wants to know who calls (RFC 9110 section 11).
///
/// ```swift
/// func credential(for call: APICall) -> HTTPCredential? { .basic(user: "casa", password: secret) }
/// ```
/// It never goes to another origin than that of the service.
public enum HTTPCredential: Sendable, Hashable {
    /// RFC 7617, sent at once.
    case basic(user: String, password: String)
    /// RFC 7616: sent in answer to the server's challenge.
    case digest(user: String, password: String)
    /// RFC 6750, sent at once.
    case bearer(String)

    /// The value of the `Authorization` header; `nil` where that needs the server's challenge.
    package var authorization: String? {
        switch self {
        case .basic(let user, let password):
            "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
        case .bearer(let token): "Bearer " + token
        case .digest: nil
        }
    }
}

extension HTTPCredential: SecretBearing {
    /// The scheme; never the secret.
    public var description: String {
        switch self {
        case .basic: "Basic"
        case .digest: "Digest"
        case .bearer: "Bearer"
        }
    }
}
