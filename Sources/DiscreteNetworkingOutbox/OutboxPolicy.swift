public import Foundation

/// When an ``Outbox`` sends an entry again, and when it gives up.
public struct OutboxPolicy: Sendable, Hashable {
    /// The maximum number of attempts that may have reached the server, for one entry. Default: 20.
    ///
    /// Attempts without a network do not count, nor do attempts that wait for a user.
    public var attempts: Int
    /// The maximum age of an entry, in seconds. Default: 14 days.
    public var age: TimeInterval
    /// The upper bound of the delay after the first failure, in seconds, which doubles with each further one. Default: 1.
    ///
    /// Each delay is random between half the bound and the bound, and at least the `Retry-After` of the response (RFC 9110
    /// section 10.2.3).
    public var base: TimeInterval
    /// The upper bound of any delay, in seconds, except for `Retry-After`. Default: an hour.
    public var cap: TimeInterval
    /// The maximum number of lanes that send at the same time. Default: 4.
    public var lanes: Int
    /// The seconds between two looks at the folder, for what other processes have done; 0 for an app without extensions. Default: 2.
    ///
    /// By them an outbox finds the entries that another process has made, and sends if the process that sent has ended.
    public var checkInterval: TimeInterval

    /// Creates a policy; see the properties for each value.
    public init(
        attempts: Int = 20, age: TimeInterval = 14 * 86_400, base: TimeInterval = 1,
        cap: TimeInterval = 3600, lanes: Int = 4, checkInterval: TimeInterval = 2
    ) {
        self.attempts = attempts
        self.age = age
        self.base = base
        self.cap = cap
        self.lanes = lanes
        self.checkInterval = checkInterval
    }

    /// Returns the delay after a failure, in seconds.
    /// - Parameters:
    ///   - attempts: The number of failures so far; at least 1.
    ///   - asked: What the server asked for.
    ///   - random: A number in 0..<1.
    func delay(after attempts: Int, asked: TimeInterval?, random: Double) -> TimeInterval {
        let bound = min(max(cap, 0), max(base, 0) * pow(2, Double(min(max(attempts, 1), 60) - 1)))
        // A server may not keep an entry for ever.
        return max(bound * (0.5 + random / 2), min(asked ?? 0, 86_400))
    }
}
