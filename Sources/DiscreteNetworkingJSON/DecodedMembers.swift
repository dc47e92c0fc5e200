/// The members of an object, decoded by their names.
///
/// The compiler needs less time for it than for a synthesized conformance, because none of its functions is overloaded. The
/// generator uses it; the JSON is the same.
///
/// ```swift
/// nonisolated struct Poem: Decodable, Sendable {
///     let title: String
///     let poet: String?
///
///     init(from decoder: any Decoder) throws {
///         let members = try decoder.members()
///         title = try members.decode("title")
///         poet = try members.decodeIfPresent("poet")
///     }
/// }
/// ```
public struct DecodedMembers {
    private let container: KeyedDecodingContainer<MemberName>

    fileprivate init(_ container: KeyedDecodingContainer<MemberName>) { self.container = container }

    /// Decodes a member.
    /// - Throws: `DecodingError` if the member is absent or has another type.
    public func decode<Value: Decodable>(_ name: String) throws -> Value {
        try container.decode(Value.self, forKey: MemberName(name))
    }

    /// Decodes a member that may be absent or `null`.
    /// - Throws: `DecodingError` if the member has another type.
    public func decodeIfPresent<Value: Decodable>(_ name: String) throws -> Value? {
        try container.decodeIfPresent(Value.self, forKey: MemberName(name))
    }

    /// Decodes a member that may be absent. A `null` is ``Nullable/null``, and not `nil`.
    /// - Throws: `DecodingError` if the member has another type.
    public func decodeNullable<Value: Decodable>(_ name: String) throws -> Nullable<Value>? {
        try container.decodeIfPresent(Nullable<Value>.self, forKey: MemberName(name))
    }

    /// Decodes all members except those with these names.
    /// - Throws: `DecodingError` if one of them cannot be decoded as `Value`.
    public func decodeAll<Value: Decodable>(except names: Set<String>) throws -> [String: Value] {
        var members: [String: Value] = [:]
        for name in container.allKeys where !names.contains(name.stringValue) {
            members[name.stringValue] = try container.decode(Value.self, forKey: name)
        }
        return members
    }
}

extension Decoder {
    /// Returns the members of an object, to be decoded by their names.
    /// - Throws: `DecodingError` if the value is not an object.
    public func members() throws -> DecodedMembers {
        DecodedMembers(try container(keyedBy: MemberName.self))
    }
}

/// The name of a member.
struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
