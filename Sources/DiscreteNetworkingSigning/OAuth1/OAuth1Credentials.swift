public import DiscreteNetworkingCore
import Foundation

/// The credentials of a client, with token credentials or temporary credentials if there are any (RFC 5849 section
/// 1.1). Their description does not show them.
public struct OAuth1Credentials: Sendable, Hashable {
    /// The client's identifier, also called consumer key.
    public var consumerKey: String
    /// The client's shared secret, also called consumer secret.
    public var consumerSecret: SigningKey
    /// The temporary or token credentials' identifier; `nil` before there is one.
    public var token: String?
    /// The shared secret of ``token``.
    public var tokenSecret: SigningKey?

    /// Creates credentials.
    public init(
        consumerKey: String, consumerSecret: SigningKey, token: String? = nil, tokenSecret: SigningKey? = nil
    ) {
        self.consumerKey = consumerKey
        self.consumerSecret = consumerSecret
        self.token = token
        self.tokenSecret = tokenSecret
    }

    /// Both secrets, encoded and joined by `&` (RFC 5849 section 3.4.2).
    var key: String {
        [consumerSecret, tokenSecret].map {
            PercentEncoding.unreserved.encode($0?.data ?? Data())
        }.joined(separator: "&")
    }
}

extension OAuth1Credentials: SecretBearing {
    /// The redaction mark.
    public var description: String { Redaction.mark }
}
