import DiscreteNetworking

/// New tokens for old ones. Params: `refreshToken`.
final class RefreshManager: APIManager<Session> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "users/refresh"
    let requestType = HTTPMethod.post

    /// It would wait for the refresh that it is.
    override var usesSession: Bool { false }
}
