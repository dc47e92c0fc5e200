import Foundation

/// Where waiting and the time come from, so that tests of retries, breakers and caches need not wait.
///
/// An app has no need to make one: ``SystemClock`` is the default.
public protocol APIClock: Sendable {
    /// The time of day. It may jump, in both directions.
    var now: Date { get }
    /// Seconds since some moment in the past. They only go forward, and go on while the device sleeps.
    var uptime: TimeInterval { get }
    /// Returns after so many seconds; at once for 0 and less.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func sleep(for seconds: TimeInterval) async throws
}

/// The clock of the device.
public struct SystemClock: APIClock {
    public init() {}

    public var now: Date { Date() }

    public var uptime: TimeInterval {
        var time = timespec()
        clock_gettime(Self.clock, &time)
        return TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1e9
    }

    /// Linux's monotonic clock stands still while the device sleeps, Apple's does not.
    #if canImport(Darwin)
        private static let clock = CLOCK_MONOTONIC
    #else
        private static let clock = clockid_t(CLOCK_BOOTTIME)
    #endif

    public func sleep(for seconds: TimeInterval) async throws {
        try Task.checkCancellation()
        // Also what is not a number.
        guard seconds > 0 else { return }
        try await Task.sleep(nanoseconds: UInt64(min(seconds, Self.longest) * 1e9))
    }

    /// Ten years; more nanoseconds than 64 bits hold are a trap.
    private static let longest: TimeInterval = 10 * 365 * 86_400
}
