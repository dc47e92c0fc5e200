public import Foundation

/// When an endpoint that keeps failing is no longer called, and for how long.
///
/// ```swift
/// var policy = CircuitBreakerPolicy.standard
/// policy.openDuration = 10
/// ```
///
/// A circuit breaker (Nygard, "Release It!", chapter "Stability Patterns") starts closed: every call is
/// sent. When at least ``threshold`` calls, and at least the fraction ``ratio`` of all calls, have failed
/// within ``window``, it opens: calls end with ``APIError/Kind/degraded(until:)`` and nothing is sent.
/// After ``openDuration`` it is half-open: up to ``halfOpenCalls`` calls are sent. The first success closes
/// it, the first failure opens it again.
///
/// A status of 500 and above, a timeout and a transport failure count as failures. Every other response
/// counts as a success. Results that do not depend on the endpoint are ignored: a canceled call, a missing
/// network, an untrusted certificate, the statuses 408 and 429.
///
/// The initializer and ``standard`` are in `DiscreteNetworkingResilience`.
public struct CircuitBreakerPolicy: Policy, Hashable {
    /// The time window for counting failures, in seconds, with a resolution of a tenth of the window.
    public var window: TimeInterval
    /// The number of failures within the window that opens the circuit breaker; at least 1.
    public var threshold: Int
    /// The minimum fraction of failed calls within the window, from 0 to 1.
    public var ratio: Double
    /// How long the circuit breaker stays open, in seconds. A half-open call that takes longer no longer counts.
    public var openDuration: TimeInterval
    /// The maximum number of concurrent calls while half-open; at least 1.
    public var halfOpenCalls: Int
    package let machinery: Machinery

    package init(
        window: TimeInterval, threshold: Int, ratio: Double, openDuration: TimeInterval, halfOpenCalls: Int,
        machinery: Machinery
    ) {
        self.window = window
        self.threshold = threshold
        self.ratio = ratio
        self.openDuration = openDuration
        self.halfOpenCalls = halfOpenCalls
        self.machinery = machinery
    }
}
