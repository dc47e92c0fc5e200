/// What the app does when a ``TokenSession`` needs its user: shows a login, and says how it ended.
///
/// ```swift
/// @MainActor final class LoginFlow: SessionLogin {
///     func logIn(to session: TokenSession) async -> LoginOutcome {
///         guard let form = await presentLoginScreen() else { return .cancelled }
///         do {
///             return .loggedIn(SessionTokens(try await LoginManager().load(with: form)))
///         } catch {
///             return .failed(error)
///         }
///     }
/// }
/// ```
/// However many calls wait, it is asked for one login at a time. The login's own manager says
/// ``BaseAPIManager/usesSession`` `false`, so that it never waits for the login that it is part of.
@MainActor
public protocol SessionLogin: AnyObject, Sendable {
    /// Whether the user is logged in, as far as managers with ``BaseAPIManager/requiresLogin`` are concerned.
    /// Default: ``TokenSession/isLoggedIn``. The store has been read when a call asks.
    func isLoggedIn(to session: TokenSession) -> Bool

    /// Has the user log in. Its task is cancelled when the app logs in or out by other ways meanwhile.
    func logIn(to session: TokenSession) async -> LoginOutcome

    /// The app's own part of a logout, after the session has forgotten its tokens. Default: nothing.
    func logOut(from session: TokenSession) async
}

extension SessionLogin {
    public func isLoggedIn(to session: TokenSession) -> Bool { session.isLoggedIn }
    public func logOut(from session: TokenSession) async {}
}

/// How a login ended.
public enum LoginOutcome: Sendable {
    /// The waiting calls are repeated with these.
    case loggedIn(SessionTokens)
    /// It went wrong, by a wrong password for one. The waiting calls end with ``APIError/Kind/loginRequired``, whose
    /// ``APIError/underlying`` is the error; one that is no ``APIError`` is named by its type, as
    /// ``APIError/Kind/loginFailed(reason:)``.
    case failed(any Error)
    /// The user did not want to. The waiting calls end with ``APIError/Kind/loginCancelled``.
    case cancelled

    private struct UnknownReason: Error {}

    /// It went wrong, and nobody says how.
    @available(*, deprecated, message: "Say what went wrong: .failed(error).")
    public static var failed: Self { .failed(UnknownReason()) }
}
