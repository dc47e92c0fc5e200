/// A value of a request body that may be `null`. An optional of it has a third state: `nil` is left out.
///
/// ```swift
/// nonisolated struct PoemPatch: Codable, Sendable {
///     var title: String?
///     var poet: Nullable<String>?
/// }
///
/// PoemPatch(title: "Frog")          // {"title": "Frog"}
/// PoemPatch(poet: .null)            // {"poet": null}
/// PoemPatch(poet: .value("Basho"))  // {"poet": "Basho"}
/// ```
/// A merge patch (RFC 7396, section 2) removes a member that is `null`, and keeps a member that it leaves out.
public indirect enum Nullable<Value> {
    /// Sent as `null`.
    case null
    /// Sent as the value.
    case value(Value)

    /// Creates a value from an optional; `nil` is ``null``.
    public init(_ value: Value?) { self = value.map(Self.value) ?? .null }
}

extension Nullable: Sendable where Value: Sendable {}
extension Nullable: Equatable where Value: Equatable {}
extension Nullable: Hashable where Value: Hashable {}

extension Nullable: Decodable where Value: Decodable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = container.decodeNil() ? .null : .value(try container.decode(Value.self))
    }
}

extension Nullable: Encodable where Value: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .value(let value): try container.encode(value)
        }
    }
}

extension KeyedDecodingContainer {
    /// Decodes a member that may be absent; a `null` is ``Nullable/null``, and not `nil` as for other types.
    public func decodeIfPresent<Value: Decodable>(
        _ type: Nullable<Value>.Type, forKey key: Key
    ) throws -> Nullable<Value>? {
        contains(key) ? try decode(type, forKey: key) : nil
    }
}
