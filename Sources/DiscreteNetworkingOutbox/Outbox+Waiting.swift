import DiscreteNetworkingCore
import DiscreteNetworkingSupport
import Foundation

/// What the waits of entries end with: a time, a login, a network.
extension Outbox {
    /// The seconds between two looks at what waits for a user or an environment.
    private static let recheck: TimeInterval = 30
    /// The least seconds until the next look at all lanes, of which there may be thousands.
    private static let shortest: TimeInterval = 0.25

    func schedule(after now: Date) {
        timer?.cancel()
        timer = nil
        guard inFlight < max(policy.lanes, 1) else { return }
        let due = queue.due.map { max($0.timeIntervalSince(now), Self.shortest) }
        let recheck = queue.blocked.isEmpty ? nil : Self.recheck
        guard let seconds = [due, recheck].compactMap({ $0 }).min() else { return }
        timer = Task { [weak self, clock = proxy.clock] in
            // A change of the device's clock is noticed within the hour.
            guard (try? await clock.sleep(for: min(seconds, 3600))) != nil else { return }
            self?.wake()
        }
    }

    /// Observes logins and the network.
    func observe() {
        logins.observe(.tokenSessionLoggedIn) { [weak self] session in
            Task { @MainActor in
                guard self?.isOwn(session) == true else { return }
                await self?.showChangesAgain()
                self?.wakeAfterLogin()
            }
        }
        logins.observe(.tokenSessionStoreRead) { [weak self] session in
            Task { @MainActor in
                guard self?.isOwn(session) == true else { return }
                await self?.showChangesAgain()
                self?.wake()
            }
        }
        logins.observe(.tokenSessionRefreshed) { [weak self] session in
            // Other tokens may not be rejected.
            Task { @MainActor in if self?.isOwn(session) == true { self?.wake { _ in true } } }
        }
        reachability = Task { [weak self, changes = proxy.reachability.changes] in
            for await isConnected in changes where isConnected { self?.noteNetwork() }
        }
    }

    /// The session of an entry in its environment, whichever is the current one.
    func session(of record: EntryRecord) -> TokenSession? {
        let session = managers[record.manager]?.session(proxy)
        return record.identity.environment.map { session?.part(in: $0) } ?? session
    }

    /// Whether a manager uses a session.
    private func isOwn(_ session: TokenSession?) -> Bool {
        session.map { session in managers.values.contains { $0.session(proxy) == session } } ?? true
    }

    private func noteNetwork() {
        networks += 1
        change { queue in
            for (id, item) in queue.items where item.lacksNetwork && item.phase == .waiting {
                queue.update(id) { $0.noteNetwork() }
            }
        }
        pump()
    }
}

/// Observers of notifications, as long as it exists.
final class NotificationObservers {
    private var tokens: [any NSObjectProtocol] = []

    deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }

    func observe(_ name: Notification.Name, _ body: @escaping @Sendable (TokenSession?) -> Void) {
        tokens.append(
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
                body($0.object as? TokenSession)
            })
    }
}
