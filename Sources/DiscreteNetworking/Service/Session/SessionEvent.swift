import Foundation

/// What happens to a ``TokenSession``, for the app shell.
///
/// ```swift
/// for await event in session.events {
///     if event == .loginRequired { badge.isHidden = false }
/// }
/// ```
public enum SessionEvent: Sendable, Hashable {
    /// The access token is expired; a refresh has begun.
    case expired
    /// There are new tokens.
    case refreshed
    /// There are none.
    case refreshFailed(RefreshFailure)
    /// The user has to log in; where the session has a ``SessionLogin``, it is asked.
    case loginRequired
    /// The user has logged in.
    case loggedIn
    /// The user has logged out; the tokens are forgotten.
    case loggedOut
    /// The credential store did not read, keep or forget the tokens.
    case storeFailed(reason: String)

    /// The name under which `NotificationCenter.default` tells the same, on the main thread, with the session
    /// as its object.
    public var notification: Notification.Name {
        switch self {
        case .expired: .tokenSessionExpired
        case .refreshed: .tokenSessionRefreshed
        case .refreshFailed: .tokenSessionRefreshFailed
        case .loginRequired: .tokenSessionLoginRequired
        case .loggedIn: .tokenSessionLoggedIn
        case .loggedOut: .tokenSessionLoggedOut
        case .storeFailed: .tokenSessionStoreFailed
        }
    }
}

extension Notification.Name {
    /// See ``SessionEvent/expired``.
    public static let tokenSessionExpired = Self("DiscreteNetworking.TokenSession.expired")
    /// See ``SessionEvent/refreshed``.
    public static let tokenSessionRefreshed = Self("DiscreteNetworking.TokenSession.refreshed")
    /// See ``SessionEvent/refreshFailed(_:)``.
    public static let tokenSessionRefreshFailed = Self("DiscreteNetworking.TokenSession.refreshFailed")
    /// See ``SessionEvent/loginRequired``.
    public static let tokenSessionLoginRequired = Self("DiscreteNetworking.TokenSession.loginRequired")
    /// See ``SessionEvent/loggedIn``.
    public static let tokenSessionLoggedIn = Self("DiscreteNetworking.TokenSession.loggedIn")
    /// See ``SessionEvent/loggedOut``.
    public static let tokenSessionLoggedOut = Self("DiscreteNetworking.TokenSession.loggedOut")
    /// See ``SessionEvent/storeFailed(reason:)``.
    public static let tokenSessionStoreFailed = Self("DiscreteNetworking.TokenSession.storeFailed")
}
