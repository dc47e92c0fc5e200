import Foundation

/// Where secrets are kept while the app is not running.
public protocol CredentialStore: Sendable {
    /// What was written under a key; `nil` where nothing was.
    func read(_ key: String) throws(CredentialStoreError) -> Data?
    /// Keeps data under a key, in place of what was there.
    func write(_ data: Data, for key: String) throws(CredentialStoreError)
    /// Forgets a key. Nothing happens where there is none.
    func remove(_ key: String) throws(CredentialStoreError)
}

/// Why a credential could not be read, written or removed.
public struct CredentialStoreError: Error, Sendable, Hashable {}
