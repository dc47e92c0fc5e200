public import DiscreteNetworkingCore

/// The access key of an AWS user or role. Its description does not show it.
public struct AWSCredentials: Sendable, Hashable {
    /// The ID of the access key, which is part of each request.
    public var accessKeyID: String
    /// The secret access key, which signs.
    public var secretAccessKey: SigningKey
    /// The session token of temporary credentials (AWS STS); `nil` for an access key that does not expire.
    public var sessionToken: String?

    /// Creates credentials.
    public init(accessKeyID: String, secretAccessKey: SigningKey, sessionToken: String? = nil) {
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
    }
}

extension AWSCredentials: SecretBearing {
    /// The redaction mark.
    public var description: String { Redaction.mark }
}
