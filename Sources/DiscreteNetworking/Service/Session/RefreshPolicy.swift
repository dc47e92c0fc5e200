import Foundation

/// When a ``TokenSession`` refreshes, for how long and how often. All in seconds.
public struct RefreshPolicy: Sendable, Hashable {
    /// How long before the access token's expiry it is refreshed, in the background of the next call; 0 for
    /// not before the server says that it is expired.
    public var ahead: TimeInterval
    /// How long a refresh may take; `.infinity` for no limit.
    public var timeout: TimeInterval
    /// How many refreshes may begin within ``window`` that bring no token, or one that never works. Against a backend
    /// whose new tokens are as bad as the old.
    public var limit: Int
    /// What ``limit`` counts in.
    public var window: TimeInterval

    public init(
        ahead: TimeInterval = 0, timeout: TimeInterval = 30, limit: Int = 5, window: TimeInterval = 60
    ) {
        self.ahead = ahead
        self.timeout = timeout
        self.limit = limit
        self.window = window
    }
}
