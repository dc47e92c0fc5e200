/// What a group or a chain can load: a manager, a manager with params, a group, a chain, or a type of your
/// own. An optional one that is `nil` is skipped, and its output is `nil`.
@MainActor
public protocol APILoadable<Output>: Sendable {
    associatedtype Output: Sendable

    /// Loads once, for a group or a chain; ends soon after its task was cancelled.
    func loadAsMember() async throws(APIError) -> Output
}

extension TypedAPIManager: APILoadable {
    /// ``load(with:)``, with what the param source says.
    public func loadAsMember() async throws(APIError) -> Output { try await load() }

    /// This manager with the params it is to be called with, for a group or a chain.
    ///
    /// ```swift
    /// let (user, feed) = try await APIGroup(userManager.with(["id": 7]), feedManager).load()
    /// ```
    public func with(_ params: Params) -> PreparedLoad<Output> { PreparedLoad(manager: self, params: params) }
}

/// A manager and the params to call it with; see ``TypedAPIManager/with(_:)``.
public struct PreparedLoad<Output: Decodable & Sendable>: APILoadable {
    let manager: TypedAPIManager<Output>
    let params: Params

    public func loadAsMember() async throws(APIError) -> Output { try await manager.load(with: params) }
}

extension Optional: APILoadable where Wrapped: APILoadable {
    /// `nil` at once where there is nothing to load.
    public func loadAsMember() async throws(APIError) -> Wrapped.Output? {
        guard let self else { return nil }
        return try await self.loadAsMember()
    }
}
