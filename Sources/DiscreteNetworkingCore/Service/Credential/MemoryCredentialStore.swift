public import Foundation

/// A credential store in memory, for tests and previews.
public final class MemoryCredentialStore: CredentialStore {
    private let credentials = Locked<[String: Data]>([:])

    /// Creates an empty store.
    public init() {}

    public func read(_ key: String) -> Data? { credentials.withLock { $0[key] } }
    public func write(_ data: Data, for key: String) { credentials.withLock { $0[key] = data } }
    public func replace(_ old: Data?, with new: Data?, for key: String) -> Bool {
        credentials.withLock { credentials in
            guard credentials[key] == old else { return false }
            credentials[key] = new
            return true
        }
    }
    public func remove(_ key: String) { credentials.withLock { $0[key] = nil } }
}
