import Foundation

/// The secret that a signature is made with. No text shows it.
public struct SigningKey: Sendable, Hashable {
    public let data: Data

    public init(_ data: Data) { self.data = data }
    /// The UTF-8 of a text.
    public init(_ text: String) { data = Data(text.utf8) }
}

extension SigningKey: CustomStringConvertible, CustomReflectable {
    public var description: String { Redaction.mark }
    /// The same as ``description``, so that `dump` shows no secret.
    public var customMirror: Mirror { Mirror(self, children: ["key": description]) }
}
