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
}
