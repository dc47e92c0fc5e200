#if canImport(UIKit)
    import Combine
    import DiscreteNetworking

    /// Shows the login screen when the session needs the user. Calls that wait for the login are sent afterwards.
    @MainActor
    final class ShopLogin: ObservableObject, SessionLogin {
        /// Whether the login screen is shown.
        @Published var isShown = false
        /// Why the last attempt failed, in the user's language.
        @Published private(set) var message: String?
        private let manager = LoginManager()
        private var waiting: CheckedContinuation<LoginOutcome, Never>?

        func logIn(to session: TokenSession) async -> LoginOutcome {
            message = nil
            isShown = true
            return await withTaskCancellationHandler {
                await withCheckedContinuation { waiting = $0 }
            } onCancel: {
                // The app has logged in or out in another way.
                Task { @MainActor in cancel() }
            }
        }

        /// Sends what the user has typed. The screen stays if the backend rejects it.
        func submit(username: String, password: String) async {
            do throws(APIError) {
                let session = try await manager.load(with: ["username": username, "password": password])
                end(.loggedIn(session.tokens))
            } catch {
                message = error.userMessage
            }
        }

        /// Ends the login without a user.
        func cancel() { end(.cancelled) }

        private func end(_ outcome: LoginOutcome) {
            waiting?.resume(returning: outcome)
            waiting = nil
            isShown = false
        }
    }
#endif
