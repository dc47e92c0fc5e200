import Foundation

/// The partial files that calls of this process write to.
///
/// Two that want the same file are kept apart by its lock; this is here for those who come after a call
/// that is over, but whose last steps are not: they take the open file over.
enum PartialFiles {
    private struct Entry: Sendable {
        let file: PartialFile
        let owner: PendingCall
    }

    private static let entries = Locked<[String: Entry]>([:])

    /// Opens the file for one attempt of a call.
    /// - Throws: ``TransferFailure/destinationInUse`` or ``TransferFailure/unwritable(reason:)``.
    static func open(_ destination: URL, for owner: PendingCall) throws(TransferFailure) -> PartialFile {
        let key = destination.standardizedFileURL.path
        var file: PartialFile?
        if let entry = entries.withLock({ $0[key] }) {
            guard entry.owner === owner || entry.owner.hasEnded else { throw .destinationInUse }
            file = entry.file.surrender()
        }
        let opened: PartialFile
        if let file { opened = file } else { opened = try PartialFile.open(destination) }
        entries.withLock { $0[key] = Entry(file: opened, owner: owner) }
        return opened
    }

    /// Forgets a file that is closed.
    static func forget(_ file: PartialFile) {
        entries.withLock { entries in
            let key = file.destination.standardizedFileURL.path
            if entries[key]?.file === file { entries[key] = nil }
        }
    }
}

/// Removes what a download into the temporary folder leaves behind, once its call is over.
final class TemporaryPartialFile: Sendable {
    private let destination: URL

    init(_ destination: URL) { self.destination = destination }

    deinit { PartialFile.remove(destination) }
}
