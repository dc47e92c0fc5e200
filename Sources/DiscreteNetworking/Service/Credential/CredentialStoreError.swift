/// Why a credential could not be read, written or removed.
///
/// Its text names the file or the Keychain's status, and never the credential or its key.
public struct CredentialStoreError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Kind: Sendable, Hashable {
        /// What is stored is not what was written. It was set aside: the next read finds nothing.
        case damaged
        /// What is stored was written by a newer version of this framework. It was left alone.
        case newerVersion
        /// Others than the owner can reach what is stored, or it belongs to somebody else.
        case notPrivate
        /// The data is larger than a credential can be.
        case tooLarge
        /// There is no space left. What was stored before is still there.
        case noSpace
        /// Another process kept the store to itself for too long.
        case busy
        /// The device is locked, and the credential may only be read when it is not.
        case deviceLocked
        /// The system said no; see the message and the code.
        case unavailable
    }

    public let kind: Kind
    /// What is wrong and what to do, without secrets.
    public let message: String
    /// `errno`, or the Keychain's `OSStatus`, where there is one.
    public let code: Int?

    public init(_ kind: Kind, message: String, code: Int? = nil) {
        self.kind = kind
        self.message = message
        self.code = code
    }

    public var description: String { code.map { "\(message) (\($0))" } ?? message }
}
