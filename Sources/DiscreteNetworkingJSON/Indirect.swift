/// Stores a value indirectly, so that a struct can contain a value of its own type.
///
/// ```swift
/// nonisolated struct Comment: Decodable, Sendable {
///     let text: String
///     private let reply: Indirect<Comment>?
///     var answer: Comment? { reply?.value }
///
///     private enum CodingKeys: String, CodingKey {
///         case text
///         case reply = "answer"
///     }
/// }
/// ```
public indirect enum Indirect<Value> {
    /// The value, stored outside of the type that contains it.
    case boxed(Value)

    /// Stores a value.
    public init(_ value: Value) { self = .boxed(value) }

    /// The stored value.
    public var value: Value {
        get {
            switch self {
            case .boxed(let value): value
            }
        }
        set { self = .boxed(newValue) }
    }
}

extension Indirect: Sendable where Value: Sendable {}
extension Indirect: Equatable where Value: Equatable {}
extension Indirect: Hashable where Value: Hashable {}

extension Indirect: Decodable where Value: Decodable {
    public init(from decoder: any Decoder) throws { self = .boxed(try Value(from: decoder)) }
}

extension Indirect: Encodable where Value: Encodable {
    public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
