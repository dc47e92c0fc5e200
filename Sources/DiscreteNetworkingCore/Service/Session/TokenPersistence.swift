import Foundation

/// The stored form of a session.
struct StoredSession: Codable, Sendable, Hashable {
    let tokens: SessionTokens
    /// The owner of the tokens; see ``SessionState/subject``. Not stored by earlier versions.
    let subject: String?

    private enum Key: String, CodingKey { case subject }

    init(tokens: SessionTokens, subject: String?) {
        self.tokens = tokens
        self.subject = subject
    }

    // The members of the tokens and one more, so that earlier and later versions can read it.
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

/// Reads and writes the tokens of one session in a ``CredentialStore``, serialized so that the last write
/// wins.
final class TokenPersistence: Sendable {
    private struct Names {
        var key: String
        /// The key under which tokens were stored before the environment was known, until they are stored under its name.
        var old: String?
    }

    /// The queue for disk access, so that no cooperative thread blocks.
    let queue = DiskQueue("TokenPersistence")
    private let place: Locked<any CredentialStore>
    private var store: any CredentialStore { place.current }
    private let base: String
    private let names: Locked<Names>
    private var key: String { names.current.key }
    private let access = Locked(())

    init(store: any CredentialStore, key: String) {
        place = Locked(MemoryStorage.current?.replacement(for: store) ?? store)
        base = key
        names = Locked(Names(key: key))
    }

    /// Stores the tokens in memory from now on.
    /// - Returns: `false` if it does so already.
    func move(to storage: MemoryStorage) -> Bool {
        place.withLock { place in
            guard !(place is MemoryCredentialStore) else { return false }
            place = storage.replacement(for: place)
            return true
        }
    }

    /// Stores the tokens under the name of an environment from now on.
    /// - Parameter isInUse: Whether tokens were read or stored before. The next write removes them.
    func move(to environment: String, isInUse: Bool) {
        names.withLock { $0 = Names(key: key(in: environment), old: isInUse ? $0.key : nil) }
    }

    /// Returns the same for another environment.
    func neighbor(in environment: String) -> TokenPersistence {
        TokenPersistence(store: store, key: key(in: environment))
    }

    private func key(in environment: String) -> String { "\(base)@\(environment)" }

    /// Data that is not a session is left unchanged until the next login overwrites it.
    struct ForeignData: Error, CustomStringConvertible {
        var description: String {
            "The stored session cannot be decoded; the next login overwrites it."
        }
    }

    /// Runs a closure with exclusive access to this session's store within the process.
    func alone<Value, Failure: Error>(_ work: () throws(Failure) -> Value) throws(Failure) -> Value {
        try access.withLock { _ throws(Failure) in try work() }
    }

    /// - Throws: The store's error, or ``ForeignData``.
    func read() throws -> StoredSession? {
        guard let data = try store.read(key) else { return nil }
        guard let stored = try? JSONDecoder().decode(StoredSession.self, fromUntrusted: data) else {
            throw ForeignData()
        }
        return stored
    }

    /// Writes the tokens; `nil` removes all data.
    func write(_ stored: StoredSession?) throws(CredentialStoreError) {
        // Encoding fails only for a date that no calendar can represent.
        if let stored, let data = try? JSONEncoder().encode(stored) {
            try store.write(data, for: key)
        } else {
            try store.remove(key)
        }
        // Kept if the new name could not be written.
        guard let old = names.current.old else { return }
        try store.remove(old)
        names.withLock { $0.old = nil }
    }

    /// Writes the tokens, or removes them, if the store has one of the expected contents, or data that is not a session.
    /// - Returns: The other content that it has. Nothing is written then.
    func write(
        _ stored: StoredSession?, over expected: [StoredSession?]
    ) throws(CredentialStoreError) -> Other? {
        let new = stored.flatMap { try? JSONEncoder().encode($0) }
        for _ in 0..<100 {
            let old: Data?
            do throws(CredentialStoreError) { old = try store.read(key) } catch {
                guard error.kind == .damaged else { throw error }
                old = nil
            }
            let found = old.flatMap { try? JSONDecoder().decode(StoredSession.self, fromUntrusted: $0) }
            if (old == nil) == (found == nil), !expected.contains(found) { return Other(content: found) }
            if try store.replace(old, with: new, for: key) { return nil }
        }
        throw CredentialStoreError(
            .busy, message: "The stored session has changed during each of 100 attempts to write it.")
    }

    /// What another process has left in the store.
    struct Other { let content: StoredSession? }

    /// See ``CredentialStore/tryLock(_:)``.
    func tryLock() throws(CredentialStoreError) -> CredentialLock? { try store.tryLock(key) }
}
