/// A request method (RFC 9110 section 9).
///
/// ```swift
/// let requestType = HTTPMethod.get
/// let report: HTTPMethod = "REPORT"   // any other token
/// ```
///
/// Methods are case-sensitive: `"get"` is not ``get``.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The method as sent.
    public let rawValue: String

    /// Creates a method. An invalid token is rejected when a request is built.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Creates a method.
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// Transfers a representation of the resource.
    public static let get: Self = "GET"
    /// Transfers the header fields of the resource only.
    public static let head: Self = "HEAD"
    /// Processes the request content.
    public static let post: Self = "POST"
    /// Replaces the resource.
    public static let put: Self = "PUT"
    /// Modifies the resource partially (RFC 5789).
    public static let patch: Self = "PATCH"
    /// Removes the resource.
    public static let delete: Self = "DELETE"
    /// Describes the communication options of the resource.
    public static let options: Self = "OPTIONS"

    /// Whether the method is safe: read-only (RFC 9110 section 9.2.1).
    public var isSafe: Bool { self == .get || self == .head || self == .options || self == "TRACE" }

    /// Whether the method is idempotent: repeating the request has the same effect (RFC 9110 section
    /// 9.2.2).
    public var isIdempotent: Bool { isSafe || self == .put || self == .delete }
}

extension HTTPMethod: CustomStringConvertible {
    /// The method as sent.
    public var description: String { rawValue }
}
