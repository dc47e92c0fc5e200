/// The name under which a service is registered.
///
/// ```swift
/// extension ServiceIdentifier { static let storefront: Self = "storefront" }
/// ```
public struct ServiceIdentifier: RawRepresentable, Hashable, Sendable {
    /// The name as written.
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
}

extension ServiceIdentifier: ExpressibleByStringLiteral, CustomStringConvertible {
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    public var description: String { rawValue }
}
