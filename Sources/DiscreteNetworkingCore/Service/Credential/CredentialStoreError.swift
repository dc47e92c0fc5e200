/// An error of a credential store.
///
/// Its description names the file or the Keychain status, never the credential or its key.
public struct CredentialStoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The category of a credential store error.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive(warn)
    #endif
    public enum Kind: Sendable, Hashable {
        /// The stored data is damaged. It was moved aside: the next read returns `nil`.
        case damaged
        /// The data was written by a newer version of this framework. It was not changed.
        case newerVersion
        /// The stored data is accessible to, or owned by, other users.
        case notPrivate
        /// The data exceeds the maximum size of a credential.
        case tooLarge
        /// No space is left on the device. The previous data is unchanged.
        case noSpace
        /// Another process held the lock for too long.
        case busy
        /// The device is locked, and the credential is readable only while it is unlocked.
        case deviceLocked
        /// The system reported an error; see the message and the code.
        case unavailable
    }

    /// The category of the error.
    public let kind: Kind
    /// What failed and what to do about it, without secrets.
    public let message: String
    /// The `errno` value or the Keychain's `OSStatus`; `nil` if there is none.
    public let code: Int?

    /// Creates an error; for custom credential stores.
    public init(_ kind: Kind, message: String, code: Int? = nil) {
        self.kind = kind
        self.message = message
        self.code = code
    }

    public var description: String { code.map { "\(message) (\($0))" } ?? message }
}
