import DiscreteNetworking

final class LoginManager: APIManager<TokenResponse> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "login"
    let requestType = HTTPMethod.post
    override var usesSession: Bool { false }
}

final class RefreshManager: APIManager<TokenResponse> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "token"
    let requestType = HTTPMethod.post
    override var usesSession: Bool { false }
}
