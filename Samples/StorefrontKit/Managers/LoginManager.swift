import DiscreteNetworking

struct Session: Decodable, Sendable {
    let token: String
    let nickname: String
}

/// Params: `username`, `password`.
final class LoginManager: APIManager<Session> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "users/login"
    let requestType = HTTPMethod.post
}
