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

    /// A method, as it goes on the wire; one that is no token is refused when a request is made of it.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A method, as it goes on the wire.
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// Reads a resource.
    public static let get: Self = "GET"
    /// Reads the header fields of a resource.
    public static let head: Self = "HEAD"
    /// Has a resource process the body.
    public static let post: Self = "POST"
    /// Replaces a resource by the body.
    public static let put: Self = "PUT"
    /// Changes a part of a resource (RFC 5789).
    public static let patch: Self = "PATCH"
    /// Removes a resource.
    public static let delete: Self = "DELETE"
    /// Asks what a resource can do.
    public static let options: Self = "OPTIONS"

    /// Whether the method only reads (RFC 9110 section 9.2.1).
    public var isSafe: Bool { self == .get || self == .head || self == .options || self == "TRACE" }

    /// Whether sending twice does what sending once does (RFC 9110 section 9.2.2).
    public var isIdempotent: Bool { isSafe || self == .put || self == .delete }
}

extension HTTPMethod: CustomStringConvertible {
    /// The method as it goes on the wire.
    public var description: String { rawValue }
}
