public import DiscreteNetworkingHTTP
import Foundation

/// Identifies one operation in all its requests, so that a backend that receives it twice performs it once
/// (draft-ietf-httpapi-idempotency-key-header).
///
/// ```swift
/// override func idempotencyKey(with params: Params) -> IdempotencyKey? {
///     IdempotencyKey()
/// }
/// ```
public struct IdempotencyKey: Sendable, Hashable, Codable, CustomStringConvertible, ExpressibleByStringLiteral
{
    /// The key as the backend sees it.
    public let rawValue: String

    /// Creates a key that no other operation has: a random UUID (RFC 9562 section 5.4).
    public init() { rawValue = UUID().uuidString.lowercased() }

    /// Creates a key of the app's, such as the number of a draft.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    public init(stringLiteral value: String) { self.init(value) }

    public init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(String.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    public var description: String { rawValue }
}

/// Where a request has its ``IdempotencyKey``.
public enum IdempotencyKeyLocation: Sendable, Hashable {
    /// A header field with the key in quotes, a string of RFC 9651 section 3.3.3.
    case quotedHeader(HTTPFields.Name)
    /// A header field with the key as it is.
    case header(HTTPFields.Name)
    /// A param, which replaces one of the same name.
    case param(String)

    /// `Idempotency-Key: "8e03978e-40d5-43dd-bc93-6894a57f9324"`, as in draft-ietf-httpapi-idempotency-key-header.
    public static let standard = quotedHeader("Idempotency-Key")
}
