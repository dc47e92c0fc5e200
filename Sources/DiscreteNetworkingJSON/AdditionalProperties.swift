extension Decoder {
    /// Returns the members of an object that are not among the coding keys of a type.
    ///
    /// ```swift
    /// nonisolated struct Metadata: Decodable, Sendable {
    ///     let name: String
    ///     let others: [String: JSONValue]
    ///
    ///     private enum CodingKeys: CodingKey, CaseIterable { case name }
    ///
    ///     init(from decoder: any Decoder) throws {
    ///         name = try decoder.container(keyedBy: CodingKeys.self).decode(
    ///             String.self, forKey: .name)
    ///         others = try decoder.additionalProperties(besides: CodingKeys.self)
    ///     }
    /// }
    /// ```
    /// - Throws: `DecodingError` if one of them cannot be decoded as `Value`.
    public func additionalProperties<Value: Decodable, Keys: CodingKey & CaseIterable>(
        besides keys: Keys.Type
    ) throws -> [String: Value] {
        let known = Set(keys.allCases.map(\.stringValue))
        let container = try container(keyedBy: MemberName.self)
        var members: [String: Value] = [:]
        for name in container.allKeys where !known.contains(name.stringValue) {
            members[name.stringValue] = try container.decode(Value.self, forKey: name)
        }
        return members
    }
}
