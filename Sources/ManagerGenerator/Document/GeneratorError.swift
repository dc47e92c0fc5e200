/// Why nothing was generated: what is wrong, where, and what to do about it.
///
/// Text of a description in it has no control, invisible or bidirectional characters; they are escaped.
public struct GeneratorError: Error, Sendable, Hashable, CustomStringConvertible {
    public let message: String
    /// The place in the description, as a file and a JSON pointer (RFC 6901): `openapi.json#/paths/~1pets/get`.
    public let place: String?
    /// Whether a reference leads nowhere, so that the rest may be generated without it.
    let isBrokenReference: Bool

    init(_ message: String, at place: Place? = nil, isBrokenReference: Bool = false) {
        self.message = VisibleText.line(message)
        self.place = place.map { VisibleText.line($0.description) }
        self.isBrokenReference = isBrokenReference
    }

    private init(message: String, like other: Self) {
        self.message = VisibleText.line(message)
        (place, isBrokenReference) = (other.place, other.isBrokenReference)
    }

    /// The same error, in other words.
    func with(message: String) -> Self { Self(message: message, like: self) }

    public var description: String { place.map { "\($0): \(message)" } ?? message }
}
