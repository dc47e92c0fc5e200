#if os(Linux)
    /// The challenges of a server to a user (RFC 7616): as long as the server accepts the nonce of the last one, further requests
    /// are sent with it and a higher `nc`, and need no challenge of their own.
    struct DigestChallenge: Hashable {
        let origin: String
        let user: String
        let password: String
    }
#endif
