public import Foundation

/// Persistent storage for credentials.
///
/// ```swift
/// #if canImport(Security)
///     let store = KeychainCredentialStore(service: "com.example.shop")
/// #else
///     let store = FileCredentialStore(
///         folder: stateFolder.appendingPathComponent("credentials"))
/// #endif
/// try store.write(Data(refreshToken.utf8), for: "storefront")
/// ```
///
/// Every method may block on the disk; do not call it on the main actor.
public protocol CredentialStore: Sendable {
    /// Returns the data last written for a key; `nil` if there is none.
    func read(_ key: String) throws(CredentialStoreError) -> Data?
    /// Stores data for a key, replacing existing data atomically: concurrent readers get either the old or
    /// the new data.
    func write(_ data: Data, for key: String) throws(CredentialStoreError)
    /// Replaces the data of a key if it is still what was read: a compare-and-set, so that a refresh does not undo a login or a
    /// logout of another process.
    /// - Parameters:
    ///   - old: What was read; `nil` for no data.
    ///   - new: What to store; `nil` removes the data.
    /// - Returns: Whether it was replaced. Default: reads, compares and writes, in which another process may write in between.
    func replace(_ old: Data?, with new: Data?, for key: String) throws(CredentialStoreError) -> Bool
    /// Removes all data of a key. Has no effect if there is none.
    func remove(_ key: String) throws(CredentialStoreError)

    /// Acquires the exclusive lock of a key, across processes, without waiting. A ``TokenSession`` holds it
    /// during a refresh, so that no refresh token is used twice. The lock is advisory: it does not block
    /// reads and writes.
    /// - Returns: The lock; `nil` if another holder has it. Default: an unshared lock, for stores of a
    ///   single process.
    func tryLock(_ key: String) throws(CredentialStoreError) -> CredentialLock?
}

extension CredentialStore {
    public func tryLock(_ key: String) throws(CredentialStoreError) -> CredentialLock? { CredentialLock {} }

    public func replace(
        _ old: Data?, with new: Data?, for key: String
    ) throws(CredentialStoreError) -> Bool {
        guard try read(key) == old else { return false }
        if let new { try write(new, for: key) } else { try remove(key) }
        return true
    }
}
