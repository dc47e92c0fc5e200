public import Foundation

/// Provides the time, and suspends tasks. Replaceable in tests of retries, circuit breakers and caches.
///
/// Apps use the default, ``SystemClock``.
public protocol APIClock: Sendable {
    /// The current date. It may change abruptly in either direction.
    var now: Date { get }
    /// The seconds since an arbitrary point in the past. Monotonic, and includes the time that the device
    /// sleeps.
    var uptime: TimeInterval { get }
    /// Suspends the task for a time in seconds; returns immediately for 0 or less.
    /// - Throws: `CancellationError` as soon as the task is canceled.
    func sleep(for seconds: TimeInterval) async throws
}

/// The clock of the device.
public struct SystemClock: APIClock {
    /// Creates a system clock.
    public init() {}

    public var now: Date { Date() }

    public var uptime: TimeInterval { Uptime.seconds }

    public func sleep(for seconds: TimeInterval) async throws {
        try Task.checkCancellation()
        // Also rejects NaN.
        guard seconds > 0 else { return }
        try await Task.sleep(nanoseconds: UInt64(min(seconds, Self.longest) * 1e9))
    }

    /// Ten years; larger values would overflow the nanoseconds.
    private static let longest: TimeInterval = 10 * 365 * 86_400
}
