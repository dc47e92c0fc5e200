import DiscreteNetworkingCore
import DiscreteNetworkingSupport
import Foundation

/// The right to use an identifier and a folder, of one object at a time.
final class BackgroundClaim: Sendable {
    private static let taken = Locked<Set<String>>([])

    private let identifier: String
    private let lock: CredentialLock
    private let isReleased = Locked(false)

    /// - Throws: ``BackgroundTransferError/alreadyInUse(identifier:)``, or the error of the disk.
    init(_ identifier: String, _ folder: BackgroundFolder) throws(BackgroundTransferError) {
        guard Self.taken.withLock({ $0.insert(identifier).inserted }) else {
            throw .alreadyInUse(identifier: identifier)
        }
        do throws(CredentialStoreError) {
            // Another process, or another identifier of this one.
            guard let lock = try folder.lock() else {
                Self.taken.withLock { _ = $0.remove(identifier) }
                throw CredentialStoreError(.busy, message: "")
            }
            self.lock = lock
            self.identifier = identifier
        } catch {
            Self.taken.withLock { _ = $0.remove(identifier) }
            throw error.kind == .busy ? .alreadyInUse(identifier: identifier) : .storage(error)
        }
    }

    deinit { release() }

    /// Gives it back. Has no effect the second time.
    func release() {
        let isFirst = isReleased.withLock { isReleased in
            defer { isReleased = true }
            return !isReleased
        }
        guard isFirst else { return }
        lock.release()
        Self.taken.withLock { _ = $0.remove(identifier) }
    }
}
