import DiscreteNetworkingCore
import DiscreteNetworkingSupport
import Foundation

/// Access to the credential store, on its own queue.
extension JarPart {
    func keepInMemory(_ storage: MemoryStorage) {
        for part in [self] + (parts.withLock { $0?.made } ?? []) {
            guard part.persistence?.move(to: storage) == true else { continue }
            part.state.withLock { $0.leaveStore() }
        }
    }

    func load() async {
        guard let persistence, !state.withLock({ $0.isRead }) else { return }
        await persistence.queue.run { self.readStore(persistence) }
    }

    func save() async throws(CredentialStoreError) {
        guard let persistence else { return }
        try await persistence.queue.run { () throws(CredentialStoreError) in try self.writeStore(persistence)
        }
    }

    func enqueueSave() {
        guard let persistence else { return }
        let isFirst = state.withLock { state in
            defer { state.isSaveEnqueued = true }
            return !state.isSaveEnqueued
        }
        guard isFirst else { return }
        persistence.queue.enqueue {
            self.state.withLock { $0.isSaveEnqueued = false }
            // A failure is reported.
            try? self.writeStore(persistence)
        }
    }

    private func readStore(_ persistence: CookiePersistence) {
        guard !state.withLock({ $0.isRead }) else { return }
        do throws(CredentialStoreError) {
            let isInMemory = persistence.isInMemory
            let file = try persistence.read()
            state.withLock { state in
                // The jar may have left its store meanwhile.
                guard !state.isRead, isInMemory == persistence.isInMemory else { return }
                (state.isRead, state.stored, state.isKnownEmpty) = (true, file, file == nil)
            }
            persistence.report(nil)
        } catch {
            // A locked device is unlocked later. Otherwise a server sets new cookies.
            if error.kind != .deviceLocked, error.kind != .busy { state.withLock { $0.isRead = true } }
            persistence.report(error)
        }
    }

    // MARK: Writing

    /// What one write puts into the store.
    fileprivate struct Change {
        let owner: CookieOwner
        let generation: Int
        /// The persistent cookies in memory.
        let cookies: [Cookie]
        let changed: Set<Cookie.ID>
        let replacesOthers, replacesAll, isKnownEmpty: Bool

        /// Returns the cookies to store; `nil` if another process has stored another user's cookies meanwhile.
        func merged(into file: CookieFile) -> [Cookie]? {
            guard !replacesAll, file.owner == owner else {
                guard replacesAll || replacesOthers || isKnownEmpty && file.cookies.isEmpty else {
                    return nil
                }
                return owner == .nobody ? [] : cookies
            }
            let own = cookies.filter { changed.contains($0.id) }
            return file.cookies.filter { !changed.contains($0.id) } + own
        }
    }

    private func writeStore(_ persistence: CookiePersistence) throws(CredentialStoreError) {
        guard let change = state.withLock({ $0.takeChange() }) else { return }
        do throws(CredentialStoreError) {
            try persistence.alone { () throws(CredentialStoreError) in try write(change, to: persistence) }
            persistence.report(nil)
        } catch {
            state.withLock { $0.giveBack(change) }
            persistence.report(error)
            throw error
        }
    }

    private func write(_ change: Change, to persistence: CookiePersistence) throws(CredentialStoreError) {
        if change.replacesAll {
            let file = CookieFile(owner: change.owner, cookies: change.merged(into: CookieFile()) ?? [])
            try persistence.write(file)
            state.withLock { $0.isKnownEmpty = file.cookies.isEmpty }
            return
        }
        let file: CookieFile
        do throws(CredentialStoreError) {
            file = try persistence.read() ?? CookieFile()
        } catch let error where error.kind == .damaged {
            file = CookieFile()
        }
        let now = now()
        guard let cookies = change.merged(into: file)?.filter({ !$0.isExpired(at: now) }) else {
            state.withLock { $0.giveBack(change) }
            return
        }
        // Within the limits also together with the cookies of another process.
        var storage = CookieStorage()
        storage.prepend(cookies, at: now)
        let new = CookieFile(owner: change.owner, cookies: storage.all)
        if new.cookies != file.cookies || new.owner != file.owner && !new.cookies.isEmpty {
            try persistence.write(new)
        }
        state.withLock { $0.adopt(new, after: change, at: now) }
    }
}

extension JarPart.State {
    /// Forgets what was read from the store, or is stored there. Exchanges that have begun set no cookies.
    fileprivate mutating func leaveStore() {
        guard isRead else { return }
        empty()
        (owner, stored, isKnownEmpty) = (.unknown, nil, true)
        (replacesOthers, replacesAll) = (false, false)
    }

    /// Takes what is not yet stored; `nil` if there is nothing.
    fileprivate mutating func takeChange() -> JarPart.Change? {
        // Without a user, cookies wait for one; those of a former one are removed.
        guard replacesAll || replacesOthers || owner != .nobody && !cookies.changed.isEmpty else {
            return nil
        }
        defer { (replacesAll, replacesOthers, cookies.changed) = (false, false, []) }
        return JarPart.Change(
            owner: owner, generation: generation, cookies: cookies.all.filter { $0.expires != nil },
            changed: cookies.changed, replacesOthers: replacesOthers, replacesAll: replacesAll,
            isKnownEmpty: isKnownEmpty)
    }

    /// Undoes ``takeChange()``.
    fileprivate mutating func giveBack(_ change: JarPart.Change) {
        guard generation == change.generation else {
            replacesAll = replacesAll || change.replacesAll
            return
        }
        cookies.changed.formUnion(change.changed)
        replacesAll = replacesAll || change.replacesAll
        replacesOthers = replacesOthers || change.replacesOthers
    }

    /// Takes over what another process has stored for the same user.
    fileprivate mutating func adopt(_ file: CookieFile, after change: JarPart.Change, at now: Date) {
        isKnownEmpty = file.cookies.isEmpty
        guard generation == change.generation, owner == change.owner, owner != .nobody else { return }
        guard stored == nil else {
            stored = file
            return
        }
        let changed = cookies.changed
        let kept = Dictionary(file.cookies.map { ($0.id, $0) }) { $1 }
        for cookie in cookies.all where cookie.expires != nil && !changed.contains(cookie.id) {
            if kept[cookie.id] == nil { cookies.remove(cookie.id) }
        }
        for cookie in file.cookies where !changed.contains(cookie.id) && cookies[cookie.id] != cookie {
            cookies.set(cookie, at: now)
        }
        cookies.changed = changed
    }
}
