import Foundation

/// How a session uses its store: on a queue of its own, and nothing twice.
extension TokenSession {
    /// Reads the store, where that has not been done, without blocking the caller's thread.
    ///
    /// Every call does so before it goes out. An app that shows at its start whether somebody is logged in does so before
    /// it asks ``isLoggedIn`` or ``tokens``.
    public func load() async {
        guard let persistence, !state.withLock({ $0.isRead }) else { return }
        await persistence.queue.run { self.readStore() }
    }

    /// Waits until the store has what the session knows by now: after ``adopt(_:)``, before the program ends.
    /// - Throws: what the store throws.
    public func save() async throws(CredentialStoreError) {
        guard let persistence else { return }
        try await persistence.queue.run { () throws(CredentialStoreError) in
            guard !self.state.withLock({ $0.isStored }) else { return }
            try self.writeStore()
        }
    }

    /// A store that fails is read once, and announced once; one that is only locked or busy is read again by the next
    /// who asks.
    func readStore() {
        guard let persistence, !state.withLock({ $0.isRead }) else { return }
        let problem = persistence.alone { () -> String? in
            guard !state.withLock({ $0.isRead }) else { return nil }
            do {
                let stored = try persistence.read()
                state.withLock { $0.load(stored, policy) }
                return nil
            } catch {
                return state.withLock { $0.couldNotLoad(error, policy) }
            }
        }
        if let problem { announce(.storeFailed(reason: problem)) }
    }

    /// Keeps what the session knows by then, so that two changes at once leave the later one. On the queue of the store.
    func writeStore() throws(CredentialStoreError) {
        guard let persistence else { return }
        do throws(CredentialStoreError) {
            try persistence.alone { () throws(CredentialStoreError) in
                let stored = state.withLock { $0.toStore }
                try persistence.write(stored)
                state.withLock { $0.isKnown(.some(stored)) }
            }
        } catch {
            state.withLock { $0.isKnown(nil) }
            announce(.storeFailed(reason: String(describing: error)))
            throw error
        }
    }

    // MARK: Several processes

    /// What another process has done to the session since this one last read or wrote the store.
    enum StoreChange {
        case nothing
        case renewed(StoredSession)
        case loggedOut
    }

    /// Takes the store's lock for a refresh, and waits for whoever has it. Without a lock that can be taken, the refresh
    /// goes on all the same, and the store says what is wrong when it is written.
    /// - Throws: `CancellationError` where the renewal is given up meanwhile.
    func lockStore() async throws -> CredentialLock? {
        guard let persistence else { return nil }
        while true {
            do {
                let lock = try await persistence.queue.run { () throws(CredentialStoreError) in
                    try persistence.tryLock()
                }
                if let lock { return lock }
            } catch {
                return nil
            }
            // Whoever has it is waiting for a server.
            try await Task.sleep(nanoseconds: 20_000_000)
        }
    }

    /// Reads the store again, under its lock.
    func storeChange() async -> StoreChange {
        guard let persistence else { return .nothing }
        return await persistence.queue.run {
            let stored: StoredSession?
            do {
                stored = try persistence.alone { try persistence.read() }
            } catch {
                // What is in memory is better than what cannot be read.
                return .nothing
            }
            return self.state.withLock { state in
                guard state.isChanged(stored) else { return .nothing }
                return stored.map(StoreChange.renewed) ?? .loggedOut
            }
        }
    }
}
