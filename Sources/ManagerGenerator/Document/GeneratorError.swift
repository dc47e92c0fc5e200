/// Why nothing was generated: what is wrong, where, and what to do about it.
public struct GeneratorError: Error, Sendable, Hashable, CustomStringConvertible {
    public let message: String
    /// The place in the description, as a file and a JSON pointer (RFC 6901): `openapi.json#/paths/~1pets/get`.
    public let place: String?

    init(_ message: String, at place: Place? = nil) {
        self.message = message
        self.place = place?.description
    }

    public var description: String { place.map { "\($0): \(message)" } ?? message }
}
