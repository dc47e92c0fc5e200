/// Presents the app's login when a ``TokenSession`` needs one.
///
/// ```swift
/// @MainActor final class LoginFlow: SessionLogin {
///     func logIn(to session: TokenSession) async -> LoginOutcome {
///         guard let form = await presentLoginScreen() else { return .cancelled }
///         do {
///             return .loggedIn(
///                 SessionTokens(try await LoginManager().load(with: form)))
///         } catch {
///             return .failed(error)
///         }
///     }
/// }
/// ```
///
/// Managers that the login makes go over the proxy of the call that needs it; see ``APICall/proxy``.
///
/// One login runs at a time, regardless of the number of waiting calls. The login's own manager returns
/// `false` for ``BaseAPIManager/usesSession``, so that it does not wait for the login that it is part of.
@MainActor
public protocol SessionLogin: AnyObject, Sendable {
    /// Returns whether the user is logged in, for managers with ``BaseAPIManager/requiresLogin``. Default:
    /// ``TokenSession/isLoggedIn``. The credential store has been read before this is called.
    func isLoggedIn(to session: TokenSession) -> Bool

    /// Logs the user in. The task is canceled if the app logs in or out in another way in the meantime.
    func logIn(to session: TokenSession) async -> LoginOutcome

    /// Performs the app's part of a logout, after the session has removed its tokens. Default: does
    /// nothing.
    func logOut(from session: TokenSession) async
}

extension SessionLogin {
    public func isLoggedIn(to session: TokenSession) -> Bool { session.isLoggedIn }
    public func logOut(from session: TokenSession) async {}
}

/// The outcome of a login.
public enum LoginOutcome: Sendable {
    /// The user logged in; waiting calls are retried with these tokens.
    case loggedIn(SessionTokens)
    /// The login failed, for example because of a wrong password. Waiting calls end with
    /// ``APIError/Kind/loginRequired``. The error is their ``APIError/underlying``. An error other than ``APIError`` is
    /// reported by its type as ``APIError/Kind/loginFailed(reason:)``.
    case failed(any Error)
    /// The user canceled the login. Waiting calls end with ``APIError/Kind/loginCancelled``.
    case cancelled
}
