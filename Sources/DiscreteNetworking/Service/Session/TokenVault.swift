import Foundation

/// The tokens of one session in a ``CredentialStore``. One access at a time, so that what is written last is
/// what is true.
final class TokenVault: Sendable {
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

    /// - Throws: what the store throws; then the next read may succeed. Or ``ForeignData``.
    func read(_ body: (SessionTokens?) -> Void) throws {
        try access.withLock { _ in
            let data = try store.read(key)
            let tokens = data.flatMap { try? JSONDecoder().decode(SessionTokens.self, from: $0) }
            body(tokens)
            if data != nil, tokens == nil { throw ForeignData() }
        }
    }

    /// Keeps tokens; `nil` removes every trace.
    func write(_ tokens: () -> SessionTokens?) throws(CredentialStoreError) {
        try access.withLock { _ throws(CredentialStoreError) in
            // Tokens are strings and a date, which always encode but for a date that no calendar has.
            if let tokens = tokens(), let data = try? JSONEncoder().encode(tokens) {
                try store.write(data, for: key)
            } else {
                try store.remove(key)
            }
        }
    }
}
