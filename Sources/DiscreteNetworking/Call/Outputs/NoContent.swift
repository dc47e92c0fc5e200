import Foundation

/// The output of an endpoint whose body is ignored: 204, 205, 304, HEAD, or an irrelevant body.
///
/// ```swift
/// final class LogoutManager: APIManager<NoContent> { … }
/// ```
public struct NoContent: Decodable, Sendable, Hashable {
    /// Creates an empty output.
    public init() {}

    /// Succeeds for any content.
    public init(from decoder: any Decoder) {}
}
