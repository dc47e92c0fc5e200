import DiscreteNetworking
import DiscreteNetworkingSupport
import Foundation

/// The folder of an outbox: one file an entry, as a maildir has it.
///
/// All access is on a queue of its own. When a method returns, what it did is on the disk.
final class OutboxFolder: Sendable {
    private let url: URL
    private let isExcludedFromBackup: Bool
    private let disk = DiskQueue("outbox")
    /// The greatest number so far.
    private let last = Locked<UInt64>(0)
    /// When the folder had been changed last before it was read last; `nil` if changes since may have the same time.
    private let lastChange = Locked<Int64?>(nil)

    init(_ url: URL, isExcludedFromBackup: Bool) {
        self.url = url
        self.isExcludedFromBackup = isExcludedFromBackup
    }

    /// A file that was found.
    struct Found: Sendable {
        let name: String
        let content: EntryFile.Content
    }

    /// Returns the files that are not known yet, in their order.
    func read(except known: Set<String>) async throws(CredentialStoreError) -> [Found] {
        try await disk.run { () throws(CredentialStoreError) in
            let folder = try self.open()
            let change = folder.modified
            // Times of files have a resolution of milliseconds, on some systems of seconds.
            let isOld = change.map { Double($0) / 1e9 < Date().timeIntervalSince1970 - 2 } ?? false
            self.lastChange.current = isOld ? change : nil
            var found: [Found] = []
            for name in try folder.names().sorted()
            where name.hasSuffix(EntryRecord.suffix) && !known.contains(name) {
                // Another process may have removed it.
                guard let data = try folder.read(name, limit: EntryFile.limit) else { continue }
                found.append(Found(name: name, content: EntryFile.decode(data, name: name)))
            }
            return found
        }
    }

    /// Whether files may have been added or removed since they were read.
    func mayHaveChanged() async throws(CredentialStoreError) -> Bool {
        try await disk.run { () throws(CredentialStoreError) in
            let change = try self.open().modified
            return change == nil || change != self.lastChange.current
        }
    }

    /// Returns a number that is greater than those of all entries so far: the time in microseconds, so that the entries of
    /// several processes are in the order in which they were made.
    func number(at date: Date) -> UInt64 {
        last.withLock { last in
            last = max(last + 1, UInt64(min(max(date.timeIntervalSince1970, 0), 1e12) * 1e6))
            return last
        }
    }

    /// Notes the number of an entry that was found.
    func note(_ number: UInt64) { last.withLock { $0 = max($0, number) } }

    /// Writes entries, each of which is there as it was before, or whole.
    func write(_ records: [EntryRecord]) async throws(CredentialStoreError) {
        try await disk.run { () throws(CredentialStoreError) in
            let folder = try self.open()
            for record in records {
                let data: Data
                do {
                    data = try EntryFile.encode(record)
                } catch {
                    throw CredentialStoreError(
                        .unavailable, message: "The entry of \(record.manager) cannot be encoded: \(error)")
                }
                guard data.count <= EntryFile.limit else {
                    throw CredentialStoreError(
                        .tooLarge,
                        message: "The params of \(record.manager) have more than \(EntryFile.limit) bytes.")
                }
                try folder.replace(record.fileName, with: data)
            }
        }
    }

    func remove(_ names: [String]) async throws(CredentialStoreError) {
        try await disk.run { () throws(CredentialStoreError) in try self.open().remove(names) }
    }

    /// Becomes the process that sends; returns `nil` if another one is.
    func lock() async throws(CredentialStoreError) -> CredentialLock? {
        try await disk.run { () throws(CredentialStoreError) in try self.open().tryLock("lock") }
    }

    /// Removes files that were never accepted: those of writes that a killed process did not finish. Only for the process that sends.
    func tidy() async throws(CredentialStoreError) {
        try await disk.run { () throws(CredentialStoreError) in
            let folder = try self.open()
            let suffix = EntryRecord.suffix + ".new"
            let old = try folder.names().filter { name in
                name.hasSuffix(suffix) && folder.isOlder(name, than: 3600)
            }
            if !old.isEmpty { try folder.remove(old) }
        }
    }

    private func open() throws(CredentialStoreError) -> PrivateFolder {
        let folder = try PrivateFolder.made(at: url)
        #if canImport(Darwin)
            var url = url
            var values = URLResourceValues()
            values.isExcludedFromBackup = isExcludedFromBackup
            try? url.setResourceValues(values)
            #if !os(macOS)
                try? FileManager.default.setAttributes(
                    [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
                    ofItemAtPath: url.path)
            #endif
        #endif
        return folder
    }
}
