public import Foundation

extension APICall {
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
        try await CallContext.within({ $0.deadline = DeadlineScope(seconds, in: $0.deadline) }, work)
    }
}
