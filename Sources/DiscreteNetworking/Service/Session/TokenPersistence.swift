import Foundation

/// What a store keeps of a session.
struct StoredSession: Codable, Sendable, Hashable {
    let tokens: SessionTokens
    /// Whose they are; see ``SessionState/subject``. Earlier versions did not keep it.
    let subject: String?

    private enum Key: String, CodingKey { case subject }

    init(tokens: SessionTokens, subject: String?) {
        self.tokens = tokens
        self.subject = subject
    }

    // The members of the tokens and one more, so that each version reads what another one wrote.
    init(from decoder: any Decoder) throws {
        tokens = try SessionTokens(from: decoder)
        subject = try decoder.container(keyedBy: Key.self).decodeIfPresent(String.self, forKey: .subject)
    }

    func encode(to encoder: any Encoder) throws {
        try tokens.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(subject, forKey: .subject)
    }
}

/// The tokens of one session in a ``CredentialStore``. One access at a time, so that what is written last is
/// what is true.
final class TokenPersistence: Sendable {
    /// Where a session uses its store, so that nobody's thread waits for a disk.
    let queue = DiskQueue("TokenPersistence")
    private let store: any CredentialStore
    private let key: String
    private let access = Locked(())

    init(store: any CredentialStore, key: String) {
        self.store = store
        self.key = key
    }

    /// What is there and is no session is left alone, until the next login overwrites it.
    struct ForeignData: Error, CustomStringConvertible {
        var description: String {
            "What the store has for the session are no tokens; the next login overwrites it."
        }
    }

    /// Does something that nobody else does to the same session's store meanwhile, in this process.
    func alone<Value, Failure: Error>(_ work: () throws(Failure) -> Value) throws(Failure) -> Value {
        try access.withLock { _ throws(Failure) in try work() }
    }

    /// - Throws: what the store throws, or ``ForeignData``.
    func read() throws -> StoredSession? {
        guard let data = try store.read(key) else { return nil }
        guard let stored = try? JSONDecoder().decode(StoredSession.self, from: data) else {
            throw ForeignData()
        }
        return stored
    }

    /// Keeps tokens; `nil` removes every trace.
    func write(_ stored: StoredSession?) throws(CredentialStoreError) {
        // Tokens are strings and a date, which always encode but for a date that no calendar has.
        if let stored, let data = try? JSONEncoder().encode(stored) {
            try store.write(data, for: key)
        } else {
            try store.remove(key)
        }
    }

    /// See ``CredentialStore/tryLock(_:)``.
    func tryLock() throws(CredentialStoreError) -> CredentialLock? { try store.tryLock(key) }
}
