import DiscreteNetworking
import Foundation

/// What a login and a refresh answer.
nonisolated struct Session: Decodable, Sendable {
    let token: String
    let refreshToken: String
    /// In seconds.
    let expiresIn: TimeInterval
    let nickname: String

    var tokens: SessionTokens {
        SessionTokens(
            accessToken: token, refreshToken: refreshToken, expiry: Date().addingTimeInterval(expiresIn),
            user: nickname)
    }
}

/// Params: `username`, `password`.
final class LoginManager: APIManager<Session> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "users/login"
    let requestType = HTTPMethod.post

    /// It would wait for the login that it is.
    override var usesSession: Bool { false }
}
