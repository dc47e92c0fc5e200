public import DiscreteNetworkingCore
public import Foundation

/// The time of a server, for signatures of devices with a wrong clock.
///
/// ```swift
/// let clock = ServerClock()
///
/// func signer(for call: APICall) -> (any RequestSigner)? {
///     AWSSigner(
///         credentials: credentials, region: "eu-central-1", service: "es",
///         now: clock.now)
/// }
///
/// func intercept(_ failure: FailureContext) async -> FailureDisposition {
///     clock.adjust(to: failure) ? .retry(after: 0) : .report
/// }
/// ```
///
/// Servers reject signatures with a time that differs from the server's time by more than 5 to 15 minutes. The clock
/// shows the system's time until a response shows a difference.
public final class ServerClock: Sendable {
    /// The difference in seconds from which on the clock is adjusted.
    public let tolerance: TimeInterval
    private let system: @Sendable () -> Date
    /// What the server's time is ahead of the system's, in seconds.
    private let offset = Locked<(seconds: TimeInterval, adjusted: Date?)>((0, nil))
    /// How long after an adjustment calls may be rejected that were signed before, in seconds.
    private static let period: TimeInterval = 120

    /// Creates a clock.
    /// - Parameters:
    ///   - tolerance: The difference in seconds from which on the clock is adjusted. Default: 60.
    ///   - system: Returns the time of the device. Default: the system clock.
    public init(tolerance: TimeInterval = 60, system: @escaping @Sendable () -> Date = { Date() }) {
        self.tolerance = tolerance
        self.system = system
    }

    /// Returns the current time of the server.
    public var now: @Sendable () -> Date {
        { [self] in system().addingTimeInterval(offset.current.seconds) }
    }

    /// Adjusts the clock if a call was rejected (400, 401 or 403) and the `Date` of the response (RFC 9110 section 6.6.1) shows
    /// another time.
    /// - Returns: Whether the call should be retried: the clock was adjusted, now, or for another call after this one had
    ///   been signed.
    public func adjust(to failure: FailureContext) -> Bool {
        guard let response = failure.response, [400, 401, 403].contains(response.status),
            let seconds = response.headers["Date"].flatMap(HTTPDate.seconds)
        else { return false }
        let server = Date(timeIntervalSince1970: TimeInterval(seconds))
        let system = system()
        return offset.withLock { offset in
            guard abs(server.timeIntervalSince(system) - offset.seconds) > tolerance else {
                // Another call has adjusted it since this one was signed. A call that was retried has the right time.
                let age = offset.adjusted.map { system.timeIntervalSince($0) } ?? .infinity
                return failure.call.attempt == 1 && 0...Self.period ~= age
            }
            offset = (server.timeIntervalSince(system), system)
            return true
        }
    }
}
