/// A JSON number, exact: it keeps the literal it was made from.
public struct JSONNumber: Sendable, Hashable {
    /// The number as RFC 8259 section 6 writes it.
    public let literal: String

    public init(_ value: Int) { literal = String(value) }
}
