import DiscreteNetworking
import Foundation

// A service whose calls need a login, and the login.

extension ServiceIdentifier { static let members: Self = "members" }

final class MembersService: Service {
    let baseURL = URL(string: "https://members.example.com")!
    let configuration = ServiceConfiguration(
        session: TokenSession { tokens, proxy in
            let manager = RefreshManager()
            manager.proxy = proxy
            return SessionTokens(try await manager.load(with: ["refresh_token": tokens.refreshToken]))
        })
}

final class RefreshManager: APIManager<TokenResponse> {
    let serviceIdentifier = ServiceIdentifier.members
    let methodName = "oauth/token"
    let requestType = HTTPMethod.post
    override var usesSession: Bool { false }
}

final class TokenManager: APIManager<TokenResponse> {
    let serviceIdentifier = ServiceIdentifier.members
    let methodName = "login"
    let requestType = HTTPMethod.post
    override var usesSession: Bool { false }
}

nonisolated struct Points: Decodable, Sendable { let points: Int }

final class PointsManager: APIManager<Points> {
    let serviceIdentifier = ServiceIdentifier.members
    let methodName = "points"
    let requestType = HTTPMethod.get
    override var requiresLogin: Bool { true }
}

@MainActor
final class LoginScreen: SessionLogin {
    let manager = TokenManager()

    func logIn(to session: TokenSession) async -> LoginOutcome {
        guard let answer = try? await manager.load(with: ["name": "casa", "password": "secret"]) else {
            return .cancelled
        }
        return .loggedIn(SessionTokens(answer))
    }
}
