public import DiscreteNetworkingCore
public import DiscreteNetworkingOutbox
import Foundation

extension Outbox {
    /// Creates an outbox that keeps its entries in memory.
    ///
    /// ```swift
    /// let clock = TestClock()
    /// let outbox = try Outbox.inMemory(
    ///     proxy: ApiProxy(transport: stubs, services: services, clock: clock),
    ///     managers: [
    ///         OutboxManager("like", LikeManager.self) { _ in LikeManager() }
    ///     ])
    /// try await outbox.send(LikeManager.self, with: ["id": 7])
    /// assertQueued(LikeManager.self, with: ["id": 7], in: outbox)
    /// try await outbox.drain(advancing: clock)
    /// ```
    /// - Parameters:
    ///   - proxy: The proxy that sends.
    ///   - managers: The managers that the outbox can send calls for.
    ///   - policy: When an entry is sent again, and when the outbox gives up.
    /// - Throws: ``/DiscreteNetworkingOutbox/OutboxError/ambiguousManager(_:)``.
    public static func inMemory(
        proxy: ApiProxy, managers: [OutboxManager], policy: OutboxPolicy = OutboxPolicy(checkInterval: 0)
    ) throws(OutboxError) -> Outbox {
        try Outbox(inMemory: proxy, managers: managers, policy: policy)
    }

    /// Sends what can be sent, and advances the clock to each next attempt, until no entry waits for a date. What is left is dead,
    /// or waits for a user, an environment or another version of the app.
    /// - Parameter clock: The clock of the outbox's proxy.
    /// - Throws: ``/DiscreteNetworkingOutbox/OutboxError``.
    public func drain(advancing clock: TestClock) async throws(OutboxError) {
        try await drain()
        while let date = nextAttempt {
            // A little more: dates are rounded.
            clock.advance(by: max(date.timeIntervalSince(clock.now), 0) + 0.001)
            wake()
            try await drain()
        }
    }

    private var nextAttempt: Date? {
        entries.compactMap { entry in
            if case .waiting(.retry(let date)) = entry.state { date } else { nil }
        }.min()
    }
}
