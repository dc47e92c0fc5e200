package import DiscreteNetworkingCore
import Foundation

extension Outbox: DeferredQueue {
    package func queuedCalls(limit: Int) -> [QueuedCall] {
        entries.prefix(limit).map { entry in
            let (state, reason) = Self.state(entry.state)
            return QueuedCall(
                queue: "outbox", id: entry.id, manager: entry.manager, lane: entry.lane, state: state,
                reason: reason, attempts: entry.attempts, created: entry.created, user: entry.user)
        }
    }

    private static func state(_ state: OutboxEntry.State) -> (name: String, reason: String?) {
        switch state {
        case .waiting(let wait): ("waiting", wait.text)
        case .sending: ("sending", nil)
        case .dead(let failure): ("dead", "\(failure.reason.rawValue): \(failure.message)")
        }
    }
}

extension BackgroundTransfers: DeferredQueue {
    package func queuedCalls(limit: Int) -> [QueuedCall] {
        transfers.prefix(limit).map { transfer in
            let (state, reason) = Self.state(transfer.state)
            return QueuedCall(
                queue: "background transfers", id: transfer.id, manager: transfer.manager, lane: "",
                state: state,
                reason: reason, attempts: 0, created: transfer.created, user: transfer.user)
        }
    }

    private static func state(_ state: BackgroundTransfer.State) -> (name: String, reason: String?) {
        switch state {
        case .preparing: ("waiting", "Its request is being built.")
        case .transferring: ("sending", nil)
        case .delivering: ("sending", "Its manager receives the outcome.")
        case .waiting(let wait): ("waiting", wait.text)
        case .unreadable(let failure): ("dead", "\(failure.reason.rawValue): \(failure.message)")
        }
    }
}
