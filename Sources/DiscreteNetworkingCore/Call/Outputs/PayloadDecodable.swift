public import Foundation

/// An output created from the payload's bytes instead of the service's decoder: ``JSONValue``, ``NoContent``, or a
/// custom format. `Data` and `String` are outputs, too. If a format has a decoder for all types, see ``PayloadDecoder``.
///
/// ```swift
/// extension Invoice: PayloadDecodable {
///     static func decode(_ payload: Data, of response: APIResponse) throws
///         -> Invoice
///     {
///         try Invoice(protobuf: payload)
///     }
/// }
/// ```
public protocol PayloadDecodable: Sendable {
    /// Decodes a payload.
    /// - Throws: Any error; the call fails with ``APIError/Kind/decoding(_:)``.
    static func decode(_ payload: Data, of response: APIResponse) throws -> Self
}

/// An output that an empty response can be decoded to: ``NoContent``, ``JSONValue`` (`null`), or a custom format. `Data`,
/// `String` and any optional (`nil`) can be empty, too.
public protocol EmptyDecodable {
    /// The output of an empty response.
    static var empty: Self { get }
}

extension NoContent: PayloadDecodable, EmptyDecodable {
    public static func decode(_ payload: Data, of response: APIResponse) -> NoContent { NoContent() }
    public static var empty: NoContent { NoContent() }
}

extension JSONValue: PayloadDecodable, EmptyDecodable {
    public static func decode(_ payload: Data, of response: APIResponse) throws -> JSONValue {
        try JSONValue(parsing: payload)
    }
    public static var empty: JSONValue { .null }
}
