/// The members of an object, encoded by their names: what ``DecodedMembers`` reads.
///
/// ```swift
/// nonisolated struct Poem: Encodable, Sendable {
///     let title: String
///     let poet: String?
///
///     func encode(to encoder: any Encoder) throws {
///         var members = encoder.members()
///         try members.encode(title, as: "title")
///         try members.encodeIfPresent(poet, as: "poet")
///     }
/// }
/// ```
public struct EncodedMembers {
    private var container: KeyedEncodingContainer<MemberName>

    fileprivate init(_ container: KeyedEncodingContainer<MemberName>) { self.container = container }

    /// Encodes a member; an optional without a value is `null`.
    public mutating func encode<Value: Encodable>(_ value: Value, as name: String) throws {
        try container.encode(value, forKey: MemberName(name))
    }

    /// Encodes a member, and nothing for `nil`.
    public mutating func encodeIfPresent<Value: Encodable>(_ value: Value?, as name: String) throws {
        try container.encodeIfPresent(value, forKey: MemberName(name))
    }
}

extension Encoder {
    /// Returns the members of an object, to be encoded by their names.
    public func members() -> EncodedMembers { EncodedMembers(container(keyedBy: MemberName.self)) }
}
