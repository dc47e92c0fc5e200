import DiscreteNetworking
import DiscreteNetworkingJSON
import Foundation

extension Outbox {
    /// Reads the entries that earlier starts of the app, or other processes, have left. An outbox does this when it is created, and
    /// before its first ``send(_:with:)``.
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

    /// Reads the entries that other processes have made since, and sends them if this process is the one that sends. Call it when
    /// the app becomes active.
    public func refresh() async throws(OutboxError) {
        try await inOrder { [self] () async throws(OutboxError) in try await readFolder() }
    }

    private func readFolder() async throws(OutboxError) {
        do throws(CredentialStoreError) {
            if lock == nil {
                let new = try await folder.lock()
                if new != nil { try await folder.tidy() }
                // The one that has sent so far has changed files, and removed some.
                let all = try await folder.read(except: [])
                files = [:]
                change { $0.removeAll() }
                for found in all { add(found) }
                lock = new
                return wake()
            }
            for found in try await folder.read(except: Set(files.keys)) { add(found) }
        } catch {
            listeners.send(.storageFailed(error))
            throw .storage(error)
        }
        wake()
    }

    private func add(_ found: OutboxFolder.Found) {
        guard files[found.name] == nil, !unremoved.contains(found.name) else { return }
        switch found.content {
        case .entry(let record):
            folder.note(record.number)
            files[found.name] = record.id
            let item = item(of: record)
            change { $0.insert(item) }
        case .newerVersion: add(found.name, .blocked(.newerVersion), nil)
        case .damaged:
            let message =
                "The file \(found.name) is damaged; it is kept until the entry is discarded."
            add(found.name, .dead, OutboxFailure(.damaged, message, at: proxy.clock.now))
        }
    }

    /// Adds a file that is no entry of this version, by its name.
    private func add(_ name: String, _ phase: OutboxQueue.Phase, _ failure: OutboxFailure?) {
        let parts = name.dropLast(EntryRecord.suffix.count).split(separator: "-", maxSplits: 1)
        let id = parts.count == 2 ? UUID(uuidString: String(parts[1])) : nil
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
            if case .plain(let text) = record.params { item.params = Self.params(text) }
            if item.phase == .waiting { item.phase = .blocked(.manager) }
            return item
        }
        guard record.version <= manager.version else {
            if item.phase == .waiting { item.phase = .blocked(.newerVersion) }
            return item
        }
        do {
            guard let params = Self.params(try text(of: record, manager)) else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: [], debugDescription: "The params are not a JSON object."))
            }
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

    private func text(of record: EntryRecord, _ manager: OutboxManager) throws -> String {
        switch record.params {
        case .plain(let text): return text
        case .sealed(let data):
            guard let seal = manager.seal else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: [], debugDescription: "The params are sealed, the manager has no seal.")
                )
            }
            return String(decoding: try seal.open(data), as: UTF8.self)
        }
    }

    private static func params(_ text: String) -> Params? {
        guard let value = try? JSONValue(parsing: Data(text.utf8)), case .object(let members) = value else {
            return nil
        }
        return Params(values: members)
    }
}
