import Foundation

/// Access to the credential store, on its own queue.
extension TokenSession: KeptInMemory {
    /// Reads the store if it has not been read, without blocking the caller's thread.
    ///
    /// Every call does this before it is sent. Await it at launch before using ``isLoggedIn`` or
    /// ``tokens``.
    ///
    /// Before the first unlock of a device, its Keychain cannot be read. It is not known then who is logged in: calls that use the
    /// session fail with ``APIError/Kind/sessionUnavailable(reason:)``, and nobody is asked to log in. The store is read again at the
    /// next call, and after 1, 2, 4, … 256 seconds; then ``SessionEvent/storeRead`` is announced.
    public func load() async { await here.loadHere() }

    func loadHere() async {
        guard let persistence else { return }
        if !state.withLock({ $0.isRead }) { await persistence.queue.run { self.readStore() } }
    }

    /// Waits until the store contains the current tokens: after ``adopt(_:)``, or before the program ends.
    ///
    /// Tokens that could not be written are written again: before the next call is sent, and after 1, 2, 4, … 256 seconds.
    /// - Throws: The store's error. The store does not contain the tokens yet.
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
        let (problem, wasUnavailable) = persistence.alone { () -> (String?, Bool) in
            guard !state.withLock({ $0.isRead }) else { return (nil, false) }
            let wasUnavailable = state.withLock { $0.storeFailure != nil }
            do {
                let stored = try persistence.read()
                state.withLock { $0.load(stored, policy) }
                return (nil, wasUnavailable)
            } catch {
                return (
                    state.withLock { $0.couldNotLoad(error, policy, isDue: nextRead.isDue) }, wasUnavailable
                )
            }
        }
        if let problem { announce(.storeFailed(reason: problem)) }
        let (isRead, pause) = state.withLock { ($0.isRead, $0.readPause) }
        if !isRead {
            nextRead.schedule(after: pause) { [weak self] in
                guard let self else { return }
                persistence.queue.enqueue { self.readStore() }
            }
        } else if wasUnavailable {
            notifyWatchers()
            announce(.storeRead)
        }
    }

    /// Why it is not known who is logged in; `nil` if it is known.
    package var storeFailure: CredentialStoreError? { here.state.withLock { $0.storeFailure } }

    /// Keeps what the session knows by then, so that two changes at once leave the later one. On the queue of the store.
    ///
    /// If another process has logged the user out, or another one in, since the refresh began, the session takes that instead.
    func writeStore() throws(CredentialStoreError) {
        guard let persistence else { return }
        var content: StoredSession?
        do throws(CredentialStoreError) {
            let other = try persistence.alone { () throws(CredentialStoreError) -> TokenPersistence.Other? in
                let replaceable: [StoredSession?]?
                (content, replaceable) = state.withLock { ($0.toStore, $0.replaceable) }
                if let replaceable {
                    if let other = try persistence.write(content, over: replaceable) { return other }
                } else {
                    try persistence.write(content)
                }
                state.withLock { [content] in $0.wrote(content) }
                return nil
            }
            if let other { take(other.content, insteadOf: content) }
        } catch {
            let (problem, pause) = state.withLock { [content] in
                ($0.couldNotWrite(content, error, isDue: nextWrite.isDue), $0.writePause)
            }
            if let problem { announce(.storeFailed(reason: problem)) }
            nextWrite.schedule(after: pause) { [weak self] in
                guard let self else { return }
                persistence.queue.enqueue { self.writeAgain() }
            }
            throw error
        }
    }

    private func take(_ found: StoredSession?, insteadOf content: StoredSession?) {
        let now = now()
        guard
            let (event, ended) = state.withLock({
                $0.take(found, insteadOf: content, at: now, policy)
            })
        else { return }
        ended?.giveUp()
        notifyWatchers()
        announce(event)
        ended?.release(found == nil ? SessionRefusal(kind: .loginRequired) : nil)
    }

    /// Writes tokens that could not be written, before a call is sent: the app may be killed as soon as it has a response.
    func writeBeforeCall() async {
        guard state.withLock({ $0.failedWrites > 0 }) else { return }
        await persistence?.queue.run { self.writeAgain() }
    }

    /// On the queue of the store.
    private func writeAgain() {
        guard state.withLock({ $0.failedWrites > 0 && !$0.isStored }) else { return }
        // Only another failure is announced, and another attempt follows.
        try? writeStore()
    }

    // MARK: Memory

    package func keepInMemory(_ storage: MemoryStorage) {
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
