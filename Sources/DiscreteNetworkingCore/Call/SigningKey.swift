public import Foundation

/// The secret key of a signature. Its description does not show it.
public struct SigningKey: Sendable, Hashable {
    /// The bytes of the key.
    public let data: Data

    /// Creates a key from its bytes.
    public init(_ data: Data) { self.data = data }
    /// Creates a key from the UTF-8 bytes of a text.
    public init(_ text: String) { data = Data(text.utf8) }

    /// Distinguishes keys in cache keys.
    package var fingerprint: String { MessageDigest(.sha256, of: data).hexadecimal }
}

extension SigningKey: SecretBearing {
    /// The redaction mark.
    public var description: String { Redaction.mark }
}
