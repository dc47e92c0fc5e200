public import DiscreteNetworkingCore
public import Foundation

extension Outbox {
    /// Takes a call. When this returns, it is on the disk.
    ///
    /// The entry belongs to the user and the environment of the moment at which this is called. If that user has left before the
    /// entry is on the disk, nothing is kept.
    /// - Parameters:
    ///   - type: The manager's class, of which there is an ``OutboxManager``.
    ///   - params: The arguments; `BaseAPIManager.reform(_:)` changes them when the call is sent.
    ///   - files: The files of an upload, by the names that ``OutboxManager`` gives to its closure. They are copied into the folder, as
    ///     clones where the file system has them, so that you may remove yours.
    /// - Returns: The entry.
    /// - Throws: ``OutboxError``. The call is then not sent.
    @discardableResult
    public func send<Manager: BaseAPIManager>(
        _ type: Manager.Type, with params: Params = [:], files: [String: URL] = [:]
    ) async throws(OutboxError) -> OutboxEntry {
        let type = ManagerType(type)
        guard let manager = managers.values.first(where: { $0.type == type }) else {
            throw .unknownManager(type)
        }
        let created = proxy.clock.now
        // The user of now, and not the one who is there when the calls before are on the disk.
        let moment = manager.moment(proxy, files)
        return try await inOrder { [self] () async throws(OutboxError) -> OutboxEntry in
            try await loadInOrder()
            let number = store.numbers.next(at: created)
            var record = EntryRecord(
                id: UUID(), number: number, manager: manager.name, version: manager.version,
                lane: manager.lane(params), identity: try await moment.identity(or: OutboxError.self),
                key: manager.key(params, files), created: created, params: try content(of: params, manager))
            if !files.isEmpty { record.files = files.keys.sorted() }
            do throws(OutboxError) {
                try await keep(files, of: record)
                if !files.isEmpty { _ = try await moment.identity(or: OutboxError.self) }
                try await write([record])
            } catch {
                // It may be in the folder, if only the folder could not be synchronized.
                try? await store.remove([record.fileName])
                try? await store.remove(record.bodyNames)
                throw error
            }
            // Not in flight before its changes are shown: a response that comes meanwhile may have them.
            let update = await manager.update?(record, params, urls(of: record), proxy)
            let item = OutboxQueue.Item(
                record: record, params: params, phase: .waiting, madeAt: proxy.clock.uptime,
                maybeSent: false)
            self.files[record.fileName] = record.id
            if queue.liveCount == 0 { sent = 0 }
            change { $0.insert(item) }
            let entry = entry(item)
            if let update { show(update, of: item) }
            listeners.send(.queued(entry))
            pump()
            return entry
        }
    }

    /// Sends a dead entry again, with its key, or one that waits for its next attempt.
    /// - Parameter params: Other params, which get another key: a backend refuses a key that it knows with other params. `nil` for
    ///   no change.
    /// - Throws: ``OutboxError/notChangeable(_:)``, ``OutboxError/sentByAnotherProcess``, or the error of the disk.
    public func retry(_ id: UUID, with params: Params? = nil) async throws(OutboxError) {
        try await inOrder { [self] () async throws(OutboxError) in
            try await checkSends()
            guard let old = queue.items[id], old.phase != .sending,
                let manager = managers[old.record.manager], params != nil || old.params != nil
            else { throw .notChangeable(id) }
            var item = old
            item.record.attempts = 0
            item.record.next = nil
            item.record.failure = nil
            if let params {
                item.record.params = try content(of: params, manager)
                item.record.version = manager.version
                item.record.key = IdempotencyKey()
                item.params = params
                item.maybeSent = false
            }
            item.phase = .waiting
            item.rejectedLogin = nil
            // Not sent while its file is written.
            change { $0.update(id) { $0.phase = .dead } }
            do throws(OutboxError) {
                try await write([item.record])
            } catch {
                try? await store.write([old.record])
                change { $0.update(id) { $0 = old } }
                throw error
            }
            change { $0.update(id) { [item] in $0 = item } }
            await showChanges(of: id, again: params != nil)
            pump()
        }
    }

    /// Removes an entry that is not in flight. It is not sent.
    /// - Throws: ``OutboxError/notChangeable(_:)``, ``OutboxError/sentByAnotherProcess``, or the error of the disk.
    public func discard(_ id: UUID) async throws(OutboxError) {
        try await inOrder { [self] () async throws(OutboxError) in
            try await checkSends()
            guard let item = queue.items[id], item.phase != .sending else { throw .notChangeable(id) }
            // Not sent while its file is removed.
            change { $0.update(id) { $0.phase = .dead } }
            do throws(CredentialStoreError) {
                try await store.remove([item.record.fileName])
            } catch {
                change { $0.update(id) { $0.phase = item.phase } }
                throw .storage(error)
            }
            await removeFiles(of: item.record)
            files[item.record.fileName] = nil
            change { $0.remove(id) }
            await settleChanges(of: id, isConfirmed: false, mayHaveActed: item.maybeSent)
            listeners.send(.discarded(entry(item)))
            pump()
        }
    }

    /// Removes the entries of a user that are not in flight, such as after a logout that is for good.
    public func discardAll(of user: String) async throws(OutboxError) {
        // What was not read is not known, and what is read may be tried at once.
        if !isLoaded { try await drain() }
        for item in queue.items.values where item.record.identity.user == user && item.phase != .sending {
            do throws(OutboxError) {
                try await discard(item.record.id)
            } catch OutboxError.notChangeable {
                continue
            } catch {
                throw error
            }
        }
    }

    /// Throws if another process may be sending an entry that is to be changed.
    private func checkSends() async throws(OutboxError) {
        try await loadInOrder()
        guard lock != nil else { throw .sentByAnotherProcess }
    }

    // MARK: Records

    func content(
        of params: Params, _ manager: OutboxManager
    ) throws(OutboxError) -> StoredParams {
        do throws(StoredParams.Problem) {
            return try StoredParams(params, manager.seal, proxy.redaction)
        } catch {
            switch error {
            case .secretParam(let name): throw .secretParam(name)
            case .nestedTooDeeply(let limit): throw .nestedTooDeeply(limit: limit)
            case .seal(let message): throw .seal(message)
            }
        }
    }

    // MARK: Files

    /// Copies the files of an entry before its record is written, so that no record is without them.
    private func keep(_ files: [String: URL], of record: EntryRecord) async throws(OutboxError) {
        for (name, copy) in zip(record.files ?? [], record.bodyNames) {
            guard let file = files[name] else { continue }
            do throws(CredentialStoreError) {
                try await store.keep(file, as: copy)
            } catch {
                throw .file(name, error)
            }
        }
    }

    /// Where the copies of the files of an entry are.
    func urls(of record: EntryRecord) -> [String: URL] {
        let copies = zip(record.files ?? [], record.bodyNames).map { ($0, store.url(of: $1)) }
        return Dictionary(copies, uniquingKeysWith: { first, _ in first })
    }

    /// Removes the files of an entry after its record, so that no record is without them. What cannot be removed is removed by a
    /// later start of the app.
    func removeFiles(of record: EntryRecord) async {
        guard record.files != nil else { return }
        try? await store.remove(record.bodyNames)
    }

    func write(_ records: [EntryRecord]) async throws(OutboxError) {
        do throws(CredentialStoreError) {
            try await store.write(records)
        } catch {
            throw .storage(error)
        }
    }
}
