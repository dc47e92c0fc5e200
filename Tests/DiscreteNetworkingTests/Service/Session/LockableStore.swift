import Foundation

@testable import DiscreteNetworkingCore

/// A store in memory that fails when told to.
final class LockableStore: CredentialStore {
    let values = Locked<[String: Data]>([:])
    let error = Locked<CredentialStoreError?>(nil)
    private let count = Locked(0)
    /// How often it was asked for something.
    var readings: Int { count.current }

    func read(_ key: String) throws(CredentialStoreError) -> Data? {
        count.withLock { $0 += 1 }
        if let error = error.current { throw error }
        return values.current[key]
    }
    func write(_ data: Data, for key: String) throws(CredentialStoreError) {
        if let error = error.current { throw error }
        values.withLock { $0[key] = data }
    }
    func remove(_ key: String) throws(CredentialStoreError) {
        if let error = error.current { throw error }
        values.withLock { $0[key] = nil }
    }

    func tokens(_ key: String = "session") throws -> SessionTokens? {
        try values.current[key].map { try JSONDecoder().decode(SessionTokens.self, from: $0) }
    }
}
