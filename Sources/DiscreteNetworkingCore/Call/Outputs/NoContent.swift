import Foundation

/// The output of an endpoint without a body (204, 205, 304, HEAD), or with a body that is ignored.
///
/// ```swift
/// final class LogoutManager: APIManager<NoContent> {
///     let serviceIdentifier = ServiceIdentifier.storefront
///     let methodName = "logout"
///     let requestType = HTTPMethod.post
/// }
/// try await LogoutManager().load()
/// ```
public struct NoContent: Decodable, Sendable, Hashable {
    /// Creates an empty output.
    public init() {}

    /// Succeeds for any content.
    public init(from decoder: any Decoder) {}
}
