/// The identifier of a registered service.
///
/// ```swift
/// extension ServiceIdentifier { static let storefront: Self = "storefront" }
/// ```
public struct ServiceIdentifier: RawRepresentable, Hashable, Sendable {
    /// The text of the identifier.
    public let rawValue: String

    /// Creates an identifier.
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension ServiceIdentifier: ExpressibleByStringLiteral, CustomStringConvertible {
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    public var description: String { rawValue }
}

/// An endpoint, or all endpoints of a service.
package struct EndpointPlace: Hashable, Sendable {
    package let service: ServiceIdentifier
    /// The name of the service's environment; `nil` for a service without one, or for all.
    package var environment: String?
    /// `nil` for all.
    package var methodName: String?
}
