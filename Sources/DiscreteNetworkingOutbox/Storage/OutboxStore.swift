import DiscreteNetworkingCore
import DiscreteNetworkingSupport
import Foundation

/// Where the entries of an outbox are kept. When a method returns, what it did is kept.
protocol OutboxStore: Sendable {
    /// The numbers of entries.
    var numbers: EntryNumbers { get }

    /// Returns the files that are not known yet, in their order.
    func read(except known: Set<String>) async throws(CredentialStoreError) -> [FoundEntry]
    /// Whether files may have been added or removed since they were read.
    func mayHaveChanged() async throws(CredentialStoreError) -> Bool
    /// Writes entries, each of which is there as it was before, or whole.
    func write(_ records: [EntryRecord]) async throws(CredentialStoreError)
    /// Copies files of the app's, each of which is then there whole, or not at all.
    func keep(_ file: URL, as name: String) async throws(CredentialStoreError)
    /// Where a kept file is.
    func url(of name: String) -> URL
    func remove(_ names: [String]) async throws(CredentialStoreError)
    /// Becomes the one that sends; returns `nil` if another one is.
    func lock() async throws(CredentialStoreError) -> CredentialLock?
    /// Removes files that were never accepted. Only for the one that sends.
    func tidy() async throws(CredentialStoreError)
}

/// A file that was found.
struct FoundEntry: Sendable {
    let name: String
    let content: EntryFile.Content
    /// Why it cannot be read; `nil` if its content says so.
    var problem: String?
}

/// Numbers in the order in which entries are made.
final class EntryNumbers: Sendable {
    /// The greatest number so far.
    private let last = Locked<UInt64>(0)

    /// Returns a number that is greater than the numbers of all entries so far: the time in microseconds. Thus the
    /// entries of several processes are in the order in which they were made.
    func next(at date: Date) -> UInt64 {
        last.withLock { last in
            last = max(last + 1, UInt64(min(max(date.timeIntervalSince1970, 0), 1e12) * 1e6))
            return last
        }
    }

    /// Notes the number of an entry that was found.
    func note(_ number: UInt64) { last.withLock { $0 = max($0, number) } }
}

/// Entries in memory, for tests; their files are in a folder that exists as long as the outbox does.
final class OutboxMemory: OutboxStore {
    let numbers = EntryNumbers()
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "outbox-\(UUID().uuidString)")
    private let files = Locked<[String: Data]>([:])

    func read(except known: Set<String>) async throws(CredentialStoreError) -> [FoundEntry] {
        files.current.filter { !known.contains($0.key) }.sorted { $0.key < $1.key }
            .map { FoundEntry(name: $0.key, content: EntryFile.decode($0.value, name: $0.key)) }
    }

    func mayHaveChanged() async throws(CredentialStoreError) -> Bool { false }

    func write(_ records: [EntryRecord]) async throws(CredentialStoreError) {
        for record in records {
            let data = try EntryFile.checked(record)
            files.withLock { $0[record.fileName] = data }
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func keep(_ file: URL, as name: String) async throws(CredentialStoreError) {
        try PrivateFolder.made(at: folder).copy(file, as: name)
    }

    func url(of name: String) -> URL { folder.appendingPathComponent(name) }

    func remove(_ names: [String]) async throws(CredentialStoreError) {
        files.withLock { files in for name in names { files[name] = nil } }
        for name in names where name.hasSuffix(EntryRecord.bodySuffix) {
            try? FileManager.default.removeItem(at: url(of: name))
        }
    }

    func lock() async throws(CredentialStoreError) -> CredentialLock? { CredentialLock {} }

    func tidy() async throws(CredentialStoreError) {}
}
