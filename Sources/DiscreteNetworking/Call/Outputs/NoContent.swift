import Foundation

/// The output of an endpoint whose body nobody reads: 204, 205, 304, HEAD, or a body that does not matter.
///
/// ```swift
/// final class LogoutManager: APIManager<NoContent> { … }
/// ```
public struct NoContent: Decodable, Sendable, Hashable {
    public init() {}

    /// Succeeds whatever is there.
    public init(from decoder: any Decoder) {}
}
