import Foundation

/// When an endpoint that keeps failing is no longer called, and for how long.
///
/// ```swift
/// var policy = BreakerPolicy.standard
/// policy.openDuration = 10
/// ```
///
/// A circuit breaker (Nygard, "Release It!", chapter "Stability Patterns") is closed at first: every call goes
/// out. When ``threshold`` of them have failed within ``window``, and these are at least the share ``ratio`` of
/// all, it opens: calls are answered with ``APIError/Kind/degraded(until:)``, and nothing is sent. After
/// ``openDuration`` it is half open: as many as ``halfOpenCalls`` calls go out. The first of these that succeeds closes it,
/// the first that fails opens it again.
///
/// A status of 500 and above, a timeout and an exchange that fails on the wire are failures. Every other
/// response is a success: the endpoint works. What says nothing about the endpoint does not count: a cancelled
/// call, a missing network, a certificate that is not trusted, the statuses 408 and 429.
public struct BreakerPolicy: Sendable, Hashable {
    /// Seconds that a failure counts for, to a tenth of them.
    public var window: TimeInterval
    /// How many failures within the window open the breaker; at least 1.
    public var threshold: Int
    /// Which share of the calls within the window must have failed besides, from 0 to 1.
    public var ratio: Double
    /// Seconds for which nothing is sent. A trial call that takes longer than that makes way for another.
    public var openDuration: TimeInterval
    /// How many calls may be on trial at once; at least 1.
    public var halfOpenCalls: Int

    public init(
        window: TimeInterval = 60, threshold: Int = 5, ratio: Double = 0.5, openDuration: TimeInterval = 30,
        halfOpenCalls: Int = 1
    ) {
        self.window = window
        self.threshold = threshold
        self.ratio = ratio
        self.openDuration = openDuration
        self.halfOpenCalls = halfOpenCalls
    }

    /// Five failures within 60 seconds, and half of all calls: nothing is sent for 30 seconds, then one call.
    public static let standard = BreakerPolicy()
}
