import DiscreteNetworkingCore
import Foundation

/// The partial files that calls of this process write to.
///
/// File locks separate concurrent calls. A call that has ended may still run its last steps. This registry lets another
/// call take over the open file of the ended call.
enum PartialFileRegistry {
    private struct Writer: Sendable {
        let file: PartialFile
        let owner: PendingCall
    }

    private struct Place: Sendable {
        let writer = Locked<Writer?>(nil)
        /// The number of attempts that use the entry; it is removed with the last one.
        var attempts = 0
    }

    private static let places = Locked<[String: Place]>([:])

    /// Opens the file for one attempt of a call, which must later ``forget(_:)`` it.
    /// - Throws: ``TransferFailure/destinationInUse`` or ``TransferFailure/unwritable(reason:)``.
    static func open(
        _ destination: URL, isPrivate: Bool, for owner: PendingCall
    ) throws(TransferFailure) -> PartialFile {
        let writer = places.withLock { places in
            places[key(destination), default: Place()].attempts += 1
            return places[key(destination), default: Place()].writer
        }
        do throws(TransferFailure) {
            // Serialized: a call that has ended may be opening the file at this moment.
            return try writer.withLock { writer throws(TransferFailure) in
                if let writer, writer.owner !== owner, !writer.owner.hasEnded { throw .destinationInUse }
                let opened: PartialFile
                if let file = writer?.file.surrender() {
                    opened = file
                } else {
                    opened = try PartialFile.open(destination, isPrivate: isPrivate)
                }
                writer = Writer(file: opened, owner: owner)
                return opened
            }
        } catch {
            leave(destination)
            throw error
        }
    }

    /// Removes a closed file.
    static func forget(_ file: PartialFile) {
        places.withLock { $0[key(file.destination)] }?.writer.withLock { writer in
            if writer?.file === file { writer = nil }
        }
        leave(file.destination)
    }

    private static func leave(_ destination: URL) {
        places.withLock { places in
            places[key(destination)]?.attempts -= 1
            if places[key(destination)]?.attempts == 0 { places[key(destination)] = nil }
        }
    }

    private static func key(_ destination: URL) -> String { destination.standardizedFileURL.path }
}
