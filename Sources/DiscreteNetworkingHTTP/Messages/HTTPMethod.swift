/// A request method (RFC 9110 section 9).
///
/// ```swift
/// let requestType = HTTPMethod.get
/// let report: HTTPMethod = "REPORT"   // any other token
/// ```
///
/// Methods are case-sensitive: `"get"` is not ``get``.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The method as it goes on the wire.
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    public static let get: Self = "GET"
    public static let head: Self = "HEAD"
    public static let post: Self = "POST"
    public static let put: Self = "PUT"
    public static let patch: Self = "PATCH"
    public static let delete: Self = "DELETE"
    public static let options: Self = "OPTIONS"

    /// Whether the method only reads (RFC 9110 section 9.2.1).
    public var isSafe: Bool { self == .get || self == .head || self == .options || self == "TRACE" }

    /// Whether sending twice does what sending once does (RFC 9110 section 9.2.2).
    public var isIdempotent: Bool { isSafe || self == .put || self == .delete }
}

extension HTTPMethod: CustomStringConvertible {
    public var description: String { rawValue }
}
