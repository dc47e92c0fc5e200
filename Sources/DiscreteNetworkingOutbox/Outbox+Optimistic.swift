import DiscreteNetworkingCaching
import DiscreteNetworkingCore
import Foundation

/// What entries show until they have ended.
extension Outbox {
    /// Shows the changes of all entries of the current user, in their order.
    func showChanges(again: Bool = false) async {
        guard managers.values.contains(where: { $0.update != nil }) else { return }
        for item in queue.items.values.sorted(by: { $0.record.number < $1.record.number }) {
            await showChanges(of: item.record.id, again: again)
        }
    }

    /// Shows them for the user who has logged in: what is stored for a user is gone after the logout.
    func showChangesAgain() async {
        try? await inOrder { [self] () async throws(OutboxError) in
            await showChanges(again: true)
        }
    }

    /// - Parameter again: Whether this replaces what it shows already.
    func showChanges(of id: UUID, again: Bool = false) async {
        let old = shown[id]
        guard again || old == nil, let item = queue.items[id], item.phase != .dead, let params = item.params
        else { return }
        let update = await managers[item.record.manager]?.update?(
            item.record, params, urls(of: item.record), proxy)
        // It may have ended meanwhile.
        guard shown[id] === old, let now = queue.items[id], now.phase != .dead, now.params == params else {
            return
        }
        guard let update else {
            // It stays as it is while another environment is the current one.
            let environment = managers[now.record.manager]?.environment(proxy)
            guard environment == now.record.identity.environment else { return }
            return await settleChanges(of: id, isConfirmed: false)
        }
        show(update, of: now)
    }

    func show(_ update: OptimisticUpdate, of item: OutboxQueue.Item) {
        let old = shown.updateValue(update, forKey: item.record.id)
        update.show(stage(of: item), replacing: old)
    }

    /// Notes how far an entry is, so that its changes are not shown twice.
    func noteStage(of id: UUID) {
        if let item = queue.items[id] { shown[id]?.note(stage(of: item)) }
    }

    /// Entries of an earlier start, or of another process, may have been sent.
    private func stage(of item: OutboxQueue.Item) -> CacheLayer.Stage {
        if item.phase == .sending { return .inFlight }
        return item.maybeSent || lock == nil ? .maybeSent : .waiting
    }

    /// Writes what an entry shows into the stored outputs, or takes it back.
    /// - Parameter mayHaveActed: Whether the server may have what is taken back.
    func settleChanges(of id: UUID, isConfirmed: Bool, mayHaveActed: Bool = false) async {
        await shown.removeValue(forKey: id)?.settle(
            CallEffect(isConfirmed: isConfirmed, mayHaveActed: mayHaveActed))
    }

    /// Ends what entries show that another process has sent.
    func settleChangesOfOthers() async {
        for id in shown.keys where queue.items[id] == nil { await settleChanges(of: id, isConfirmed: true) }
    }
}
