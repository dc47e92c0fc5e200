import Foundation

/// The secret that a signature is made with. No text shows it.
public struct SigningKey: Sendable, Hashable {
    public let data: Data

    public init(_ data: Data) { self.data = data }
    /// The UTF-8 of a text.
    public init(_ text: String) { data = Data(text.utf8) }

    /// Tells one key from another.
    var fingerprint: String { MessageDigest(.sha256, of: data).hexadecimal }
}

extension SigningKey: SecretBearing {
    public var description: String { Redaction.mark }
}
