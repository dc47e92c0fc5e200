import DiscreteNetworking

/// What the shop's session shows when it needs the user. The user of the sample answers as scripted.
@MainActor
final class LoginSheet: SessionLogin {
    /// What the user types; `nil` for one who taps Cancel.
    var password: String?
    private let manager = LoginManager()

    init(proxy: ApiProxy) { manager.proxy = proxy }

    func logIn(to session: TokenSession) async -> LoginOutcome {
        guard let password else { return .cancelled }
        do throws(APIError) {
            return .loggedIn(try await manager.load(with: ["username": "小明", "password": password]).tokens)
        } catch {
            return .failed(error)
        }
    }
}
