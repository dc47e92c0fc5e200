import DiscreteNetworkingCore
import DiscreteNetworkingSupport
import Foundation

/// The folder of an outbox: one file an entry, as a maildir has it.
///
/// All access is on a queue of its own. When a method returns, what it did is on the disk.
final class OutboxFolder: OutboxStore {
    let numbers = EntryNumbers()
    private let url: URL
    private let isExcludedFromBackup: Bool
    private let disk = DiskQueue("outbox")
    /// When the folder had been changed last before it was read last; `nil` if changes since may have the same time.
    private let lastChange = Locked<Int64?>(nil)

    init(_ url: URL, isExcludedFromBackup: Bool) {
        self.url = url
        self.isExcludedFromBackup = isExcludedFromBackup
    }

    func read(except known: Set<String>) async throws(CredentialStoreError) -> [FoundEntry] {
        try await disk.run { () throws(CredentialStoreError) in
            let folder = try self.open()
            let change = folder.modified
            // Times of files have a resolution of milliseconds, on some systems of seconds.
            let isOld = change.map { Double($0) / 1e9 < Date().timeIntervalSince1970 - 2 } ?? false
            self.lastChange.current = isOld ? change : nil
            var found: [FoundEntry] = []
            for name in try folder.names().sorted()
            where !known.contains(EntryRecord.entryName(ofBody: name) ?? name) {
                folder.makePrivate(name)
                guard name.hasSuffix(EntryRecord.suffix) else { continue }
                do throws(CredentialStoreError) {
                    // Another process may have removed it.
                    guard let data = try folder.read(name, limit: EntryFile.limit) else { continue }
                    found.append(FoundEntry(name: name, content: EntryFile.decode(data, name: name)))
                } catch {
                    // What is no file of the outbox, such as a link, does not keep the others from being sent.
                    guard error.kind == .notPrivate else { throw error }
                    found.append(FoundEntry(name: name, content: .damaged, problem: error.message))
                }
            }
            return found
        }
    }

    func mayHaveChanged() async throws(CredentialStoreError) -> Bool {
        try await disk.run { () throws(CredentialStoreError) in
            let change = try self.open().modified
            return change == nil || change != self.lastChange.current
        }
    }

    func write(_ records: [EntryRecord]) async throws(CredentialStoreError) {
        try await disk.run { () throws(CredentialStoreError) in
            let folder = try self.open()
            for record in records {
                let data = try EntryFile.checked(record)
                try folder.replace(record.fileName, with: data)
            }
        }
    }

    func keep(_ file: URL, as name: String) async throws(CredentialStoreError) {
        try await disk.run { () throws(CredentialStoreError) in try self.open().copy(file, as: name) }
    }

    func url(of name: String) -> URL { url.appendingPathComponent(name) }

    func remove(_ names: [String]) async throws(CredentialStoreError) {
        try await disk.run { () throws(CredentialStoreError) in try self.open().remove(names) }
    }

    /// Becomes the process that sends; returns `nil` if another one is.
    func lock() async throws(CredentialStoreError) -> CredentialLock? {
        try await disk.run { () throws(CredentialStoreError) in try self.open().tryLock("lock") }
    }

    /// Removes files that a killed process did not finish writing: they were never accepted. Only for the process that
    /// sends.
    func tidy() async throws(CredentialStoreError) {
        try await disk.run { () throws(CredentialStoreError) in
            let folder = try self.open()
            let names = Set(try folder.names())
            let old = names.filter { name in
                if name.hasSuffix(EntryRecord.suffix + ".new") { return folder.isOlder(name, than: 3600) }
                let file = name.hasSuffix(".new") ? String(name.dropLast(4)) : name
                guard let entry = EntryRecord.entryName(ofBody: file), !names.contains(entry) else {
                    return false
                }
                return folder.isOlder(name, than: Self.copyingTime)
            }
            if !old.isEmpty { try folder.remove(old.sorted()) }
        }
    }

    /// How long another process may take to copy the files of an entry, in seconds: 36 hours, as in a maildir.
    private static let copyingTime: TimeInterval = 36 * 3600

    private func open() throws(CredentialStoreError) -> PrivateFolder {
        try PrivateFolder.kept(at: url, isExcludedFromBackup: isExcludedFromBackup)
    }
}
