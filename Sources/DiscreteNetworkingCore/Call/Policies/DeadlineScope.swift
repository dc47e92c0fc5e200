import Foundation

/// A timeout for all calls that start in a closure; see ``APICall/withDeadline(_:isolation:_:)``.
final class DeadlineScope: Sendable {
    /// The limit, in seconds.
    let seconds: TimeInterval
    /// The scope around this one; `nil` if there is none.
    let outer: DeadlineScope?
    /// When the first call of each clock started, in seconds.
    private let starts = Locked<[ObjectIdentifier: TimeInterval]>([:])

    init(_ seconds: TimeInterval, in outer: DeadlineScope?) { (self.seconds, self.outer) = (seconds, outer) }

    /// Returns the start of the scope's first call.
    /// - Parameters:
    ///   - owner: The owner of the clock.
    ///   - time: The start of a call by this clock, in seconds.
    @discardableResult
    func start(by owner: AnyObject, orAt time: TimeInterval) -> TimeInterval {
        outer?.start(by: owner, orAt: time)
        return starts.withLock { starts in
            let start = starts[ObjectIdentifier(owner)] ?? time
            starts[ObjectIdentifier(owner)] = start
            return start
        }
    }
}
