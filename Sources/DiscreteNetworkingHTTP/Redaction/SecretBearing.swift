/// A type that may hold a secret: every text that Swift makes of it is its ``CustomStringConvertible/description``,
/// which shows none. That goes for `print`, `dump`, string interpolation, mirrors and the debugger.
///
/// ```swift
/// struct Account: SecretBearing {
///     let name: String
///     let password: String
///     var description: String { name }
/// }
/// ```
public protocol SecretBearing: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension SecretBearing {
    /// The same as ``CustomStringConvertible/description``.
    public var debugDescription: String { description }

    /// Nothing but the description, so that `dump` shows no secret.
    public var customMirror: Mirror {
        Mirror(self, children: ["description": description], ancestorRepresentation: .suppressed)
    }
}

extension JSONValue: SecretBearing {
    /// ``canonicalText`` with secrets hidden; see ``Redaction/standard``.
    public var description: String { Redaction.standard.redacted(text: canonicalText) }
}
