import DiscreteNetworking
import Foundation

/// What entries show until they have ended.
extension Outbox {
    /// Shows the changes of all entries of the current user, in their order.
    func showChanges() async {
        guard managers.values.contains(where: { $0.update != nil }) else { return }
        for item in queue.items.values.sorted(by: { $0.record.number < $1.record.number }) {
            await showChanges(of: item.record.id)
        }
    }

    /// Shows them for the user who has logged in: what is stored for a user is gone after the logout.
    func showChangesAgain() async {
        try? await inOrder { [self] () async throws(OutboxError) in
            for id in shown.keys { await settleChanges(of: id, isConfirmed: false) }
            await showChanges()
        }
    }

    func showChanges(of id: UUID) async {
        guard shown[id] == nil, let item = queue.items[id], item.phase != .dead, let params = item.params,
            let update = await managers[item.record.manager]?.update?(
                item.record, params, urls(of: item.record), proxy)
        else { return }
        // It may have ended meanwhile.
        guard shown[id] == nil, let now = queue.items[id], now.phase != .dead, now.params == params else {
            return
        }
        shown[id] = update
        // Entries of an earlier start, or of another process, may have been sent.
        let stage: CacheLayer.Stage = now.maybeSent || lock == nil ? .maybeSent : .waiting
        update.show(now.phase == .sending ? .inFlight : stage)
    }

    /// Writes what an entry shows into the stored outputs, or takes it back.
    func settleChanges(of id: UUID, isConfirmed: Bool) async {
        let mayHaveActed = queue.items[id]?.maybeSent == true
        await shown.removeValue(forKey: id)?.settle(isConfirmed: isConfirmed, mayHaveActed: mayHaveActed)
    }

    /// Ends what entries show that another process has sent.
    func settleChangesOfOthers() async {
        for id in shown.keys where queue.items[id] == nil { await settleChanges(of: id, isConfirmed: true) }
    }
}
