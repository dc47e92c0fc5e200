package import Foundation

/// A call that is sent later, or not any more, as an inspector shows it.
package struct QueuedCall: Sendable {
    /// What keeps it, such as `outbox`.
    package let queue: String
    package let id: UUID
    package let manager: String
    package let lane: String
    /// `waiting`, `sending` or `dead`.
    package let state: String
    /// Why it waits or is dead, for developers.
    package let reason: String?
    package let attempts: Int
    package let created: Date
    package let user: String?

    package init(
        queue: String, id: UUID, manager: String, lane: String, state: String, reason: String?, attempts: Int,
        created: Date, user: String?
    ) {
        self.queue = queue
        self.id = id
        self.manager = manager
        self.lane = lane
        self.state = state
        self.reason = reason
        self.attempts = attempts
        self.created = created
        self.user = user
    }
}

/// Something that keeps calls which a proxy sends later, such as an outbox.
@MainActor
package protocol DeferredQueue: AnyObject, Sendable {
    /// At most so many of its calls, in the order in which they were made.
    func queuedCalls(limit: Int) -> [QueuedCall]
}

/// The queues over a proxy. They cost nothing until somebody looks.
package final class DeferredQueues: ProxyState {
    private struct State {
        var calls: [QueuedCall] = []
        var isReading = false
    }

    private let members = WeakList<any DeferredQueue>()
    private let state = Locked(State())
    /// The number of calls of one queue that are shown.
    package static let limit = 1000

    /// Adds a queue, as long as it exists.
    package func add(_ queue: any DeferredQueue) { members.add { [weak queue] in queue } }

    /// Returns what the queues had when they were asked last, and asks them again: they are on the main actor, and who looks is not.
    package func latest() -> [QueuedCall] {
        let (calls, isDue) = state.withLock { state in
            defer { state.isReading = true }
            return (state.calls, !state.isReading)
        }
        if isDue {
            Task { @MainActor in
                let calls = self.members.all.flatMap { $0.queuedCalls(limit: Self.limit) }
                self.state.withLock { state in
                    state.calls = calls
                    state.isReading = false
                }
            }
        }
        return calls
    }
}

extension ApiProxy {
    /// What keeps calls that are sent later.
    package var queues: DeferredQueues { state { DeferredQueues() } }
}
