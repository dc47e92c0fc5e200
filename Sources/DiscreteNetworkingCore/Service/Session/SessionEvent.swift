public import Foundation

/// An event of a ``TokenSession``.
///
/// ```swift
/// for await event in session.events {
///     if event == .loginRequired { badge.isHidden = false }
/// }
/// ```
#if hasAttribute(nonexhaustive)
    @nonexhaustive(warn)
#endif
public enum SessionEvent: Sendable, Hashable {
    /// The access token expired, and a refresh has started.
    case expired
    /// The tokens were refreshed.
    case refreshed
    /// The refresh failed.
    case refreshFailed(RefreshFailure)
    /// The user has to log in. If the session has a ``SessionLogin``, it is called.
    case loginRequired
    /// The user has logged in.
    case loggedIn
    /// The user has logged out, and the tokens were removed.
    case loggedOut
    /// The credential store failed to read, write or remove the tokens.
    case storeFailed(reason: String)
    /// The credential store, which could not be read, was read: calls that have failed with
    /// ``APIError/Kind/sessionUnavailable(reason:)`` can be made again.
    case storeRead

    /// The name of the same event in `NotificationCenter.default`, posted on the main thread with the
    /// session as its object.
    public var notification: Notification.Name {
        switch self {
        case .expired: .tokenSessionExpired
        case .refreshed: .tokenSessionRefreshed
        case .refreshFailed: .tokenSessionRefreshFailed
        case .loginRequired: .tokenSessionLoginRequired
        case .loggedIn: .tokenSessionLoggedIn
        case .loggedOut: .tokenSessionLoggedOut
        case .storeFailed: .tokenSessionStoreFailed
        case .storeRead: .tokenSessionStoreRead
        }
    }
}

extension Notification.Name {
    /// Posted for ``SessionEvent/expired``.
    public static let tokenSessionExpired = Self("DiscreteNetworking.TokenSession.expired")
    /// Posted for ``SessionEvent/refreshed``.
    public static let tokenSessionRefreshed = Self("DiscreteNetworking.TokenSession.refreshed")
    /// Posted for ``SessionEvent/refreshFailed(_:)``.
    public static let tokenSessionRefreshFailed = Self("DiscreteNetworking.TokenSession.refreshFailed")
    /// Posted for ``SessionEvent/loginRequired``.
    public static let tokenSessionLoginRequired = Self("DiscreteNetworking.TokenSession.loginRequired")
    /// Posted for ``SessionEvent/loggedIn``.
    public static let tokenSessionLoggedIn = Self("DiscreteNetworking.TokenSession.loggedIn")
    /// Posted for ``SessionEvent/loggedOut``.
    public static let tokenSessionLoggedOut = Self("DiscreteNetworking.TokenSession.loggedOut")
    /// Posted for ``SessionEvent/storeFailed(reason:)``.
    public static let tokenSessionStoreFailed = Self("DiscreteNetworking.TokenSession.storeFailed")
    /// Posted for ``SessionEvent/storeRead``.
    public static let tokenSessionStoreRead = Self("DiscreteNetworking.TokenSession.storeRead")
}
