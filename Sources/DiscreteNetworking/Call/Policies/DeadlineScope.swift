public import Foundation

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

extension APICall {
    /// The scope of the calls that start in the current task; `nil` if there is none.
    @TaskLocal static var deadlineScope: DeadlineScope?

    /// Limits the calls that start in a closure: they end at the latest this many seconds after the first of them has started.
    ///
    /// ```swift
    /// let price = try await APICall.withDeadline(2) {
    ///     try await manager.load(with: ["id": 7])
    /// }
    /// ```
    ///
    /// The limit is shared by all calls of the closure, such as the members of a chain. If a manager or a service has a
    /// ``BaseAPIManager/deadline`` as well, the one that is over first ends the call, with
    /// ``APIError/Kind/deadlineExceeded(waitingFor:)``. Calls that hooks make for these calls, and a refresh that they start,
    /// are not limited. The closure itself is not interrupted.
    /// - Parameter seconds: The limit, by the clock of the proxy; greater than 0.
    /// - Returns: What the closure returns.
    /// - Throws: What the closure throws.
    public static func withDeadline<Result, Failure: Error>(
        _ seconds: TimeInterval, isolation: isolated (any Actor)? = #isolation,
        _ work: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let scope = DeadlineScope(seconds, in: deadlineScope)
        // `withValue` throws any error.
        let result = await $deadlineScope.withValue(scope) { () async -> Swift.Result<Result, Failure> in
            do throws(Failure) { return .success(try await work()) } catch { return .failure(error) }
        }
        return try result.get()
    }
}
