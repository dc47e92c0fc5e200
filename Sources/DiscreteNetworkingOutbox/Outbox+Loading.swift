import DiscreteNetworkingCore
import Foundation

extension Outbox {
    /// Reads the entries that earlier starts of the app, or other processes, have left. An outbox does this when it is created, and
    /// before its first ``send(_:with:files:)``.
    /// - Throws: The error of the disk. The entries stay where they are; call this again.
    public func load() async throws(OutboxError) {
        try await inOrder { [self] () async throws(OutboxError) in try await loadInOrder() }
    }

    /// Does the same as a part of another operation.
    func loadInOrder() async throws(OutboxError) {
        guard !isLoaded else { return }
        try await readFolder()
        isLoaded = true
    }

    /// Reads what other processes have changed since, and sends if none of them does. An outbox that does not send shows in
    /// ``entries`` what it has read.
    public func refresh() async throws(OutboxError) {
        try await inOrder { [self] () async throws(OutboxError) in try await readFolder() }
    }

    /// Looks at the folder every ``OutboxPolicy/checkInterval`` seconds.
    ///
    /// By a clock, and not by a thread that waits for the lock: such a thread cannot be canceled, and the lock says nothing of new
    /// entries. The system releases the lock of a process that ends, however it ends.
    func watch() -> Task<Void, Never>? {
        guard policy.checkInterval > 0 else { return nil }
        return Task { [weak self, clock = proxy.clock, seconds = policy.checkInterval] in
            while (try? await clock.sleep(for: seconds)) != nil {
                guard let self else { return }
                // A failure is an event, and the next look tries again.
                try? await self.inOrder { [self] () async throws(OutboxError) in
                    guard self.isLoaded else { return try await self.loadInOrder() }
                    try await self.readFolder(onlyIfNeeded: true)
                }
            }
        }
    }

    /// - Parameter onlyIfNeeded: Whether files are read only if this process begins to send, or if it sends and others have
    ///   added some.
    private func readFolder(onlyIfNeeded: Bool = false) async throws(OutboxError) {
        do throws(CredentialStoreError) {
            if lock == nil {
                let new = try await store.lock()
                if new == nil, onlyIfNeeded { return }
                if new != nil { try await store.tidy() }
                // The one that has sent so far has changed files, and removed some.
                let all = try await store.read(except: [])
                files = [:]
                change { $0.removeAll() }
                for found in all { add(found) }
                await settleChangesOfOthers()
                await showChanges()
                lock = new
                return wake()
            }
            if onlyIfNeeded, !(try await store.mayHaveChanged()) { return }
            let others = try await store.read(except: Set(files.keys))
            for found in others { add(found) }
            if !others.isEmpty { await showChanges() }
        } catch {
            listeners.send(.storageFailed(error))
            throw .storage(error)
        }
        wake()
    }

    private func add(_ found: FoundEntry) {
        guard files[found.name] == nil, !unremoved.contains(found.name) else { return }
        switch found.content {
        case .entry(let record):
            store.numbers.note(record.number)
            files[found.name] = record.id
            let item = item(of: record)
            change { $0.insert(item) }
        case .newerVersion: add(found.name, .blocked(.newerVersion), nil)
        case .damaged:
            let message =
                found.problem ?? "The file \(found.name) is damaged; it is kept until the entry is discarded."
            add(found.name, .dead, OutboxFailure(.damaged, message, at: proxy.clock.now))
        }
    }

    /// Adds a file that is no entry of this version, by its name.
    private func add(_ name: String, _ phase: OutboxQueue.Phase, _ failure: OutboxFailure?) {
        let parts = name.dropLast(EntryRecord.suffix.count).split(separator: "-", maxSplits: 1)
        // A copy under another name is not the entry.
        let isOwn = parts.count == 2 && parts[0].utf8.count == 16 && UInt64(parts[0], radix: 16) != nil
        let id = isOwn ? UUID(uuidString: String(parts[1])) : nil
        var record = EntryRecord(
            id: id ?? UUID(), number: parts.first.flatMap { UInt64($0, radix: 16) } ?? 0, manager: "",
            version: 0, lane: name, identity: CallIdentity(user: nil, environment: nil), key: "",
            created: proxy.clock.now, params: .plain("{}"))
        record.failure = failure
        record.file = name
        files[name] = record.id
        let item = OutboxQueue.Item(record: record, params: nil, phase: phase, maybeSent: true)
        change { $0.insert(item) }
    }

    /// Returns a record as the queue has it: with its params in the current version.
    private func item(of record: EntryRecord) -> OutboxQueue.Item {
        var item = OutboxQueue.Item(
            record: record, params: nil, phase: record.failure == nil ? .waiting : .dead, maybeSent: true)
        guard let manager = managers[record.manager] else {
            if case .plain = record.params { item.params = try? record.params.opened(by: nil) }
            if item.phase == .waiting { item.phase = .blocked(.manager) }
            return item
        }
        guard record.version <= manager.version else {
            if item.phase == .waiting { item.phase = .blocked(.newerVersion) }
            return item
        }
        do {
            let params = try record.params.opened(by: manager.seal)
            item.params =
                record.version == manager.version ? params : try manager.migrate(params, record.version)
        } catch {
            item.phase = .dead
            let message =
                "The params of version \(record.version) cannot be opened or migrated: \(type(of: error))"
            item.record.failure = OutboxFailure(.params, message, at: proxy.clock.now)
        }
        return item
    }
}
