import Foundation

/// Where credentials rest while the app does not run.
///
/// ```swift
/// #if canImport(Security)
///     let store = KeychainCredentialStore(service: "com.example.shop")
/// #else
///     let store = FileCredentialStore(folder: stateFolder.appendingPathComponent("credentials"))
/// #endif
/// try store.write(Data(refreshToken.utf8), for: "storefront")
/// ```
///
/// Every function may take the time of a disk: do not call it on the main actor.
public protocol CredentialStore: Sendable {
    /// What was written last under a key; `nil` where there is nothing.
    func read(_ key: String) throws(CredentialStoreError) -> Data?
    /// Keeps data under a key, in place of what was there. Whoever reads meanwhile gets the old or the new
    /// data, whole.
    func write(_ data: Data, for key: String) throws(CredentialStoreError)
    /// Removes every trace of a key. Nothing happens where there is none.
    func remove(_ key: String) throws(CredentialStoreError)

    /// Takes the lock of a key, which only one holder has at a time, whatever process it is in. A ``TokenSession`` takes
    /// it for a refresh, so that no refresh token is used twice. It keeps nobody from reading and writing.
    /// - Returns: `nil` while somebody else has it; it does not wait. Default: a lock that nobody else asks for, for
    ///   stores of one process.
    func tryLock(_ key: String) throws(CredentialStoreError) -> CredentialLock?
}

extension CredentialStore {
    public func tryLock(_ key: String) throws(CredentialStoreError) -> CredentialLock? { CredentialLock {} }
}
