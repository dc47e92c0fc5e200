/// Why nothing was generated: what is wrong, where, and what to do about it.
///
/// Text of a description in it has no control, invisible or bidirectional characters; they are escaped.
public struct GeneratorError: Error, Sendable, Hashable, CustomStringConvertible {
    public let message: String
    /// The place in the description, as a file and a JSON pointer (RFC 6901): `openapi.json#/paths/~1pets/get`.
    public let place: String?

    init(_ message: String, at place: Place? = nil) {
        self.message = VisibleText.line(message)
        self.place = place.map { VisibleText.line($0.description) }
    }

    public var description: String { place.map { "\($0): \(message)" } ?? message }
}
