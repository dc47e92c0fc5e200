public import Foundation

/// When a ``TokenSession`` refreshes its tokens, and how often. All times are in seconds.
public struct RefreshPolicy: Sendable, Hashable {
    /// How long before its expiry the access token is refreshed, in the background of the next call; 0 to
    /// wait until the server rejects it.
    public var ahead: TimeInterval
    /// The timeout for a refresh; `.infinity` for no limit.
    public var timeout: TimeInterval
    /// The maximum number of refreshes within ``window`` that fail or yield a token that is never accepted.
    /// Protects against a backend that keeps issuing rejected tokens.
    public var limit: Int
    /// The time window that ``limit`` applies to.
    public var window: TimeInterval

    /// Creates a policy; see the properties for each value.
    public init(
        ahead: TimeInterval = 0, timeout: TimeInterval = 30, limit: Int = 5, window: TimeInterval = 60
    ) {
        self.ahead = ahead
        self.timeout = timeout
        self.limit = limit
        self.window = window
    }
}
