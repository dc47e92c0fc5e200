import Foundation

/// Access to the credential store, on its own queue.
extension TokenSession: KeptInMemory {
    /// Reads the store if it has not been read, without blocking the caller's thread.
    ///
    /// Every call does this before it is sent. Await it at launch before using ``isLoggedIn`` or
    /// ``tokens``.
    public func load() async { await here.loadHere() }

    func loadHere() async {
        guard let persistence, !state.withLock({ $0.isRead }) else { return }
        await persistence.queue.run { self.readStore() }
    }

    /// Waits until the store contains the current tokens: after ``adopt(_:)``, or before the program ends.
    /// - Throws: The store's error.
    public func save() async throws(CredentialStoreError) { try await here.saveHere() }

    func saveHere() async throws(CredentialStoreError) {
        guard let persistence else { return }
        try await persistence.queue.run { () throws(CredentialStoreError) in
            guard !self.state.withLock({ $0.isStored }) else { return }
            try self.writeStore()
        }
    }

    /// Reads the store. An error is announced and ends the reading, except that a locked or busy store is
    /// read again on the next access.
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
                state.withLock { $0.wrote(stored) }
            }
        } catch {
            state.withLock { $0.couldNotWrite() }
            announce(.storeFailed(reason: String(describing: error)))
            throw error
        }
    }

    // MARK: Memory

    func keepInMemory(_ storage: MemoryStorage) {
        self.storage.withLock { if $0 == nil { $0 = storage } }
        for part in [self] + (parts.withLock { $0?.made } ?? []) { part.leaveStore(for: storage) }
    }

    private func leaveStore(for storage: MemoryStorage) {
        guard let persistence else { return }
        let now = now()
        let renewal = persistence.alone { () -> Renewal? in
            persistence.move(to: storage) ? state.withLock { $0.leaveStore(at: now, policy) } : nil
        }
        renewal?.giveUp()
        renewal?.release(SessionRefusal(kind: .loginRequired))
    }

    // MARK: Several processes

    /// What another process has done to the session since this process last accessed the store.
    enum StoreChange {
        case nothing
        case renewed(StoredSession)
        case loggedOut
    }

    /// Waits for the store's lock. If the lock fails, the refresh continues without it; an error of the
    /// store is reported by the write.
    /// - Throws: `CancellationError` if the renewal is canceled.
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
            // The holder is waiting for a server.
            try await Task.sleep(nanoseconds: 20_000_000)
        }
    }

    /// Reads the store again and compares it with what this process last knew, under the lock.
    func storeChange() async -> StoreChange {
        guard let persistence else { return .nothing }
        return await persistence.queue.run {
            let stored: StoredSession?
            do {
                stored = try persistence.alone { try persistence.read() }
            } catch {
                // If the store cannot be read, the tokens in memory are used.
                return .nothing
            }
            return self.state.withLock { state in
                guard state.isChanged(stored) else { return .nothing }
                return stored.map(StoreChange.renewed) ?? .loggedOut
            }
        }
    }
}
